// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/count.hpp>
#include <sporos/core/statistics/quantile.hpp>

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

namespace sporos {

QuantileRanks quantile_ranks(std::int64_t observations, double probability, double confidence) {
  if (observations < 1) throw std::invalid_argument("a quantile needs at least one observation");
  if (!(probability > 0 && probability < 1)) {
    throw std::invalid_argument("probability of a quantile is " + std::to_string(probability) +
                                ", expected a number between 0 and 1");
  }
  const auto n = static_cast<double>(observations);
  const double position = (n - 1) * probability;
  QuantileRanks result;
  result.below = static_cast<std::int64_t>(position) + 1;
  result.above = std::min(result.below + 1, observations);
  result.share = position - static_cast<double>(result.below - 1);

  // The number of observations below the quantile is binomial. The ranks are the closest ones that leave out at most
  // half of 1 − confidence on each side.
  const double tail = 0.5 * (1 - confidence);
  const boost::math::binomial ranks(n, probability);
  double low = std::floor(boost::math::quantile(ranks, tail));
  while (low > 0 && boost::math::cdf(ranks, low - 1) > tail) --low;
  while (low + 1 <= n && boost::math::cdf(ranks, low) <= tail) ++low;
  double high = std::floor(boost::math::quantile(boost::math::complement(ranks, tail)));
  while (high > 0 && boost::math::cdf(boost::math::complement(ranks, high - 1)) <= tail) --high;
  while (high < n && boost::math::cdf(boost::math::complement(ranks, high)) > tail) ++high;
  result.low = static_cast<std::int64_t>(low);
  result.high = high + 1 <= n ? static_cast<std::int64_t>(high) + 1 : 0;
  return result;
}

QuantileEstimate sorted_quantile(std::span<const double> observations, double probability, double confidence) {
  const auto ranks = quantile_ranks(static_cast<std::int64_t>(observations.size()), probability, confidence);
  const auto of_rank = [&](std::int64_t rank) { return observations[static_cast<std::size_t>(rank) - 1]; };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  QuantileEstimate estimate;
  estimate.value = of_rank(ranks.below) + ranks.share * (of_rank(ranks.above) - of_rank(ranks.below));
  estimate.lower = ranks.low > 0 ? of_rank(ranks.low) : -infinity;
  estimate.upper = ranks.high > 0 ? of_rank(ranks.high) : infinity;
  return estimate;
}

QuantileEstimate quantile(std::vector<double> observations, double probability, double confidence) {
  std::sort(observations.begin(), observations.end());
  return sorted_quantile(observations, probability, confidence);
}

std::int64_t observations_for_quantile(double probability, double confidence) {
  const double tail = 0.5 * (1 - confidence);
  const double slower = std::max(std::log(probability), std::log1p(-probability));
  return bounded_count(std::ceil(std::log(tail) / slower));
}

}  // namespace sporos
