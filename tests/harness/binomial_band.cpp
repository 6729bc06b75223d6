// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "binomial_band.hpp"

#include <boost/math/distributions/binomial.hpp>

namespace sporos::test {

BinomialBand binomial_band(std::int64_t trials, double probability, double error) {
  const boost::math::binomial successes(static_cast<double>(trials), probability);
  return {boost::math::quantile(successes, error), boost::math::quantile(boost::math::complement(successes, error))};
}

}  // namespace sporos::test
