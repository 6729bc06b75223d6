// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/comparison.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace sporos::runtime {

namespace {

constexpr std::string_view signs = "<>=";

// Returns the index of the first comparison operator outside parentheses at or after index `from`; npos if there is
// none.
std::size_t find_sign(const std::string& text, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && signs.find(text[i]) != std::string_view::npos) return i;
  }
  return std::string::npos;
}

}  // namespace

void refuse_constraint(const std::string& text, const std::string& expected) {
  throw std::invalid_argument(fmt::format("--subject-to is {}, expected {}", io::in_quotes(text), expected));
}

std::optional<Comparison> sides_of(const std::string& text) {
  const auto first = find_sign(text, 0);
  if (first == std::string::npos) return std::nullopt;
  const auto after = std::min(text.find_first_not_of(signs, first), text.size());
  const std::string sign = text.substr(first, after - first);
  const bool is_known = sign == "<" || sign == ">" || sign == "<=" || sign == ">=" || sign == "=" || sign == "==";
  if (!is_known || find_sign(text, after) != std::string::npos) return std::nullopt;
  return Comparison{text.substr(0, first), sign == "==" ? "=" : sign, text.substr(after)};
}

Comparison comparison_of(const std::string& text) {
  if (const auto sides = sides_of(text); sides && sides->sign != "<" && sides->sign != ">") return *sides;
  refuse_constraint(text, "two expressions with <=, >= or = between them");
}

}  // namespace sporos::runtime
