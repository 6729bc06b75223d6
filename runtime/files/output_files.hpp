// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/output_file.hpp>

#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// The option --picture, which may be given several times; in the help, `what` names the picture.
OptionEntry picture_option(const std::string& what);

/// Files for the pictures of a run, checked to be writable before there is anything to draw. The first process draws
/// for all.
class PictureFiles {
 public:
  /// Opens the files `paths`. Throws the same exceptions as io::PictureFile.
  explicit PictureFiles(const std::vector<std::string>& paths);

  /// Whether this process draws no pictures.
  bool empty() const { return m_pictures.empty(); }

  /// Draws the gnuplot script `script` to each file. Throws the same exceptions as io::PictureFile::draw.
  void draw(std::string_view script) const;

 private:
  std::vector<io::PictureFile> m_pictures;
};

/// Formats JSON as reports are written: indented by two blanks, with a final newline.
inline std::string json_text(const io::Json& json) {
  return json.dump(2, ' ', false, io::Json::error_handler_t::replace) + '\n';
}

}  // namespace sporos::runtime
