// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>

namespace sporos::runtime {

/// A constraint that a user wrote, taken apart.
struct Comparison {
  std::string left;   ///< expression
  std::string sign;   ///< <=, >= or =; of sides_of < and > too
  std::string right;  ///< expression
};

/// Of a text with one comparison outside parentheses; nothing for others.
std::optional<Comparison> sides_of(const std::string& text);

/// Of "left <= right". Throws std::invalid_argument, naming --subject-to, for what has not one comparison.
Comparison comparison_of(const std::string& text);

/// Throws std::invalid_argument: --subject-to is `text`, expected something else.
[[noreturn]] void refuse_constraint(const std::string& text, const std::string& expected);

}  // namespace sporos::runtime
