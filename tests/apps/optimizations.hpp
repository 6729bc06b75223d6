// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "process.hpp"
#include "result_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

/// Runs `sporos optimize`. The default program has one thread, because tests share the machine.
namespace sporos::test {

using Json = nlohmann::ordered_json;

/// Runs a program with the words of `line`, in which text in single quotes is one argument.
inline Outcome run_line(const std::string& program, const std::string& line) {
  return run(program, quoted_words(line));
}

/// File of daily returns in the project's sample data.
inline const std::string daily_returns = SPOROS_SAMPLE_DATA "/returns.csv";

/// Arguments for a bakery's newsvendor problem.
inline const std::string bakery =
    "newsvendor --products " SPOROS_SAMPLE_DATA "/bakery_products.csv --resources " SPOROS_SAMPLE_DATA
    "/bakery_resources.csv --amounts " SPOROS_SAMPLE_DATA "/bakery_amounts.csv";

/// Report of an optimization as written. The optimization must succeed.
inline std::string optimized_text(const std::string& line, const std::string& format = "json",
                                  const std::string& program = first_program) {
  const auto outcome = run(program, words("optimize " + line + " --format " + format));
  EXPECT_EQ(outcome.status, 0) << line;
  EXPECT_EQ(outcome.error, "") << line;
  return outcome.out;
}

/// Report of an optimization, parsed from JSON.
inline Json optimized(const std::string& line, const std::string& program = first_program) {
  return Json::parse(optimized_text(line, "json", program));
}

/// Text of a report without the members that depend on the clock and the machine.
inline std::string lasting_part(Json report) {
  EXPECT_TRUE(report.contains("machine") || report.contains("run"));
  erase_times(report);
  return report.dump();
}

/// Points of a result's trajectory.
inline const Json& trajectory_of(const Json& result) { return result["tables"]["trajectory"]["rows"]; }

/// Names and values of the nonzero coordinates of a Frank–Wolfe solution, the largest first.
inline std::vector<std::pair<std::string, double>> solution_of(const Json& result) {
  std::vector<std::pair<std::string, double>> solution;
  for (const auto& row : result["tables"]["solution"]["rows"])
    solution.emplace_back(row.begin()->get<std::string>(), std::next(row.begin())->get<double>());
  return solution;
}

/// Solution including zeros, in the order of the coordinate numbers of a generated instance.
inline std::vector<double> numbered_solution(const Json& result) {
  std::vector<double> solution(result["settings"]["dimension"].get<std::size_t>());
  for (const auto& [name, value] : solution_of(result))
    solution.at(std::stoul(name.substr(name.find(' '))) - 1) = value;
  return solution;
}

/// Answer of a search over parameters of a model: the value of each decision variable.
inline Json decisions_of(const Json& found) {
  Json decisions = rows_of(found, "answer")[0];
  decisions.erase("objective");
  decisions.erase("half_width");
  return decisions;
}

/// Value of one decision variable in the answer.
inline double decided(const Json& found, const std::string& name) {
  return rows_of(found, "answer")[0][name].get<double>();
}

/// Objective "at these decisions", "at the start", or its "improvement"; null if the result has none.
inline Json objective_of(const Json& found, const std::string& at = "at these decisions") {
  for (const Json& row : rows_of(found, "objective")) {
    if (row["at"] == at) return row;
  }
  return {};
}

/// Whether a note of the result contains a text.
inline bool has_note(const Json& found, const std::string& text) {
  for (const Json& note : found["notes"]) {
    if (note.get<std::string>().find(text) != std::string::npos) return true;
  }
  return false;
}

}  // namespace sporos::test
