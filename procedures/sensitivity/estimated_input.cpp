// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/math/incomplete_gamma.hpp>
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/procedures/sensitivity/estimated_input.hpp>

#include <boost/math/special_functions/beta.hpp>

#include <cmath>
#include <string>

namespace sporos {

namespace {

Moments moments_of(std::span<const double> observations) {
  MomentsTree tree;
  for (const double observation : observations) tree.add(observation);
  return tree.total();
}

double statistic_of(InputStatistic statistic, const Moments& moments) {
  switch (statistic) {
    case InputStatistic::rate:
      return 1 / moments.mean;
    case InputStatistic::deviation:
      return std::sqrt(moments.variance());
    default:
      return moments.mean;
  }
}

void check(InputStatistic statistic, std::span<const double> observations) {
  if (observations.size() < 2) {
    impl::refuse_parameter("number of observations", std::to_string(observations.size()), "at least 2");
  }
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const double x = observations[i];
    const auto refuse_unless = [&](bool good, const char* expected) {
      impl::check_parameter(good, "observation " + std::to_string(i + 1), x, expected);
    };
    refuse_unless(std::isfinite(x), "a finite number");
    if (statistic == InputStatistic::rate) refuse_unless(x > 0, "a positive number, for a rate");
    if (statistic == InputStatistic::probability) refuse_unless(x == 0 || x == 1, "0 or 1, for a probability");
  }
}

// The statistic of a resample of the same size, drawn with replacement.
double resampled(InputStatistic statistic, std::span<const double> observations, DecisionEngine& engine) {
  MomentsTree tree;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    tree.add(observations[index_below(observations.size(), engine)]);
  }
  return statistic_of(statistic, tree.total());
}

// Quantile of the posterior at probability u.
double posterior_quantile(InputStatistic statistic, const Moments& moments, double u) {
  const auto m = static_cast<double>(moments.count);
  const double sum = m * moments.mean;
  switch (statistic) {
    case InputStatistic::rate:
      return math::gamma_p_inverse(m, u) / sum;
    case InputStatistic::deviation:
      return std::sqrt(moments.squared_deviation / (2 * math::gamma_p_inverse((m - 1) / 2, 1 - u)));
    case InputStatistic::probability:
      return boost::math::ibeta_inv(sum + 0.5, m - sum + 0.5, u);
    default:
      return moments.mean + std::sqrt(moments.variance() / m) * student_t_quantile(u, m - 1);
  }
}

}  // namespace

double estimate(InputStatistic statistic, std::span<const double> observations) {
  check(statistic, observations);
  return statistic_of(statistic, moments_of(observations));
}

std::vector<double> input_samples(InputStatistic statistic, std::span<const double> observations,
                                  InputSampling sampling, std::size_t samples, std::uint64_t seed,
                                  std::uint32_t input) {
  check(statistic, observations);
  const Moments moments = moments_of(observations);
  std::vector<double> values;
  for (std::uint64_t sample = 0; sample < samples; ++sample) {
    DecisionEngine engine({mix_bits(~seed), sample, input});
    values.push_back(sampling == InputSampling::bootstrap
                         ? resampled(statistic, observations, engine)
                         : posterior_quantile(statistic, moments, open_uniform(engine())));
  }
  return values;
}

}  // namespace sporos
