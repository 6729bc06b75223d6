// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_encoding.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

namespace sporos::io {

/// Default limit of the size of files in MiB. No text that a person writes is larger.
inline constexpr std::size_t max_mebibytes_of_text = 256;

/// Kinds of files that are read.
enum class FileContents {
  text,  ///< text, in which no byte is 0
  bytes  ///< any bytes
};

/// Reads a whole file, or a pipe until its end. Throws std::invalid_argument if it cannot be read, is larger than
/// `max_mebibytes`, or is larger than three quarters of the host's free memory; the rest is for data made from it. A
/// text is refused at its first byte that is 0, before all of it is read, since a device may have no end.
inline std::string read_text_file(const std::string& path, std::size_t max_mebibytes = max_mebibytes_of_text,
                                  FileContents contents = FileContents::text) {
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument("cannot read " + in_quotes(path) + ": " + why);
  };
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) refuse(std::strerror(errno));
  const std::uint64_t affordable = memory_of<Kokkos::HostSpace>().free / 4 * 3,
                      most = std::uint64_t{max_mebibytes} << 20;
  std::string text;
  std::string part(std::size_t{1} << 16, '\0');
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), file.get())) {
    text.append(part, 0, count);
    if (contents == FileContents::text && part.find('\0') < count) check_utf8(path, text);
    if (text.size() > most) refuse("it is larger than " + std::to_string(max_mebibytes) + " MiB");
    if (text.size() > affordable) {
      refuse("it is larger than " + bytes_text(static_cast<double>(affordable)) +
             ", three quarters of the free memory");
    }
  }
  if (std::ferror(file.get())) refuse(std::strerror(errno));
  return text;
}

}  // namespace sporos::io
