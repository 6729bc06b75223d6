// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Makes text of any origin fit for a one-line message.
namespace sporos::io {

/// Largest number of bytes of a message, including everything else on its line.
inline constexpr std::size_t longest_message = 500;

namespace impl {

/// Whether the byte continues a UTF-8 character that an earlier byte began.
constexpr bool goes_on_with_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u; }

/// Returns the number of bytes of the UTF-8 character at the beginning of `text`; 0 if there is none (RFC 3629).
constexpr std::size_t character_bytes(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : 4;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!goes_on_with_character(text[i])) return 0;
  }
  if (first == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
  if (first == 0xED && byte(1) > 0x9F) return 0;  // surrogate
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return bytes;
}

/// Whether the first character, of `bytes` bytes, is a control character (C0, DEL or C1), which may move a cursor or
/// ring.
constexpr bool is_control(std::string_view text, std::size_t bytes) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (bytes == 1) return first < 0x20 || first == 0x7F;
  return bytes == 2 && first == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;
}

}  // namespace impl

/// Returns `text`, without its middle if it is longer than `most` bytes: "beginning...end". Keeps whole characters;
/// `most` is at least 8.
inline std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  constexpr std::string_view gap = "...";
  std::size_t head = (most - gap.size() + 1) / 2, tail = text.size() - (most - gap.size() - head);
  while (head > 0 && impl::goes_on_with_character(text[head])) --head;
  while (tail < text.size() && impl::goes_on_with_character(text[tail])) ++tail;
  return std::string(text.substr(0, head)).append(gap).append(text.substr(tail));
}

/// Returns `message` on one line of at most `most` bytes. Line ends become blanks, and each byte of other control
/// characters and of invalid UTF-8 becomes `\xNN`. If the line is too long, its middle is left out.
inline std::string one_line(std::string_view message, std::size_t most = longest_message) {
  constexpr std::size_t enough = 4096;  // bytes kept of each end, so that a message of a megabyte costs nothing
  const std::string ends = shortened(message, 2 * enough);
  std::string line;
  for (std::string_view rest = ends; !rest.empty();) {
    const std::size_t bytes = impl::character_bytes(rest);
    if (bytes > 0 && !impl::is_control(rest, bytes)) {
      line.append(rest.substr(0, bytes));
    } else if (rest[0] == '\n') {
      line += ' ';
    } else {
      for (const char byte : rest.substr(0, bytes == 0 ? 1 : bytes)) {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto value = static_cast<unsigned char>(byte);
        line.append("\\x").append(1, digits[value >> 4u]).append(1, digits[value & 15u]);
      }
    }
    rest.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return shortened(line, most);
}

}  // namespace sporos::io
