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

/// Opens the file of that path for output, as the first process does for all. Empty on other processes, and if no path
/// is given. Throws io::WriteError if the file is not writable now.
inline std::optional<io::OutputFile> file_of_first(const OptionText& path) {
  if (!path || !is_first_process()) return std::nullopt;
  return std::optional<io::OutputFile>(std::in_place, *path);
}

/// Destination of a command's results, checked to be writable before there are results. The first process writes for
/// all.
class Destination {
 public:
  /// Takes the file that the option --output names, or standard output. Throws io::WriteError if it is not writable
  /// now.
  explicit Destination(const OptionText& path) {
    if (path != "-" && path != "/dev/stdout") m_file = file_of_first(path);
    const bool is_written = m_file || (path && !is_first_process());
    if (!is_written && !io::has_standard_output()) throw io::WriteError("standard output", EBADF);
  }

  /// Whether the destination is a terminal.
  bool is_terminal() const { return !m_file && ::isatty(STDOUT_FILENO) == 1; }

  /// Whether the destination is a file.
  bool is_file() const { return m_file.has_value(); }

  /// Writes `text`; a file appears with all of its contents or not at all. Throws io::WriteError if that fails.
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
