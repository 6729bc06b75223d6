// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace sporos::runtime {

/// How a program was compiled.
struct Build {
  std::string compiler;        ///< compiler and its version
  std::string vectors;         ///< vector instructions that it may use: "AVX2, 4 doubles"
  std::string kokkos;          ///< version of Kokkos
  std::string spaces;          ///< backends of that Kokkos: "Serial+OpenMP"
  std::string type;            ///< CMake's build type: "Release"
  bool is_for_this_processor;  ///< whether it is compiled with -march=native
  bool same_bits;              ///< whether it is compiled without fused multiply-adds
};

/// Properties that distinguish programs with this command line, in addition to their models and their backend.
struct Program {
  std::string name;  ///< name with which its messages begin
  /// Whether it also runs Tasks. Sporos' own programs do; programs of a user's models do not.
  bool has_tasks;
  Build build;  ///< how its models are compiled
};

/// Returns the properties of this program. Like model_descriptions, it is defined in a source file that
/// sporos_write_program writes.
const Program& program();

/// Returns the command line that consists of the program's name and `words`: "sporos list".
inline std::string called_with(std::string_view words) { return program().name + " " + std::string(words); }

}  // namespace sporos::runtime
