// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "process.hpp"
#include "result_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

/// Results of `sporos select`.
namespace sporos::test {

/// Command line that selects among the 105 tandem lines of three stations whose rates sum to 8 and buffers to 6.
inline const std::string some_lines =
    "select tandem-line --warm-up 100 --over rate-1=1:6 --over rate-2=1:6 --over rate-3=1:6 --over buffer-2=1:5 --over "
    "buffer-3=1:5 --sum rate-1+rate-2+rate-3=8 --sum buffer-2+buffer-3=6 ";

/// JSON result of `program` for a command line whose words may be in single quotes.
inline nlohmann::ordered_json selection_by(const std::string& program, const std::string& line) {
  const Outcome outcome = run(program, quoted_words(line + " --format json"));
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  return nlohmann::ordered_json::parse(outcome.out);
}

/// Row of the selected system; null if there is none.
inline nlohmann::ordered_json selected_by(const nlohmann::ordered_json& result) {
  const auto& survivors = rows_of(result, "survivors");
  return survivors.empty() ? nlohmann::ordered_json() : survivors.front();
}

/// A result without the members that differ between runs and machines.
inline nlohmann::ordered_json without_machine(nlohmann::ordered_json result) {
  for (const auto* name : {"machine", "seconds"}) result.erase(name);
  result["findings"].erase("seconds_in_replications");
  for (nlohmann::ordered_json& stage : result["tables"]["stages"]["rows"]) stage.erase("seconds");
  return result;
}

}  // namespace sporos::test
