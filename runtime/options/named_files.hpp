// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace sporos::runtime {

/// What a command does with the file that one of its arguments names.
enum class FileUse {
  reads,         ///< takes it as input
  resumes,       ///< goes on from the state in it
  writes,        ///< replaces it
  saves,         ///< replaces it by a state, which may be the one that was resumed
  keeps,         ///< keeps its checkpoint there, and companions beside it
  writes_series  ///< writes several files, whose names begin with what is named
};

/// A file that an argument names.
struct NamedFile {
  std::string argument;  ///< as messages call it
  std::string path;      ///< as the user wrote it
  FileUse use;           ///< by the command
};

/// The files that the arguments of a command name.
using NamedFiles = std::vector<NamedFile>;

/// Throws std::invalid_argument where a file that is read would be written, or one would be written twice, standard
/// output and companions of checkpoints included. Files are told apart by what they are and not by their paths, so that
/// links are seen through. Character devices, such as terminals and /dev/null, hold nothing that could be lost.
void check_files(const NamedFiles& files);

}  // namespace sporos::runtime
