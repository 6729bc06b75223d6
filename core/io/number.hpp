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

/// Numbers as text, to the last bit: independent of any locale, and read whole or not at all.
namespace sporos::io {

/// `text` in quotes for a message of one line: cut where it is long, with '?' for what does not print.
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string shown(text.substr(0, longest));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  }
  return "'" + shown + (text.size() > longest ? "...'" : "'");
}

/// The number that `text` is, all of it, or none where it is no number or does not fit.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return stop == end && error == std::errc() ? std::optional(number) : std::nullopt;
}

/// The number that `text` is, all of it: of a floating-point type in decimal or scientific notation (nan and inf
/// included), or of an integer type in decimal and in [least, most].
/// Throws std::invalid_argument, which calls the number `what`.
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

/// The shortest decimal text that reads back as the same bits.
inline std::string shortest_text(double value) { return fmt::format("{}", value); }

/// The value in hexadecimal floating point, as C's %a has it: 0x1.8p+1 for 3.
inline std::string hexadecimal_text(double value) { return fmt::format("{:a}", value); }

/// Sixteen hexadecimal digits.
inline std::string bits_text(std::uint64_t bits) { return fmt::format("{:016x}", bits); }

/// The sixteen hexadecimal digits of the value's bits.
inline std::string bits_text(double value) { return bits_text(std::bit_cast<std::uint64_t>(value)); }

}  // namespace sporos::io
