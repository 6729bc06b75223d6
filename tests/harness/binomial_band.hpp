// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace sporos::test {

/// Smallest and largest number of successes that a test accepts.
struct BinomialBand {
  double least, most;
};

/// Band for the number of successes in `trials` trials with success probability `probability`. A number falls below the
/// band with probability `error` at most, and above it likewise. This function is compiled once for all test programs,
/// because the headers of Boost.Math compile slowly.
BinomialBand binomial_band(std::int64_t trials, double probability, double error = 1e-5);

}  // namespace sporos::test
