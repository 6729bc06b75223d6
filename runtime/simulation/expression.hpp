// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mu {
class Parser;
}

namespace sporos::runtime {

/// Whether two names are equal if blanks, dashes and underscores count as the same character.
bool is_same_name(std::string_view a, std::string_view b);

/// An arithmetic expression over named numbers, with the functions and operators of muParser. Names may contain blanks
/// and dashes, which underscores also match. If several names match, the longest one is used.
class Expression {
 public:
  /// Parses `text`; `what` names it in messages. Throws std::invalid_argument, with the position in the text, if it is
  /// not an expression over `names`.
  Expression(std::string what, std::string_view text, std::span<const std::string> names);
  Expression(Expression&&) noexcept;
  ~Expression();

  /// The text that was parsed.
  const std::string& text() const { return m_text; }

  /// Whether the expression uses any of the names with indices [begin, end).
  bool uses_any(std::size_t begin, std::size_t end) const;

  /// Evaluates the expression with one value for each name. The result is not finite if the expression is undefined
  /// there.
  double operator()(std::span<const double> values);

 private:
  [[noreturn]] void refuse(const std::string& why, std::size_t place) const;

  std::string m_what, m_text;
  std::vector<double> m_values;  // the parser's variables; it refers to them by address
  std::vector<bool> m_is_used;
  std::unique_ptr<mu::Parser> m_parser;
};

}  // namespace sporos::runtime
