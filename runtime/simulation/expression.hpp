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

/// Whether two names are the same where blanks, dashes and underscores are alike.
bool is_same_name(std::string_view a, std::string_view b);

/// An arithmetic expression over named numbers, parsed by muParser, whose functions and operators it has. Names may
/// hold blanks and dashes, which underscores match, too; where several names fit, the longest is meant.
class Expression {
 public:
  /// Of `text`, which messages call `what`. Throws std::invalid_argument, with the place in the text, where it is no
  /// expression over `names`.
  Expression(std::string what, std::string_view text, std::span<const std::string> names);
  Expression(Expression&&) noexcept;
  ~Expression();

  /// The text.
  const std::string& text() const { return m_text; }

  /// Whether the value depends on any of the names [begin, end).
  bool uses_any(std::size_t begin, std::size_t end) const;

  /// The value where the names stand for these numbers; not finite where it has none.
  double operator()(std::span<const double> values);

 private:
  [[noreturn]] void refuse(const std::string& why, std::size_t place) const;

  std::string m_what, m_text;
  std::vector<double> m_values;  // that the parser refers to
  std::vector<bool> m_is_used;
  std::unique_ptr<mu::Parser> m_parser;
};

}  // namespace sporos::runtime
