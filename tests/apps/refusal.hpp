// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "process.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

/// Checks that bad input is refused with one line on standard error and exit status 2.
namespace sporos::test {

/// Ends of messages about whole numbers that must be at least 0, and at least 1.
inline const std::string natural_number = "expected a whole number from 0 to 9223372036854775807";
inline const std::string positive_number = "expected a whole number from 1 to 9223372036854775807";

/// A command line that must be refused, and the expected message without "sporos: ".
struct Refusal {
  std::string line;     ///< command line without "sporos"
  std::string message;  ///< expected message, one sentence
};

/// Shows a refusal by its command line in GoogleTest's output.
inline void PrintTo(const Refusal& refusal, std::ostream* stream) { *stream << refusal.line; }

/// Expects exit status 2, no standard output, and `message` as the only line on standard error.
inline void expect_refusal(const Outcome& outcome, const std::string& message) {
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error, "sporos: " + message + "\n");
  EXPECT_EQ(lines_of(outcome.error), 1);
}

}  // namespace sporos::test
