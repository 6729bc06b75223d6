// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random_blocks/model.hpp>
#include <sporos/core/statistics/two_term_fit.hpp>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

/// Fits the constants of a BlockModel to measured times.
namespace sporos {

/// Measured time of a number of items.
struct MeasuredTime {
  std::int64_t count;       ///< number of items, such as draws
  double seconds;           ///< measured time, positive
  std::int64_t cycles = 1;  ///< cycles of each item, in a kernel
};

/// Fits the start and the step of a StepTime by least squares of relative errors, for the width that fits best. Throws
/// std::invalid_argument in the same cases as fit_two_terms, also if there is no width.
inline StepTime fit_step_time(std::span<const MeasuredTime> times, std::span<const std::int64_t> widths) {
  if (widths.empty()) throw std::invalid_argument("number of widths is 0, expected at least 1");
  StepTime best;
  double least = -1;
  for (const std::int64_t width : widths) {
    std::vector<TwoTermValue> values;
    for (const auto& [count, seconds, cycles] : times) {
      values.push_back({1, StepTime{0, 1, width}(count, cycles), seconds});
    }
    const TwoTermFit fit = fit_two_terms(values);
    if (least >= 0 && fit.error >= least) continue;
    least = fit.error;
    best = {fit.first, fit.second, width};
  }
  return best;
}

/// Fits a line by least squares of relative errors. Throws std::invalid_argument in the same cases as fit_two_terms.
inline LinearTime fit_linear_time(std::span<const MeasuredTime> times) {
  std::vector<TwoTermValue> values;
  for (const MeasuredTime& time : times) values.push_back({1, static_cast<double>(time.count), time.seconds});
  const TwoTermFit fit = fit_two_terms(values);
  return {fit.first, fit.second};
}

}  // namespace sporos
