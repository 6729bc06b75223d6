// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The help states the defaults of the code: an option that is given its stated default changes nothing.
#include "optimizations.hpp"

#include <harness/long_tests.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace sporos::test {
namespace defaults_tests {

/// A command, as words for its help, and arguments for a call.
struct Call {
  std::string help, arguments;
};

/// An option and the defaults that its help states. There are several values if they depend on the case.
struct StatedDefault {
  std::string option;
  std::vector<std::string> values;
};

// The first and the last word of each part of a text such as "10 with --returns, else 1".
std::vector<std::string> values_in(const std::string& text) {
  static const std::regex part("[^,;()]+"), value("[a-z0-9.:+-]+");
  std::vector<std::string> values;
  for (std::sregex_iterator found(text.begin(), text.end(), part), end; found != end; ++found) {
    const std::vector<std::string> all = words(found->str());
    if (all.empty()) continue;
    for (const std::string& word : {all.front(), all.back()}) {
      if (std::regex_match(word, value) && std::ranges::find(values, word) == values.end()) values.push_back(word);
    }
  }
  return values;
}

std::vector<StatedDefault> stated_defaults(const std::string& help) {
  static const std::regex option("\n  --([a-z0-9-]+) \\S+ +([^\n]*)"), stated(".*(?:usually|default:) (.*)");
  std::vector<StatedDefault> found;
  for (std::sregex_iterator next(help.begin(), help.end(), option), end; next != end; ++next) {
    const std::string text = (*next)[2];
    std::smatch match;
    if (std::regex_match(text, match, stated)) found.push_back({(*next)[1], values_in(match[1])});
  }
  return found;
}

// JSON without the values that depend on the clock.
std::string lasting_text(const std::string& json) {
  static const std::regex clock("\"[a-z_]*seconds?[a-z_]*\": *[^,\n]*");
  return std::regex_replace(json, clock, "");
}

// Options whose default is not the one in `help`. Adds those that the call accepts to `tried`.
std::vector<std::string> wrong_defaults(const std::string& line, const std::string& help,
                                        std::set<std::string>& tried) {
  const Outcome by_default = run(first_program, quoted_words(line));
  EXPECT_EQ(by_default.status, 0) << line << ": " << by_default.error;
  std::vector<std::string> wrong;
  for (const auto& [option, values] : stated_defaults(help)) {
    const std::string flag = " --" + option + " ";
    if (line.find(flag) != std::string::npos) continue;
    bool is_taken = false, is_same = false;
    for (std::size_t i = 0; i < values.size() && !is_same; ++i) {
      const Outcome given = run(first_program, quoted_words(line + flag + values[i]));
      if (given.status != 0) continue;  // the call does not accept the option
      is_taken = true;
      is_same = lasting_text(given.out) == lasting_text(by_default.out);
    }
    if (is_taken) tried.insert(words(line)[1] + flag);
    if (is_taken && !is_same) wrong.push_back(option);
  }
  return wrong;
}

std::vector<Call> short_calls() {
  return {{"optimize portfolio", "--assets 3 --iterations 2 --gap-batch-size 20 --gap-iterations 2"},
          {"optimize portfolio", "--assets 3 --moments exact"},
          {"optimize newsvendor", "--product-count 3 --epochs 2 --iterations 5 --gap-batches 4 --gap-iterations 2"}};
}

std::vector<Call> all_calls() {
  const std::string data = SPOROS_SAMPLE_DATA, returns = "--returns " + data + "/returns.csv",
                    classes = "--data " + data + "/breast_cancer.csv",
                    systems = "--customers 50 --over servers=1:3 --largest 'mean wait' ",
                    decisions = "--customers 20 --over service-rate=0.6:4 --replications 300 ";
  std::vector<Call> calls{
      {"simulate mm1", "--customers 20 --replications 100"},
      {"simulate mm1", "--customers 20 --replications 64 --sampling refined-descriptive"},
      {"simulate mm1", "--customers 20 --precision 0.5"},
      {"simulate mm1", "--customers 20 --quantiles 0.5 --quantile-precision 0.5"},
      {"rare-event mm1", "--customers 20 --event 'time in queue > 3'"},
      {"sensitivity mm1", "--customers 20 --replications 64 --uncertain arrival-rate=0.3:0.5"},
      {"simulate event-mmck", "--customers 20 --replications 100"},
      {"optimize portfolio", "--assets 3 --epochs 2 --iterations 5"},
      {"optimize portfolio", "--assets 3 --gap-batch-size 20 --gap-iterations 2"},
      {"optimize portfolio", "--assets 3 --moments exact --region l2-ball"},
      {"optimize portfolio", returns},
      {"optimize portfolio", returns + " --days drawn --epochs 3 --gap-batch-size 20 --gap-iterations 2"},
      {"optimize newsvendor", "--product-count 3 --gap-batch-size 20 --gap-iterations 2"},
      {"optimize newsvendor", "--demands " + data + "/bakery_demands.csv --price 3 --cost 1"},
      {"optimize classification", classes},
      {"optimize classification", classes + " --optimizer lbfgs"},
      {"optimize mm1", decisions + "--minimize 'time in system + service_rate'"},
      {"optimize mm1", decisions + "--minimize service-rate --subject-to 'time in queue <= 1'"},
      {"select mmck", systems + "--delta 0.1"},
      {"select mmck", systems + "--delta 0.1 --procedure kn"},
      {"select mmck", systems + "--delta 0.1 --procedure kt"},
      {"select mmck", systems + "--procedure bi-pass"},
      {"select mmck", systems + "--procedure ocba --budget 200"},
      {"select mmck", systems + "--procedure fbkt --budget 200"},
      {"compare-solvers", "--solvers adam,spsa --problems mm1 --macroreplications 3 --budget 200"},
      {"fit", data + "/galaxies.csv"}};
  const std::vector<Call> others = short_calls();
  calls.insert(calls.end(), others.begin(), others.end());
  return calls;
}

// Options whose defaults cannot be checked this way. A given --low changes where Frank–Wolfe begins, even if these
// lower bounds of weights hold anyway. A given --gap-tolerance is not relative to the objective. The defaults of --high
// and --penalty are not numbers: the limit of the weights, and 1 / N for N rows.
const std::set<std::string> left_out{"low", "gap-tolerance", "high", "penalty"};

// Checks two problems, or with SPOROS_LONG_TESTS all commands that end immediately.
TEST(Defaults, AreThoseOfTheHelp) {
  std::set<std::string> tried;
  for (const Call& call : are_tests_long() ? all_calls() : short_calls()) {
    const std::string line = call.help + " " + call.arguments + " --format json";
    for (const std::string& option :
         wrong_defaults(line, run(first_program, words(call.help + " --help-all")).out, tried))
      EXPECT_TRUE(left_out.contains(option)) << line << ": --" << option;
  }
  EXPECT_GT(tried.size(), are_tests_long() ? 100u : 25u);
}

// Control: a wrong default is found.
TEST(Defaults, ThatAreWrongAreFound) {
  std::set<std::string> tried;
  const std::string line = "optimize newsvendor --product-count 3 --epochs 2 --gap-batches 0 --format json",
                    right = "\n  --iterations M    of each epoch; default: 250; 25 if nothing is sampled\n",
                    wrong = "\n  --iterations M    of each epoch; default: 251; 25 if nothing is sampled\n";
  EXPECT_EQ(wrong_defaults(line, wrong, tried), (std::vector<std::string>{"iterations"}));
  EXPECT_TRUE(wrong_defaults(line, right, tried).empty());
}

}  // namespace defaults_tests
}  // namespace sporos::test
