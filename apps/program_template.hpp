// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string_view>

namespace sporos::apps {

/// A file of new_program/.
struct TemplateFile {
  std::string_view name;  ///< in its folder
  std::string_view text;  ///< as it is there
};

/// All of them, which CMake compiles in.
std::span<const TemplateFile> template_files();

}  // namespace sporos::apps
