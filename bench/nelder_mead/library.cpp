// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C interface to the test problems, for peers in other languages.
#include "problems.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

extern "C" {

/// Value of the objective at the n coordinates x.
double problem_value(int problem, const double* x, int n) { return sporos::test::mgh::value(problem, x, n); }

/// Writes the n coordinates of start `number` to `x`; number 0 is the published start.
void problem_start(int problem, int n, std::int64_t number, double* x) {
  const std::vector<double> start = sporos::bench::nearby_start(problem, n, number);
  std::copy(start.begin(), start.end(), x);
}
}
