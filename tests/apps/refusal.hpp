// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "process.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

/// Bad input, which is answered by one line and exit status 2.
namespace sporos::test {

/// How the message about a whole number ends that must be at least 0, and at least 1.
inline const std::string natural_number = "expected a whole number from 0 to 9223372036854775807";
inline const std::string positive_number = "expected a whole number from 1 to 9223372036854775807";

/// Words of a command line that is refused, and the whole message (without "sporos: ").
struct Refusal {
  std::string line;     ///< without "sporos"
  std::string message;  ///< one sentence
};

/// As a test's name has it.
inline void PrintTo(const Refusal& refusal, std::ostream* stream) { *stream << refusal.line; }

/// Whether a program refused its input with that message.
inline void expect_refusal(const Outcome& outcome, const std::string& message) {
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error, "sporos: " + message + "\n");
  EXPECT_EQ(lines_of(outcome.error), 1);
}

}  // namespace sporos::test
