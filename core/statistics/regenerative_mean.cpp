// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/regenerative_mean.hpp>

#include <sporos/core/statistics/critical_values.hpp>

#include <cmath>
#include <cstdint>

namespace sporos {

SeriesInterval regenerative_mean(const CycleSums& sums, double confidence) {
  constexpr double fewest = 30;
  const auto observations = static_cast<std::int64_t>(sums.length);
  if (sums.cycles < fewest) return no_interval(series_reason::too_short, observations);
  const double ratio = sums.total / sums.length;
  const double squares = sums.total_square - 2 * ratio * sums.product + ratio * ratio * sums.length_square;
  constexpr double rounding = 1e-12;
  if (squares <= rounding * sums.total_square) return no_interval(series_reason::constant, observations);
  const double n = sums.cycles, error = std::sqrt(squares / (n - 1) / n) / (sums.length / n);
  const double width = student_t_quantile(0.5 * (1 + confidence), n - 1) * error;
  SeriesInterval interval;
  interval.mean = ratio;
  interval.low = ratio - width;
  interval.high = ratio + width;
  interval.used = observations;
  interval.batches = static_cast<std::int64_t>(n);
  interval.degrees_of_freedom = n - 1;
  return interval;
}

}  // namespace sporos
