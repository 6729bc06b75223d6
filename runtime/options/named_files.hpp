// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace sporos::runtime {

/// How a command uses the file that an argument names.
enum class FileUse {
  reads,         ///< reads it as input
  resumes,       ///< continues from the state in it
  writes,        ///< replaces it
  saves,         ///< replaces it by a state; may be the file with the resumed state
  keeps,         ///< uses it for checkpoints, with companion files next to it
  writes_series  ///< writes several files whose names begin with the argument
};

/// A file that an argument names.
struct NamedFile {
  std::string argument;  ///< name of the argument in messages
  std::string path;      ///< path as the user wrote it
  FileUse use;           ///< how the command uses the file
};

/// All files that the arguments of a command name.
using NamedFiles = std::vector<NamedFile>;

/// Throws std::invalid_argument if a file that is read would be written, or if a file would be written twice. Standard
/// output and the companions of checkpoints are included. Files are compared by identity and not by path, so that links
/// are followed. Character devices, such as terminals and /dev/null, do not conflict: they hold no data that could be
/// lost.
void check_files(const NamedFiles& files);

}  // namespace sporos::runtime
