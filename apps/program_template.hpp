// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string_view>

namespace sporos::apps {

/// A file of new_program/.
struct TemplateFile {
  std::string_view name;  ///< name in the folder
  std::string_view text;  ///< contents
};

/// Returns all files of new_program/, which CMake compiles in.
std::span<const TemplateFile> template_files();

}  // namespace sporos::apps
