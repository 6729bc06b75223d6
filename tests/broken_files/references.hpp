// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Oracles that decide what is a number, a CSV file or a JSON text, by grammars that are independent of the readers.
namespace sporos::test {

namespace impl {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline std::size_t skip_digits(std::string_view text, std::size_t place) {
  while (place < text.size() && is_digit(text[place])) ++place;
  return place;
}

}  // namespace impl

/// Value of `text` if its form is [sign] digits [. digits] [e [sign] digits], with digits before or after the point.
inline std::optional<double> reference_number(std::string text, char point = '.') {
  std::size_t place = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const std::size_t whole = place;
  place = impl::skip_digits(text, place);
  std::size_t digits = place - whole;
  if (place < text.size() && text[place] == point) {
    text[place] = '.';
    const std::size_t fraction = ++place;
    place = impl::skip_digits(text, place);
    digits += place - fraction;
  }
  if (digits == 0) return std::nullopt;
  if (place < text.size() && (text[place] == 'e' || text[place] == 'E')) {
    if (++place < text.size() && (text[place] == '+' || text[place] == '-')) ++place;
    const std::size_t exponent = place;
    place = impl::skip_digits(text, place);
    if (place == exponent) return std::nullopt;
  }
  if (place != text.size()) return std::nullopt;
  return std::strtod(text.c_str(), nullptr);
}

/// Records of `text` by RFC 4180, with lines that end with LF or CRLF, and without blanks around fields. records()
/// returns nothing if the text is not CSV. A blank line is a record of one empty field.
class ReferenceCsv {
 public:
  using Records = std::vector<std::vector<std::string>>;

  ReferenceCsv(std::string_view text, char separator) : m_text(text), m_separator(separator) {}

  std::optional<Records> records() {
    Records records;
    do {
      records.emplace_back();
      do {
        auto field = is_quoted() ? quoted() : plain();
        if (!field) return std::nullopt;
        records.back().push_back(std::move(*field));
      } while (takes(m_separator));
      while (takes('\r')) {
      }
      if (m_place < m_text.size() && m_text[m_place] != '\n') return std::nullopt;
    } while (takes('\n') && m_place < m_text.size());
    return records;
  }

 private:
  bool takes(char c) {
    if (m_place == m_text.size() || m_text[m_place] != c) return false;
    ++m_place;
    return true;
  }
  void skip_blanks() {
    while (m_place < m_text.size() && is_blank(m_text[m_place])) ++m_place;
  }
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != m_separator; }
  bool is_quoted() {
    skip_blanks();
    return m_place < m_text.size() && m_text[m_place] == '"';
  }

  std::optional<std::string> plain() {
    const std::size_t end =
        std::min(m_text.find_first_of(std::string{m_separator, '\n', '\r'}, m_place), m_text.size());
    std::string field(m_text.substr(m_place, end - m_place));
    while (!field.empty() && is_blank(field.back())) field.pop_back();
    m_place = end;
    return field.find('"') == std::string::npos ? std::optional(field) : std::nullopt;
  }

  std::optional<std::string> quoted() {
    std::string field;
    for (++m_place; m_place < m_text.size(); ++m_place) {
      const char c = m_text[m_place];
      if (c == '"' && (m_place + 1 == m_text.size() || m_text[m_place + 1] != '"')) {
        ++m_place;
        skip_blanks();
        const bool ends = m_place == m_text.size() || m_text[m_place] == m_separator || m_text[m_place] == '\n' ||
                          m_text[m_place] == '\r';
        return ends ? std::optional(field) : std::nullopt;
      }
      if (c == '"') ++m_place;
      field += c;
    }
    return std::nullopt;
  }

  std::string_view m_text;
  char m_separator;
  std::size_t m_place = 0;
};

/// Checks whether a text is JSON by RFC 8259, except for the characters within strings.
class ReferenceJson {
 public:
  explicit ReferenceJson(std::string_view text) : m_text(text) {}

  bool is_json() {
    const bool is_value = value(0);
    blanks();
    return is_value && m_place == m_text.size();
  }

 private:
  static constexpr int deepest = 10'000;

  void blanks() { m_place = std::min(m_text.find_first_not_of(" \t\r\n", m_place), m_text.size()); }
  bool takes(std::string_view what) {
    if (!m_text.substr(m_place).starts_with(what)) return false;
    m_place += what.size();
    return true;
  }

  bool value(int depth) {
    blanks();
    if (depth > deepest || m_place == m_text.size()) return false;
    if (takes("{")) return members("}", [&] { return text() && (blanks(), takes(":")) && value(depth + 1); });
    if (takes("[")) return members("]", [&] { return value(depth + 1); });
    if (m_text[m_place] == '"') return text();
    return takes("true") || takes("false") || takes("null") || number();
  }

  template <class Member>
  bool members(std::string_view end, const Member& member) {
    blanks();
    if (takes(end)) return true;
    do {
      blanks();
      if (!member()) return false;
      blanks();
    } while (takes(","));
    return takes(end);
  }

  bool text() {
    if (!takes("\"")) return false;
    for (; m_place < m_text.size() && m_text[m_place] != '"'; ++m_place) {
      if (static_cast<unsigned char>(m_text[m_place]) < ' ') return false;
      if (m_text[m_place] == '\\' && !escape()) return false;
    }
    return takes("\"");
  }

  bool escape() {
    ++m_place;
    if (m_place == m_text.size()) return false;
    if (m_text[m_place] != 'u') return std::string_view("\"\\/bfnrt").find(m_text[m_place]) != std::string_view::npos;
    for (int digit = 0; digit < 4; ++digit) {
      if (++m_place == m_text.size() || std::isxdigit(static_cast<unsigned char>(m_text[m_place])) == 0) return false;
    }
    return true;
  }

  bool number() {
    const std::size_t end = std::min(m_text.find_first_not_of("+-.0123456789eE", m_place), m_text.size());
    const std::string digits(m_text.substr(m_place, end - m_place));
    m_place = end;
    const std::size_t first = digits.starts_with('-') ? 1 : 0;
    const bool begins = first < digits.size() && impl::is_digit(digits[first]);
    const bool has_zero =
        begins && digits[first] == '0' && first + 1 < digits.size() && impl::is_digit(digits[first + 1]);
    const auto point = digits.find('.');
    const bool ends = point == std::string::npos || (point + 1 < digits.size() && impl::is_digit(digits[point + 1]));
    return begins && !has_zero && ends && reference_number(digits).has_value();
  }

  std::string_view m_text;
  std::size_t m_place = 0;
};

}  // namespace sporos::test
