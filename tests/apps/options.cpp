// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../apps/commands.hpp"
#include "harness/folder.hpp"
#include "no_backend.hpp"

#include <sporos/runtime/array_rqmc/array_rqmc.hpp>
#include <sporos/runtime/multilevel/multilevel.hpp>
#include <sporos/runtime/rare_events/rare_events.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/sensitivity/sensitivity.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/steady_state/steady_state.hpp>
#include <sporos/runtime/stratification/stratification.hpp>

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

/// Tries extreme values for every option in the help of every command. Each value is accepted, or refused in one line
/// that states what is expected. Nothing is computed: the backend stops when a command would start it. An option that
/// the help describes in the same words for several models is tried with the first of them.
namespace sporos::apps {
namespace options_tests {

using test::Ending;
using test::ending_of;
using Words = std::vector<std::string>;

Words words(const std::string& line) {
  std::istringstream list(line);
  return {std::istream_iterator<std::string>(list), {}};
}

// Options that take a value. The keys are the lines of the help about them.
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

// Expects one line that a terminal shows as one, and that is no longer than io::longest_message.
void expect_one_line(const std::string& text) {
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(text.back(), '\n');
  const std::string line = text.substr(0, text.size() - 1);
  EXPECT_LE(text.size(), io::longest_message);
  EXPECT_EQ(line, io::one_line(line)) << "a control character, or no UTF-8";
}

// A command line, and a family that it shares with the command lines that differ only in the model.
using LineAndFamily = std::pair<std::string, std::string>;

class EveryOption : public ::testing::TestWithParam<LineAndFamily> {
 protected:
  // Relative file names are in a temporary folder.
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
  constexpr int longest = 131'000;  // Linux limits an argument to MAX_ARG_STRLEN = 131072
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
      if (ending.has_started || (command.front() == "problems" && ending.status == 0)) {  // `problems` starts nothing
        EXPECT_EQ(ending.error, "");
        for (const auto& file : std::filesystem::directory_iterator(m_folder.path())) std::filesystem::remove(file);
        continue;
      }
      EXPECT_TRUE(ending.status == 2 || ending.status == 1) << ending.status;
      expect_one_line(ending.error);
    }
  }
}

// Path of a file with rows of two classes, few enough to be read a thousand times.
std::string few_rows() {
  static const test::Folder folder;
  static const std::string path =
      folder.write("rows.csv", "size,age,kind\n1,4,no\n2,3,no\n3,5,yes\n5,1,yes\n4,4,yes\n2,6,no\n");
  return path;
}

// Path of a part of an experiment without replications, whose merge is refused.
std::string part_of_pi() {
  static const test::Folder folder;
  static const std::string path = folder.write("part.json", R"({"kind": "part of an experiment", "version": 1})");
  return path;
}

// The questions about a model other than `simulate`, with the options that they require.
std::vector<std::pair<const runtime::Question*, std::string>> asked_questions(const runtime::ModelDescription& model) {
  std::string response = model.response_names(model.default_values()).front();
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

// Command lines of all commands, with the options that they require.
std::vector<LineAndFamily> command_lines() {
  const std::string data = SPOROS_SAMPLE_DATA "/";
  std::vector<LineAndFamily> list;
  for (const std::string& line : std::vector<std::string>{
           "simulate radiation --case " + data + "plates.json",
           "simulate germinal-centre " + data + "germinal_centre.json --hours 1", "optimize portfolio --assets 5",
           "optimize newsvendor --product-count 5", "optimize classification " + few_rows(),
           "fit " + data + "galaxies.csv", "sample sobol --points 4 --dimensions 2", "calibrate", "info", "problems",
           "compare-solvers --solvers adam --problems mm1",
           "predict " + data + "plates.json " + data + "breast_cancer.csv", "merge " + part_of_pi()}) {
    list.emplace_back(line, line);
  }
  for (const auto& model : runtime::model_descriptions()) {
    list.emplace_back("simulate " + model.name, "simulate");
    for (const auto& [question, more] : asked_questions(model)) {
      if (!question->reason_not_offered(model).empty()) continue;
      list.emplace_back(fmt::format("{} {} {}", question->command, model.name, more), "question");
    }
    if (runtime::is_optimizable(model)) {
      list.emplace_back("optimize " + model.name + " --over " + model.parameters.front().option() + "=1:2 --minimize " +
                            model.response_names(model.default_values()).front(),
                        "optimize");
      std::string response = model.response_names(model.default_values()).front();
      std::replace(response.begin(), response.end(), ' ', '_');
      list.emplace_back("select " + model.name + " --over " + model.parameters.front().option() +
                            "=1,2 --delta 1 --largest " + response,
                        "select");
    }
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(Commands, EveryOption, ::testing::ValuesIn(command_lines()));

TEST(Optimizable, AreModelsWithNumericParametersAndFixedResponses) {
  runtime::ModelDescription model;
  model.name = "counts";
  EXPECT_TRUE(runtime::is_optimizable(model));
  model.is_wide = true;
  EXPECT_FALSE(runtime::is_optimizable(model));
  model.parameters = {{"servers", "", "number of servers", 1.0, true}};
  EXPECT_TRUE(runtime::is_optimizable(model));
}

TEST(EveryCommand, IsTried) {
  const auto tried = command_lines();
  for (const runtime::Usage& usage : usages()) {
    const std::string form = usage.command.starts_with("sample ") ? "sample " : usage.command;
    EXPECT_TRUE(std::any_of(tried.begin(), tried.end(), [&](const auto& of) { return of.first.starts_with(form); }))
        << usage.command;
  }
}

// --help has at most 60 lines of 100 characters. --help-all has no such limit, and one line for each option.
TEST(Help, FitsOnAPage) {
  const auto all = usages();
  EXPECT_GT(all.size(), 200u);
  for (const runtime::Usage& usage : all) {
    const Ending ending = ending_of(words(usage.command + " --help"));
    EXPECT_EQ(ending.status, 0) << usage.command;
    EXPECT_NE(ending.out, "") << usage.command;
    EXPECT_LE(std::count(ending.out.begin(), ending.out.end(), '\n'), 60) << usage.command;
    std::istringstream lines(ending.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << usage.command << ": " << line;
  }
  EXPECT_EQ(ending_of(words("simulate mm1 --help")).out.find("--engine"), std::string::npos);
  EXPECT_NE(ending_of(words("simulate mm1 --help-all")).out.find("--engine"), std::string::npos);
}

}  // namespace options_tests
}  // namespace sporos::apps
