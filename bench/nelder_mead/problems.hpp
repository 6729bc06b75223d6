// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optimizers/nelder_mead/more_garbow_hillstrom.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::bench {

/// Published start of a problem of Moré, Garbow and Hillstrom (1981), Testing unconstrained optimization software. Only
/// the problems 21, 22 and 30 use `n`; the others have a fixed dimension.
inline std::vector<double> published_start(int problem, int n) {
  if (problem == 21) return test::mgh::rosenbrock_start(n);
  if (problem == 22) return test::mgh::powell_start(n);
  if (problem == 30) return std::vector<double>(static_cast<std::size_t>(n), -1);
  return test::mgh::problems()[static_cast<std::size_t>(problem - 1)].start;
}

/// Returns one of many starts within half a unit of the published one in each coordinate. Number 0 is the published
/// start.
inline std::vector<double> nearby_start(int problem, int n, std::int64_t number) {
  std::vector<double> x = published_start(problem, n);
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double turns = static_cast<double>(number) * std::sqrt(2.0 + static_cast<double>(j));
    if (number > 0) x[j] += turns - std::floor(turns) - 0.5;
  }
  return x;
}

}  // namespace sporos::bench
