// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace sporos::test {

/// Uniforms in the open interval (0, 1) in increasing order: the 2 · 53 points 2^−k and 1 − 2^−k, and the midpoints of
/// `strata` equal parts.
inline std::vector<double> uniforms(int strata) {
  std::vector<double> u;
  for (int k = 1; k <= 53; ++k) {
    u.push_back(std::ldexp(1.0, -k));
    u.push_back(1.0 - std::ldexp(1.0, -k));
  }
  for (int i = 0; i < strata; ++i) u.push_back((i + 0.5) / strata);
  std::sort(u.begin(), u.end());
  return u;
}

}  // namespace sporos::test
