// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/files/output_files.hpp>

#include <sporos/core/io/format.hpp>

namespace sporos::runtime {

OptionEntry picture_option(const std::string& what) {
  return {"Run",
          "picture",
          "FILE ...",
          fmt::format("draw {} in FILE, as SVG or PNG by its ending; may be given several times", what),
          FileUse::writes,
          Decides::run,
          Occurrence::repeated};
}

PictureFiles::PictureFiles(const std::vector<std::string>& paths) {
  if (!is_first_process()) return;
  for (const std::string& path : paths) m_pictures.emplace_back(path);
}

void PictureFiles::draw(std::string_view script) const {
  for (const io::PictureFile& picture : m_pictures) picture.draw(script);
}

}  // namespace sporos::runtime
