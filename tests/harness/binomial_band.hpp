// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/math/distributions/binomial.hpp>

#include <cstdint>

namespace sporos::test {

/// What a number of successes is at least and at most.
struct BinomialBand {
  double least, most;
};

/// Of `trials` with that probability of success, the numbers of successes; below and above are others with probability
/// `error` each.
inline BinomialBand binomial_band(std::int64_t trials, double probability, double error = 1e-5) {
  const boost::math::binomial successes(static_cast<double>(trials), probability);
  return {boost::math::quantile(successes, error), boost::math::quantile(boost::math::complement(successes, error))};
}

}  // namespace sporos::test
