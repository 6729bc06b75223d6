// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>

namespace sporos::runtime {

/// A comparison from the command line, split at its operator.
struct Comparison {
  std::string left;   ///< left expression
  std::string sign;   ///< operator: <=, >= or =; from sides_of also < or >
  std::string right;  ///< right expression
};

/// Splits a string with one comparison operator outside parentheses. Returns std::nullopt for other strings.
std::optional<Comparison> sides_of(const std::string& text);

/// Splits "left <= right". Throws std::invalid_argument, naming --subject-to, if the string does not have exactly one
/// comparison with <=, >= or =.
Comparison comparison_of(const std::string& text);

/// Throws std::invalid_argument with the message "--subject-to is `text`, expected `expected`".
[[noreturn]] void refuse_constraint(const std::string& text, const std::string& expected);

}  // namespace sporos::runtime
