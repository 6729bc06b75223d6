// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace sporos {

/// Half-width of the confidence interval for the mean, given the quantile `t` of Student's distribution:
/// t · sqrt(variance / count). Infinite for fewer than two observations.
inline double half_width_by_quantile(const Moments& moments, double t) {
  if (moments.count < 2) return std::numeric_limits<double>::infinity();
  return t * std::sqrt(moments.variance() / static_cast<double>(moments.count));
}

/// Half-width of the confidence interval for the mean at `confidence`, in (0, 1). Infinite for fewer than two
/// observations.
inline double half_width(const Moments& moments, double confidence) {
  return half_width_by_quantile(moments, moments.count < 2 ? 0.0 : student_t(confidence, moments.count));
}

/// The longer side of Wilson's interval for the probability of an event with the proportion `share` in `count`
/// independent trials, with the normal quantile `z` (Wilson 1927; Brown, Cai and DasGupta (2001),
/// Statistical Science 16). It is never 0: if all trials have the same result, it is z²/(n + z²).
inline double wilson_half_width(double share, std::int64_t count, double z) {
  const auto n = static_cast<double>(count);
  const double spread = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  const double shift = z * z / n * std::abs(0.5 - share);  // shift of the interval's center towards one half
  return (shift + spread) / (1 + z * z / n);
}

/// Upper bound, at `confidence`, of the probability that an observation differs, after `count` identical observations.
/// If the probability equals the bound, `count` identical observations have probability 1 − confidence.
inline double probability_unseen(std::int64_t count, double confidence) {
  return -std::expm1(std::log1p(-confidence) / static_cast<double>(count));
}

}  // namespace sporos
