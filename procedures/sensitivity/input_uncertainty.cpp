// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/core/statistics/quantile.hpp>
#include <sporos/procedures/sensitivity/input_uncertainty.hpp>

#include <boost/math/distributions/fisher_f.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace sporos {

namespace {

// γ for a ratio of mean squares.
double gamma_of(double ratio) { return std::sqrt(std::max(0.0, ratio - 1)); }

void add_ratio(double between, double within, double outer, double observations, double confidence,
               InputUncertainty& result) {
  if (!(within > 0)) {
    const double ratio = between > 0 ? std::numeric_limits<double>::infinity() : 0;
    result.ratio = result.ratio_low = result.ratio_high = ratio;
    return;
  }
  const boost::math::fisher_f f(outer - 1, outer * (observations - 1));
  const double tail = (1 - confidence) / 2;
  result.ratio = gamma_of(between / within);
  result.ratio_low = gamma_of(between / within / boost::math::quantile(boost::math::complement(f, tail)));
  result.ratio_high = gamma_of(between / within / boost::math::quantile(f, tail));
}

// Satterthwaite's degrees of freedom for S² (1 + 1 / K) − N.
double freedom_of(double variance, double spread, double noise, double outer, std::int64_t observations) {
  constexpr double least = 4;
  const double first = spread * (1 + 1 / outer);
  const double uncertainty =
      first * first / (outer - 1) + noise * noise / (outer * static_cast<double>(observations - 1));
  return uncertainty > 0 ? std::max(least, variance * variance / uncertainty) : outer - 1;
}

}  // namespace

std::int64_t min_outer_samples(double confidence) {
  constexpr double rounding = 1e-9;
  return bounded_count(std::ceil(2 / (1 - confidence) - rounding)) - 1;
}

InputUncertainty input_uncertainty(std::span<const PointMean> outer, std::int64_t observations, double confidence) {
  const auto count = static_cast<std::int64_t>(outer.size());
  if (count < std::max<std::int64_t>(min_outer_samples(confidence), 2)) {
    impl::refuse_parameter(
        "number of outer samples", std::to_string(count),
        "at least " + std::to_string(min_outer_samples(confidence)) + ", whose quantiles are the ends of the interval");
  }
  if (observations < 2) {
    impl::refuse_parameter("number of observations of an outer sample", std::to_string(observations), "at least 2");
  }
  MomentsTree means, noises;
  std::vector<double> sorted;
  for (const PointMean& one : outer) {
    means.add(one.mean);
    noises.add(one.variance);
    sorted.push_back(one.mean);
  }
  std::sort(sorted.begin(), sorted.end());
  const double noise = noises.total().mean, spread = means.total().variance();
  const auto k = static_cast<double>(count);
  InputUncertainty result;
  result.mean = means.total().mean;
  result.input_variance = std::max(0.0, spread - noise);
  result.simulation_variance = spread / k;
  result.simulation_half_width = normal_z(confidence) * std::sqrt(noise / k);
  add_ratio(spread, noise, k, static_cast<double>(observations), confidence, result);
  const double variance = result.input_variance + result.simulation_variance;
  const double widening =
      student_t_quantile((1 + confidence) / 2, freedom_of(variance, spread, noise, k, observations)) /
      normal_z(confidence);
  const double scale = spread > 0 ? widening * std::sqrt(variance / spread) : 0;
  const double tail = (1 - confidence) / 2;
  result.low = result.mean + scale * (sorted_quantile(sorted, tail, confidence).value - result.mean);
  result.high = result.mean + scale * (sorted_quantile(sorted, 1 - tail, confidence).value - result.mean);
  return result;
}

}  // namespace sporos
