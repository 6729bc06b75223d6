// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/io/gnuplot.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

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

}  // namespace sporos::runtime
