// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/cell.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

/// Recognizes cells that a person reads as a number or a missing value, but a program must not: `12%`, `1.628,5`,
/// `5.1 ms`, bounds, a dash.
namespace sporos::io {

namespace impl {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline std::string_view without_sign(std::string_view text) {
  return text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
}

/// Replaces other blanks, apostrophes, dashes and minus signs in `text` by ASCII characters.
inline std::string with_plain_marks(std::string_view text) {
  constexpr auto marks = std::to_array<std::pair<std::string_view, char>>({{"\xC2\xA0", ' '},
                                                                           {"\xE2\x80\xAF", ' '},
                                                                           {"\xE2\x80\x89", ' '},
                                                                           {"\xE2\x80\x99", '\''},
                                                                           {"\xE2\x88\x92", '-'},
                                                                           {"\xE2\x80\x93", '-'},
                                                                           {"\xE2\x80\x94", '-'}});
  std::string plain(text);
  for (const auto& [mark, character] : marks) {
    for (auto place = plain.find(mark); place != plain.npos; place = plain.find(mark, place)) {
      plain.replace(place, mark.size(), 1, character);
    }
  }
  return plain;
}

/// Length of the digits at the beginning of `text`, with single points, commas and apostrophes between them and an
/// exponent after them.
inline std::size_t numeric_prefix(std::string_view text) {
  std::size_t end = 0;
  const auto digit_at = [text](std::size_t place) { return place < text.size() && is_digit(text[place]); };
  while (digit_at(end) || (end < text.size() && std::string_view(".,'").find(text[end]) != std::string_view::npos &&
                           digit_at(end + 1))) {
    ++end;
  }
  if (end == 0 || end >= text.size() || (text[end] != 'e' && text[end] != 'E')) return end;
  const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') ? 1 : 0;
  if (!digit_at(end + 1 + sign)) return end;
  for (end += 1 + sign; digit_at(end);) ++end;
  return end;
}

/// Whether `text`, without a sign, has the form of a number with thousands separators. It begins with one to three
/// digits, the first of which is not 0; groups of three digits follow, and perhaps a different decimal mark with
/// decimals.
inline bool has_thousands(std::string_view text) {
  constexpr std::size_t group = 3;
  std::size_t place = 0;
  while (place < text.size() && is_digit(text[place])) ++place;
  if (place == 0 || place > group || text[0] == '0' || place == text.size()) return false;
  const char mark = text[place];
  if (std::string_view(".,' ").find(mark) == std::string_view::npos) return false;
  while (place < text.size() && text[place] == mark) {
    const std::string_view digits = text.substr(place + 1, group);
    if (digits.size() < group || !std::all_of(digits.begin(), digits.end(), is_digit)) return false;
    place += 1 + group;
  }
  if (place == text.size()) return true;
  if (text[place] != '.' && text[place] != ',') return false;
  const std::string_view decimals = text.substr(place + 1);
  return std::all_of(decimals.begin(), decimals.end(), is_digit);
}

/// Whether all of `text` is a number as people write it.
inline bool is_written_number(std::string_view text) {
  text = without_sign(text);
  if (text.starts_with('.') && text.size() > 1) text.remove_prefix(1);
  return (!text.empty() && numeric_prefix(text) == text.size()) || has_thousands(text);
}

/// Removes a mark from the beginning or the end of `text`. Returns false if there is none.
template <std::size_t count>
bool take_mark(std::string_view& text, const std::array<std::string_view, count>& marks) {
  for (const std::string_view mark : marks) {
    const bool begins = text.starts_with(mark);
    if (!begins && !text.ends_with(mark)) continue;
    begins ? text.remove_prefix(mark.size()) : text.remove_suffix(mark.size());
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return true;
  }
  return false;
}

/// Whether `text` is a number and a unit without blanks: 5ms, 5.1 ms, 20 m/s.
inline bool has_unit(std::string_view text) {
  constexpr std::size_t longest_unit = 12;
  text = without_sign(text);
  const std::size_t end = numeric_prefix(text);
  if (end == 0) return false;
  std::string_view unit = text.substr(end);
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  const auto is_letter = [](char c) { return static_cast<unsigned char>(c) >= 'A' && !(c >= '[' && c <= '`'); };
  return !unit.empty() && unit.size() <= longest_unit && is_letter(unit.front()) &&
         unit.find_first_of(" ,;") == std::string_view::npos;
}

}  // namespace impl

/// Whether a cell may stand for a missing value, but is not accepted because it is also used for other things: a point,
/// a dash, "missing", "none", an error of a spreadsheet.
inline bool is_placeholder(std::string_view cell) {
  constexpr std::size_t longest = 24;
  if (cell.empty() || cell.size() > longest) return false;
  const std::string text = impl::lower_case(impl::with_plain_marks(cell));
  if (text.find_first_not_of(".-*_ /") == text.npos) return true;
  if (text.starts_with('#') && (text.ends_with('!') || text.ends_with('?'))) return true;
  constexpr auto texts = std::to_array<std::string_view>({"missing", "none", "unknown", "undefined", "n.a.", "n.a",
                                                          "nd", "n.d.", "n/d", "not available", "error", "k.a."});
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

/// Returns how to correct a cell that is not a number but may be meant as a number or a missing value, as the end of a
/// message; empty for any other cell.
inline std::string_view number_remedy(std::string_view cell) {
  constexpr auto bounds = std::to_array<std::string_view>({"<=", ">=", "<", ">", "~", "\xE2\x89\xA4", "\xE2\x89\xA5"});
  constexpr auto currencies =
      std::to_array<std::string_view>({"$", "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5", "EUR", "USD", "GBP", "CHF"});
  constexpr auto percent = std::to_array<std::string_view>({"%"});
  if (is_placeholder(cell)) return "leave the field empty, or write NA, if there is no value";
  const std::string plain = impl::with_plain_marks(cell);
  std::string_view text = plain;
  if (impl::take_mark(text, bounds)) {
    return impl::is_written_number(text) || impl::has_unit(text) ? "a bound is not a value: write a number, or NA" : "";
  }
  if (text.starts_with('(') && text.ends_with(')')) {
    return impl::is_written_number(text.substr(1, text.size() - 2)) ? "write a negative number with '-' before it" : "";
  }
  if (impl::take_mark(text, percent)) {
    return impl::is_written_number(text) ? "write a percentage as a plain number, 0.05 for 5%" : "";
  }
  if (impl::take_mark(text, currencies)) return impl::is_written_number(text) ? "write it without the currency" : "";
  if (impl::has_unit(text)) return "write it without the unit";
  if (!impl::is_written_number(text)) return "";
  const std::string_view digits = impl::without_sign(text);
  if (impl::has_thousands(digits)) return "write it without thousands separators";
  if (plain != cell) return "write the sign as '-'";
  return std::count(digits.begin(), digits.end(), ',') == 1 && digits.find('.') == digits.npos ? "write a decimal point"
                                                                                               : "";
}

}  // namespace sporos::io
