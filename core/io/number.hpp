// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

/// Converts numbers to text and back to the same bits, independently of any locale. Texts are read completely or not at
/// all.
namespace sporos::io {

/// Returns `text` in quotes for a one-line message, shortened if it is long, with '?' in place of control characters.
inline std::string in_quotes(std::string_view text) {
  std::size_t longest = 60;
  // A character of several UTF-8 bytes is not split.
  if (text.size() > longest) {
    while (longest > 56 && (static_cast<unsigned char>(text[longest]) & 0xC0) == 0x80) --longest;
  }
  std::string shown(text.substr(0, longest));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  }
  return "'" + shown + (text.size() > longest ? "...'" : "'");
}

/// Returns the number that all of `text` represents, or nothing if it is not a number or does not fit.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return stop == end && error == std::errc() ? std::optional(number) : std::nullopt;
}

/// Returns the number that all of `text` represents. Floating-point types accept decimal and scientific notation, nan
/// and inf; integer types accept decimal numbers in [least, most]. Throws std::invalid_argument, in which `what` names
/// the number.
template <class Number>
Number parse_number(std::string_view what, std::string_view text, Number least = std::numeric_limits<Number>::lowest(),
                    Number most = std::numeric_limits<Number>::max()) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool is_number = stop == end && !text.empty() && error != std::errc::invalid_argument;
  const auto refuse = [&](const std::string& expected) {
    throw std::invalid_argument(fmt::format("{} is {}, expected {}", what, in_quotes(text), expected));
  };
  if constexpr (std::is_floating_point_v<Number>) {
    if (!is_number) refuse("a number");
    if (error != std::errc()) refuse("a number that fits double precision");
  } else {
    const bool is_bounded = std::is_unsigned_v<Number> || least > std::numeric_limits<Number>::lowest();
    if (!is_number || error != std::errc() || number < least || number > most) {
      const bool is_plain = !is_bounded && !is_number;
      refuse(is_plain ? "a whole number" : fmt::format("a whole number from {} to {}", least, most));
    }
  }
  return number;
}

/// Returns the shortest decimal text that reads back as the same bits.
inline std::string shortest_text(double value) { return fmt::format("{}", value); }

/// Returns the value in hexadecimal floating point, as C's %a prints it: 0x1.8p+1 for 3.
inline std::string hexadecimal_text(double value) { return fmt::format("{:a}", value); }

/// Returns the bits as sixteen hexadecimal digits.
inline std::string bits_text(std::uint64_t bits) { return fmt::format("{:016x}", bits); }

/// Returns the bits of the value as sixteen hexadecimal digits.
inline std::string bits_text(double value) { return bits_text(std::bit_cast<std::uint64_t>(value)); }

}  // namespace sporos::io
