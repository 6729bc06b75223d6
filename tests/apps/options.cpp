// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../apps/commands.hpp"
#include "harness/folder.hpp"
#include "no_backend.hpp"

#include <sporos/runtime/array_rqmc/request.hpp>
#include <sporos/runtime/multilevel/request.hpp>
#include <sporos/runtime/rare_events/request.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/sensitivity/request.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/steady_state/request.hpp>
#include <sporos/runtime/stratification/request.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/one_line.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// Every option of every command, as its help lists them, with values that nobody means: each is taken, or refused in
/// one line that says what is expected. Nothing is computed: the backend ends where a command would start it. What the
/// help says in the same words of an option of several models is one option of them all, and tried with the first.
namespace sporos::apps {
namespace options_tests {

using test::Ending;
using test::ending_of;
using Words = std::vector<std::string>;

Words words(const std::string& line) {
  std::istringstream list(line);
  return {std::istream_iterator<std::string>(list), {}};
}

// The lines of a command's help about options that take a value, and these.
std::map<std::string, std::string> options_by_help(Words command) {
  command.emplace_back("--help-all");
  const std::string help = ending_of(command).out;
  const std::regex option("\n +(?:-o,)?(--[a-z-]+) [A-Z(o][^\n]*");
  std::map<std::string, std::string> options;
  for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found) {
    options[(*found)[0]] = (*found)[1];
  }
  return options;
}

Words with(Words command, const std::string& option, const std::string& value) {
  const auto given = std::find(command.begin(), command.end(), option);
  if (given != command.end()) command.erase(given, given + 2);
  command.push_back(option + "=" + value);
  return command;
}

// A line of a program's own that a terminal shows as one, in the length that is promised.
void expect_one_line(const std::string& text) {
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(text.back(), '\n');
  const std::string line = text.substr(0, text.size() - 1);
  EXPECT_LE(text.size(), io::longest_message);
  EXPECT_EQ(line, io::one_line(line)) << "a control character, or no UTF-8";
}

// A command line, and what is the same of all command lines that differ from it in the model.
using LineAndFamily = std::pair<std::string, std::string>;

class EveryOption : public ::testing::TestWithParam<LineAndFamily> {
 protected:
  // Names of files in the current folder are of one that is gone afterwards.
  void SetUp() override { std::filesystem::current_path(m_folder.path()); }
  void TearDown() override {
    EXPECT_TRUE(m_folder.files().empty());
    std::filesystem::current_path("/");
  }

  test::Folder m_folder;
};

TEST_P(EveryOption, IsTakenOrRefusedInOneLine) {
  static std::set<std::string> tried;
  const auto& [line, family] = GetParam();
  const Words command = words(line);
  const auto options = options_by_help(command);
  ASSERT_FALSE(options.empty());
  constexpr int longest = 131'000;  // of an argument, on Linux: MAX_ARG_STRLEN is 131072
  const std::string letters(longest, 'x');
  std::string accents;
  for (int i = 0; i < longest / 2; ++i) accents += "é";
  for (const auto& [help, option] : options) {
    if (!tried.insert(family + help).second) continue;
    for (const std::string& value : {letters, accents, std::string("a\nb\x1b[31m\xff"), std::string(),
                                     std::string("1e308"), std::string("-1"), std::string("0"), std::string("nan"),
                                     std::string("inf"), std::string("1e-320"), std::string("9223372036854775808")}) {
      SCOPED_TRACE(option + " " + io::one_line(value, 60));
      const Ending ending = ending_of(with(command, option, value));
      if (ending.has_started || (command.front() == "problems" && ending.status == 0)) {  // which starts nothing
        EXPECT_EQ(ending.error, "");
        for (const auto& file : std::filesystem::directory_iterator(m_folder.path())) std::filesystem::remove(file);
        continue;
      }
      EXPECT_TRUE(ending.status == 2 || ending.status == 1) << ending.status;
      expect_one_line(ending.error);
    }
  }
}

// Rows of two kinds, few enough to be read a thousand times.
std::string few_rows() {
  static const test::Folder folder;
  static const std::string path =
      folder.write("rows.csv", "size,age,kind\n1,4,no\n2,3,no\n3,5,yes\n5,1,yes\n4,4,yes\n2,6,no\n");
  return path;
}

// The questions about a model beside `simulate`, with the options that they cannot do without.
std::vector<std::pair<const runtime::Question*, std::string>> asked_questions(const runtime::ModelDescription& model) {
  std::string response = model.response_names(model.usual_values()).front();
  std::replace(response.begin(), response.end(), ' ', '_');
  const std::string parameter = model.parameters.front().option();
  return {
      {&runtime::steady_state_question, ""},
      {&runtime::rare_event_question, "--event " + response + ">1"},
      {&runtime::multilevel_question, ""},
      {&runtime::stratify_question, "--strata 1:4"},
      {&runtime::array_rqmc_question, "--chain-steps 3"},
      {&runtime::sensitivity_question, "--uncertain " + parameter + "=1:2"},
      {&runtime::input_uncertainty_question, "--input " + parameter + "=mean(" SPOROS_SAMPLE_DATA "/old_faithful.csv)"},
      {&runtime::compare_samplings_question, "--samplings random"},
      {&runtime::replay_question, "--replication 0"}};
}

// With what they cannot do without.
std::vector<LineAndFamily> command_lines() {
  const std::string data = SPOROS_SAMPLE_DATA "/";
  std::vector<LineAndFamily> list;
  for (const std::string& line : std::vector<std::string>{
           "simulate radiation --case " + data + "plates.json",
           "simulate germinal-centre " + data + "germinal_centre.json --hours 1", "optimize portfolio --assets 5",
           "optimize newsvendor --product-count 5", "optimize classification " + few_rows(),
           "fit " + data + "galaxies.csv", "sample sobol --points 4 --dimensions 2", "calibrate", "info", "problems",
           "compare-solvers --solvers adam --problems mm1",
           "predict " + data + "plates.json " + data + "breast_cancer.csv"}) {
    list.emplace_back(line, line);
  }
  for (const auto& model : runtime::model_descriptions()) {
    list.emplace_back("simulate " + model.name, "simulate");
    for (const auto& [question, more] : asked_questions(model)) {
      if (!question->lack(model).empty()) continue;
      list.emplace_back(fmt::format("{} {} {}", question->command, model.name, more), "question");
    }
    if (runtime::is_optimizable(model)) {
      list.emplace_back("optimize " + model.name + " --over " + model.parameters.front().option() + "=1:2 --minimize " +
                            model.response_names(model.usual_values()).front(),
                        "optimize");
      std::string response = model.response_names(model.usual_values()).front();
      std::replace(response.begin(), response.end(), ' ', '_');
      list.emplace_back("select " + model.name + " --over " + model.parameters.front().option() +
                            "=1,2 --delta 1 --largest " + response,
                        "select");
    }
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(Commands, EveryOption, ::testing::ValuesIn(command_lines()));

TEST(EveryCommand, IsTried) {
  const auto tried = command_lines();
  for (const runtime::Usage& usage : usages()) {
    const std::string form = usage.command.starts_with("sample ") ? "sample " : usage.command;
    EXPECT_TRUE(std::any_of(tried.begin(), tried.end(), [&](const auto& of) { return of.first.starts_with(form); }))
        << usage.command;
  }
}

}  // namespace options_tests
}  // namespace sporos::apps
