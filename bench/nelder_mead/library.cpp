// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problems for peers in other languages.
#include "problems.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

extern "C" {

/// f at the n coordinates x.
double problem_value(int problem, const double* x, int n) { return sporos::test::mgh::value(problem, x, n); }

/// Writes a start to `x`.
void problem_start(int problem, int n, std::int64_t number, double* x) {
  const std::vector<double> start = sporos::bench::nearby_start(problem, n, number);
  std::copy(start.begin(), start.end(), x);
}
}
