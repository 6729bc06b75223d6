// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace sporos::runtime {

/// How a program was compiled.
struct Build {
  std::string compiler;        ///< and its version
  std::string vectors;         ///< the vector instructions that it may use: "AVX2, 4 doubles"
  std::string kokkos;          ///< version
  std::string spaces;          ///< the backends of that Kokkos: "Serial+OpenMP"
  std::string type;            ///< CMake's: "Release"
  bool is_for_this_processor;  ///< by -march=native
  bool same_bits;              ///< whether without fused multiply-adds
};

/// What programs with this command line differ in, beside their models and their backend.
struct Program {
  std::string name;  ///< with which its messages begin
  bool has_tasks;    ///< whether it carries out Tasks, too: Sporos' own programs do, those of a user's models do not
  Build build;       ///< how its models are compiled
};

/// This program. Defined in a source that sporos_write_program makes, as model_descriptions is.
const Program& program();

/// How a person calls it with these words: "sporos list".
inline std::string called_with(std::string_view words) { return program().name + " " + std::string(words); }

}  // namespace sporos::runtime
