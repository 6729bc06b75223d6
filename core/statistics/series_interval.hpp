// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

namespace sporos {

/// The steady-state mean of a correlated series with a confidence interval. Counts refer to values of the given series,
/// which may be averages of blocks of observations.
struct SeriesInterval {
  double mean = std::numeric_limits<double>::quiet_NaN();  ///< mean of the values used
  double low = -std::numeric_limits<double>::infinity();   ///< lower end of the interval
  double high = std::numeric_limits<double>::infinity();   ///< upper end of the interval
  std::int64_t cut = 0;                                    ///< number of values removed at the front, as warm-up
  std::int64_t used = 0;                                   ///< number of values used, after the warm-up
  std::int64_t batch_size = 0;                             ///< number of values in a batch; 0 if there are no batches
  std::int64_t batches = 0;                                ///< number of batches, runs or cycles
  double degrees_of_freedom = 0;                           ///< degrees of freedom of Student's distribution
  std::string_view reason = {};                            ///< why there is no interval; empty if there is one

  /// The longer side of the interval; infinite if there is no interval.
  double half_width() const { return reason.empty() ? std::max(high - mean, mean - low) : high; }
};

/// Reasons why a series has no interval.
namespace series_reason {
inline constexpr std::string_view too_short = "the series is too short";           ///< more values help
inline constexpr std::string_view no_warm_up = "no end of the warm-up was found";  ///< more values may help
inline constexpr std::string_view dependent = "no batch size passes the test of independence";  ///< more values help
inline constexpr std::string_view constant = "the series does not vary";                        ///< nothing helps
inline constexpr std::string_view no_divisor = "nothing that it averages over was observed";  ///< more values may help
}  // namespace series_reason

/// The result for a series of `values` values that has no interval, with the reason `lack`.
inline SeriesInterval no_interval(std::string_view reason, std::int64_t values) {
  SeriesInterval interval;
  interval.used = values;
  interval.reason = reason;
  return interval;
}

}  // namespace sporos
