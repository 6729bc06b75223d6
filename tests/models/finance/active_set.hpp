// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/dense_system.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace sporos::test {

/// Minimizes ½ wᵀSw − wᵀm over {w >= 0, Σw = 1} by a primal active-set method. S is d × d and positive definite, except
/// for at most one asset without risk.
inline std::vector<double> active_set(const std::vector<double>& s, const std::vector<double>& m) {
  const std::size_t d = m.size();
  std::vector<double> w(d, 0.0);
  w[static_cast<std::size_t>(std::max_element(m.begin(), m.end()) - m.begin())] = 1;
  std::vector<bool> is_free(d, false);
  for (std::size_t j = 0; j < d; ++j) is_free[j] = w[j] > 0;
  for (int step = 0; step < 1000; ++step) {
    std::vector<std::size_t> free;
    for (std::size_t j = 0; j < d; ++j) {
      if (is_free[j]) free.push_back(j);
    }
    const std::size_t k = free.size(), n = k + 1;
    std::vector<double> a(n * n, 0.0), x(n, 1.0);
    for (std::size_t r = 0; r < k; ++r) {
      for (std::size_t c = 0; c < k; ++c) a[r * n + c] = s[free[r] * d + free[c]];
      a[r * n + k] = a[k * n + r] = 1;
      x[r] = m[free[r]];
    }
    solve(a, x);
    double length = 1;
    std::size_t blocking = d;
    for (std::size_t r = 0; r < k; ++r) {
      const double now = w[free[r]];
      if (x[r] >= 0 || now - x[r] <= 0 || now / (now - x[r]) >= length) continue;
      length = now / (now - x[r]);
      blocking = free[r];
    }
    for (std::size_t r = 0; r < k; ++r) w[free[r]] += length * (x[r] - w[free[r]]);
    if (blocking < d) {
      w[blocking] = 0;
      is_free[blocking] = false;
      continue;
    }
    double most_negative = -1e-11;
    std::size_t entering = d;
    for (std::size_t j = 0; j < d; ++j) {
      if (is_free[j]) continue;
      double gradient = x[k] - m[j];
      for (std::size_t r = 0; r < k; ++r) gradient += s[j * d + free[r]] * w[free[r]];
      if (gradient >= most_negative) continue;
      most_negative = gradient;
      entering = j;
    }
    if (entering == d) return w;
    is_free[entering] = true;
  }
  throw std::runtime_error("no convergence");
}

}  // namespace sporos::test
