// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/math/distributions/chi_squared.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace sporos::test {

/// Two-sided p-value from the probabilities of both tails. Counts that are too even are as suspicious as uneven ones.
inline double two_sided(double below, double above) { return std::min(1.0, 2 * std::min(below, above)); }

/// Two-sided p-value of counts in equally likely cells.
inline double chi_square_p(const std::vector<std::int64_t>& counts) {
  double total = 0, statistic = 0;
  for (const auto count : counts) total += static_cast<double>(count);
  const double expected = total / static_cast<double>(counts.size());
  for (const auto count : counts) statistic += std::pow(static_cast<double>(count) - expected, 2) / expected;
  const boost::math::chi_squared distribution(static_cast<double>(counts.size() - 1));
  return two_sided(boost::math::cdf(distribution, statistic),
                   boost::math::cdf(boost::math::complement(distribution, statistic)));
}

}  // namespace sporos::test
