// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace sporos::bench {

/// Result of one timed run.
struct Outcome {
  double seconds = 0;
  double mean = 0;            ///< estimate of the quantity that is checked
  double standard_error = 0;  ///< standard error of that mean
  std::uint64_t digest = 0;   ///< digest of the bits of all results, if the run has one
};

/// Throws std::runtime_error if the mean of a run differs from the exact value by more than five standard errors. A
/// correct run fails once in two million times. Timing wrong results is pointless.
inline void check(const std::string& who, const Outcome& outcome, double exact) {
  if (std::abs(outcome.mean - exact) <= 5 * outcome.standard_error) return;
  throw std::runtime_error(who + " gives " + std::to_string(outcome.mean) + " +- " +
                           std::to_string(outcome.standard_error) + ", expected " + std::to_string(exact));
}

}  // namespace sporos::bench
