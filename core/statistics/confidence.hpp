// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/moments.hpp>

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace sporos {

/// The quantile of Student's t distribution that a two-sided interval of confidence `confidence`, in (0, 1), needs with
/// `observations` observations, at least two.
inline double student_t(double confidence, std::int64_t observations) {
  const boost::math::students_t distribution(static_cast<double>(observations - 1));
  return boost::math::quantile(boost::math::complement(distribution, 0.5 * (1.0 - confidence)));
}

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

}  // namespace sporos
