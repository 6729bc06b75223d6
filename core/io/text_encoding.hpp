// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>

#include <boost/locale/utf.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sporos::io {

namespace impl {

/// Returns the end of the ASCII characters at the beginning of `text`, or a place a few characters before that end.
inline const char* skip_ascii(const char* text, const char* end) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::uint64_t word = 0;
  for (; end - text >= static_cast<std::ptrdiff_t>(sizeof word); text += sizeof word) {
    std::memcpy(&word, text, sizeof word);
    if ((word & high_bits) != 0) break;
  }
  return text;
}

/// Returns the first byte that does not belong to a UTF-8 character, or the end if there is none.
inline const char* find_invalid_utf8(std::string_view text) {
  const char *place = text.data(), *const end = place + text.size();
  while ((place = skip_ascii(place, end)) != end) {
    const char* const character = place;
    const auto code = boost::locale::utf::utf_traits<char>::decode(place, end);
    if (!boost::locale::utf::is_valid_codepoint(code)) return character;
  }
  return end;
}

}  // namespace impl

/// Throws std::invalid_argument, naming the line, if `text`, the contents of the file `path`, is not UTF-8. Such files
/// are in UTF-16, Latin-1 or another single-byte encoding, or hold no text at all.
inline void check_utf8(const std::string& path, std::string_view text) {
  const auto refuse = [&](const std::string& why) { throw std::invalid_argument(path + why); };
  const auto line_of = [&](const char* place) { return 1 + std::count(text.data(), place, '\n'); };
  if (text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE")) {
    refuse(" begins with a byte-order mark of UTF-16, expected UTF-8: convert it by iconv -f UTF-16 -t UTF-8");
  }
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
    refuse(fmt::format(", line {}: there is a byte 0, as in UTF-16 and in binary files, expected UTF-8",
                       line_of(text.data() + zero)));
  }
  const char* const invalid = impl::find_invalid_utf8(text);
  if (invalid == text.data() + text.size()) return;
  refuse(
      fmt::format(", line {}: the byte 0x{:02X} is not UTF-8; if the file is in Latin-1 (ISO 8859-1), convert it "
                  "by iconv -f ISO-8859-1 -t UTF-8",
                  line_of(invalid), static_cast<unsigned char>(*invalid)));
}

}  // namespace sporos::io
