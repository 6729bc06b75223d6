// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/comparison.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <stdexcept>

namespace sporos::runtime {

void refuse_constraint(const std::string& text, const std::string& expected) {
  throw std::invalid_argument(fmt::format("--subject-to is {}, expected {}", io::in_quotes(text), expected));
}

Comparison comparison_of(const std::string& text) {
  const auto first = text.find_first_of("<>=");
  if (first != std::string::npos) {
    const auto after = std::min(text.find_first_not_of("<>=", first), text.size());
    const std::string sign = text.substr(first, after - first);
    const bool is_known = sign == "<=" || sign == ">=" || sign == "=" || sign == "==";
    if (is_known && text.find_first_of("<>=", after) == std::string::npos)
      return {text.substr(0, first), sign == "==" ? "=" : sign, text.substr(after)};
  }
  refuse_constraint(text, "two expressions with <=, >= or = between them");
}

}  // namespace sporos::runtime
