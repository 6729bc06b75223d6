// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace sporos {

/// Half the width of the confidence interval for the mean that belongs to the quantile `t` of Student's distribution:
/// t · sqrt(variance / count). Infinite below two observations.
inline double half_width_by_quantile(const Moments& moments, double t) {
  if (moments.count < 2) return std::numeric_limits<double>::infinity();
  return t * std::sqrt(moments.variance() / static_cast<double>(moments.count));
}

/// The same for a confidence in (0, 1).
inline double half_width(const Moments& moments, double confidence) {
  return half_width_by_quantile(moments, moments.count < 2 ? 0.0 : student_t(confidence, moments.count));
}

/// The longer side of Wilson's interval for the probability of an event that `share` of `count` independent trials had,
/// by the normal quantile `z` (Wilson 1927; Brown, Cai and DasGupta, Statistical Science 16, 2001). Never 0: z²/(n +
/// z²) where all trials were alike.
inline double wilson_half_width(double share, std::int64_t count, double z) {
  const auto n = static_cast<double>(count);
  const double spread = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  const double shift = z * z / n * std::abs(0.5 - share);  // of the interval's middle, towards one half
  return (shift + spread) / (1 + z * z / n);
}

/// The largest probability that observations differ from what `count` of them all were, with that confidence: so many
/// alike have probability 1 − confidence where it is so large.
inline double probability_unseen(std::int64_t count, double confidence) {
  return -std::expm1(std::log1p(-confidence) / static_cast<double>(count));
}

}  // namespace sporos
