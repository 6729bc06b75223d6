// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/io/gnuplot.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// The option --picture, which may be given several times; `what` is drawn.
OptionEntry picture_option(const std::string& what);

/// The pictures that a run leaves, known to be writable before there is anything to draw. Of several processes the
/// first draws them.
class PictureFiles {
 public:
  /// In the files `paths`; throws as io::PictureFile does.
  explicit PictureFiles(const std::vector<std::string>& paths);

  /// Whether there is nothing to draw.
  bool empty() const { return m_pictures.empty(); }

  /// Draws what `script` tells gnuplot on each of them; throws as io::PictureFile::draw does.
  void draw(std::string_view script) const;

 private:
  std::vector<io::PictureFile> m_pictures;
};

}  // namespace sporos::runtime
