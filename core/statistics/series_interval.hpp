// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace sporos {

/// The steady-state mean of a correlated series with a confidence interval. Counts are in values of the series that was
/// given, which may be averages of blocks of observations.
struct SeriesInterval {
  double mean = std::numeric_limits<double>::quiet_NaN();  ///< of the values used
  double low = -std::numeric_limits<double>::infinity();   ///< lower end
  double high = std::numeric_limits<double>::infinity();   ///< upper end
  std::int64_t cut = 0;                                    ///< values left out at the front, as warm-up
  std::int64_t used = 0;                                   ///< values behind them
  std::int64_t batch_size = 0;                             ///< values in a batch; 0 where there are none
  std::int64_t batches = 0;                                ///< batches, runs or cycles
  double degrees_of_freedom = 0;                           ///< of Student's distribution
  std::string_view lack = {};                              ///< why there is no interval; empty where there is one

  /// The longer side of the interval; infinite where there is none.
  double half_width() const { return lack.empty() ? std::max(high - mean, mean - low) : high; }
};

/// Why a series has no interval.
namespace series_lack {
inline constexpr std::string_view too_short = "the series is too short";           ///< more values help
inline constexpr std::string_view no_warm_up = "no end of the warm-up was found";  ///< more values may help
inline constexpr std::string_view dependent = "no batch size passes the test of independence";  ///< more values help
inline constexpr std::string_view constant = "it does not vary";                                ///< nothing helps
}  // namespace series_lack

/// An interval that is not there, of a series of so many values.
inline SeriesInterval no_interval(std::string_view lack, std::int64_t values) {
  SeriesInterval interval;
  interval.used = values;
  interval.lack = lack;
  return interval;
}

}  // namespace sporos
