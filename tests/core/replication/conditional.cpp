// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks conditional Monte Carlo against closed forms. Shares of experiments must lie in binomial bands, each of which
// a correct program leaves with probability 10^-5 on each side.
#include "harness/serial_or_host.hpp"

#include <harness/backends.hpp>
#include <harness/binomial_band.hpp>

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/replication/conditional.hpp>
#include <sporos/core/replication/estimates.hpp>
#include <sporos/core/replication/experiment.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace conditional_tests {

using namespace sporos;
using test::binomial_band;
using test::SerialOrHost;

// Whether two exponential times with mean 1 together exceed `limit`, and their sum. Given the first time, the
// probability is e^-(limit − first), or `certain` if the first time alone exceeds the limit. The right value of
// `certain` is 1.
struct TwoTimes {
  double limit, certain;

  enum Input { first, second, input_count };
  static constexpr auto response_names = std::array{"is late", "duration"};
  static constexpr std::string_view conditional_on = "the first time";

  ResponseRange response_range(int response) const { return response == 0 ? ResponseRange::event() : ResponseRange{}; }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(Inputs& inputs) const {
    const double duration = exponential(inputs(first), 1.0) + exponential(inputs(second), 1.0);
    return {{duration > limit ? 1.0 : 0.0, duration}};
  }
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> conditioned(Inputs& inputs) const {
    const double time = exponential(inputs(first), 1.0);
    return {{time > limit ? certain : math::exp(time - limit), time + 1}};
  }

  double late() const { return std::exp(-limit) * (1 + limit); }
  // The second moment E e^-2(limit − first)⁺ minus the square of the mean.
  double conditional_variance() const { return 2 * std::exp(-limit) - std::exp(-2 * limit) - late() * late(); }
};
static_assert(OffersConditional<TwoTimes>);

constexpr TwoTimes right{3, 1}, wrong{3, 0};

template <class ExecutionSpace>
class ConditionalMonteCarlo : public ::testing::Test {};
TYPED_TEST_SUITE(ConditionalMonteCarlo, test::Backends, test::BackendName);

// A normal error exceeds 4.4 standard errors with probability 10^-5. The relative standard errors of the variances
// follow from the fourth moments: 0.0082 for "is late", and 0.009 for the first time.
TYPED_TEST(ConditionalMonteCarlo, HasTheMeansAndTheVariancesOfTheory) {
  Plan plan;
  plan.replications = 100'000;
  const PointResult plain = simulate(TypeParam(), right, plan), found = simulate(TypeParam(), Conditioned{right}, plan),
                    false_one = simulate(TypeParam(), Conditioned{wrong}, plan);
  const std::array means{right.late(), 2.0}, variances{right.conditional_variance(), 1.0}, errors{0.0082, 0.009};
  for (std::size_t i = 0; i < means.size(); ++i) {
    const ResponseEstimate& response = found.responses[i];
    EXPECT_NEAR(response.mean, means[i], 4.4 * std::sqrt(variances[i] / 100'000)) << response.name;
    EXPECT_NEAR(response.variance / variances[i], 1, 4.4 * errors[i]) << response.name;
    EXPECT_LT(response.variance, 0.6 * plain.responses[i].variance) << response.name;
  }
  EXPECT_GT(std::abs(false_one.responses[0].mean - means[0]), 4.4 * std::sqrt(variances[0] / 100'000)) << "control";
  EXPECT_TRUE(plain.responses[0].range.is_two_valued);
  EXPECT_FALSE(found.responses[0].range.is_two_valued) << "Wilson's interval would be another";
}

TYPED_TEST(ConditionalMonteCarlo, HasTheSameBitsOnEachBackend) {
  const PointResult here = simulate(TypeParam(), Conditioned{right}, Plan()),
                    host = simulate(SerialOrHost(), Conditioned{right}, Plan());
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(here.responses[i].mean, host.responses[i].mean);
    EXPECT_EQ(here.responses[i].variance, host.responses[i].variance);
  }
}

constexpr std::int64_t experiments = 1000, replications = 400;

// Number of experiments in which intervals of 95 % cover `exact`. Each experiment is a design point with separate
// random number streams.
template <class ExecutionSpace, class Model>
std::int64_t covering(const Model& model, std::size_t response, double exact) {
  Plan plan;
  plan.replications = replications;
  plan.common_random_numbers = false;
  std::int64_t found = 0;
  for (const PointResult& point : simulate(ExecutionSpace(), std::vector<Model>(experiments, model), plan).points) {
    const ResponseEstimate& estimate = point.responses[response];
    found += std::abs(estimate.mean - exact) <= half_width(estimate, 0.95);
  }
  return found;
}

TYPED_TEST(ConditionalMonteCarlo, CoversAsOftenAsItSays) {
  const auto band = binomial_band(experiments, 0.95);
  for (const std::size_t response : {0, 1}) {
    const auto found = covering<TypeParam>(Conditioned{right}, response, response == 0 ? right.late() : 2.0);
    EXPECT_GE(static_cast<double>(found), band.least) << response;
    EXPECT_LE(static_cast<double>(found), band.most) << response;
  }
  EXPECT_LT(static_cast<double>(covering<TypeParam>(Conditioned{wrong}, 0, right.late())), band.least) << "control";
}

}  // namespace conditional_tests
