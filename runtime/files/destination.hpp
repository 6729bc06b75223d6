// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/io/output_file.hpp>

#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>

namespace sporos::runtime {

/// The file of that path, known to be writable before there is anything to write; nothing where none is asked for, and
/// on other processes than the first, which writes for all. Throws io::WriteError where it could not be written now.
inline std::optional<io::OutputFile> file_of_first(const OptionText& path) {
  if (!path || !is_first_process()) return std::nullopt;
  return std::optional<io::OutputFile>(std::in_place, *path);
}

/// Where the results go: known to be writable before they are there. Of several processes the first writes them.
class Destination {
 public:
  /// The file that the option --output names, or standard output. Throws io::WriteError where that could not be written
  /// now.
  explicit Destination(const OptionText& path) {
    if (path != "-" && path != "/dev/stdout") m_file = file_of_first(path);
    const bool is_written = m_file || (path && !is_first_process());
    if (!is_written && !io::has_standard_output()) throw io::WriteError("standard output", EBADF);
  }

  /// Whether a person would see it at once.
  bool is_terminal() const { return !m_file && ::isatty(STDOUT_FILENO) == 1; }

  /// Whether it is a file.
  bool is_file() const { return m_file.has_value(); }

  /// Writes it, all or nothing where it is a file; throws io::WriteError where that fails.
  void write(const std::string& text) const {
    if (m_file) {
      m_file->write(text);
    } else {
      io::write_standard_output(text);
    }
  }

 private:
  std::optional<io::OutputFile> m_file;
};

}  // namespace sporos::runtime
