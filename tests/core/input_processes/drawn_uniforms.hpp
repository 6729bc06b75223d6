// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <random>

namespace sporos::test {

/// Inputs of a model in tests: all inputs draw from the same stream of uniforms, of an engine of the standard library.
struct DrawnUniforms {
  std::mt19937_64 engine;
  explicit DrawnUniforms(std::uint64_t seed) : engine(seed) {}
  double operator()(int) { return (static_cast<double>(engine() >> 12) + 0.5) * 0x1p-52; }
};

}  // namespace sporos::test
