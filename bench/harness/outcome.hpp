// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace sporos::bench {

/// What one timed run gave.
struct Outcome {
  double seconds = 0;
  double mean = 0;            ///< estimate of the quantity that is checked
  double standard_error = 0;  ///< of that mean
  std::uint64_t digest = 0;   ///< of all results' bits, where there is one
};

/// Throws std::runtime_error where a run's mean is more than five standard errors off the exact value: once in two
/// million right runs. Numbers that come out wrong are not worth timing.
inline void check(const std::string& who, const Outcome& outcome, double exact) {
  if (std::abs(outcome.mean - exact) <= 5 * outcome.standard_error) return;
  throw std::runtime_error(who + " gives " + std::to_string(outcome.mean) + " +- " +
                           std::to_string(outcome.standard_error) + ", expected " + std::to_string(exact));
}

}  // namespace sporos::bench
