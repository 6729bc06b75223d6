// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>

namespace sporos::runtime {

/// A comparison that a user wrote, split at its sign.
struct Comparison {
  std::string left;   ///< left expression
  std::string sign;   ///< <=, >= or =; sides_of returns < and > too
  std::string right;  ///< right expression
};

/// Splits a text with one comparison outside parentheses. Returns nothing for other texts.
std::optional<Comparison> sides_of(const std::string& text);

/// Splits "left <= right". Throws std::invalid_argument, naming --subject-to, if the text does not have exactly one
/// comparison with <=, >= or =.
Comparison comparison_of(const std::string& text);

/// Throws std::invalid_argument with the message "--subject-to is `text`, expected `expected`".
[[noreturn]] void refuse_constraint(const std::string& text, const std::string& expected);

}  // namespace sporos::runtime
