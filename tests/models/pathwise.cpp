// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares pathwise derivatives, which are computed from the models' source code, with exact values. Checks that all
// backends return identical bits.
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/pathwise.hpp>
#include <sporos/models/projects/activity_network.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mm1_exact_means.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>
#include <harness/backends.hpp>
#include <harness/long_tests.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace sporos::test {
namespace pathwise_tests {

using models::MM1;
using MM1Slopes = Pathwise<MM1, 2>;
using Host = Kokkos::DefaultHostExecutionSpace;

MM1Slopes slopes_of(const MM1& queue) { return {queue, {"arrival_rate", "service_rate"}}; }

Plan plan_of(std::int64_t replications, double confidence = 0.95) {
  Plan plan;
  plan.replications = replications;
  plan.confidence = confidence;
  return plan;
}

// Returns ∂f/∂x of a smooth f from a five-point difference.
double difference(const std::function<double(double)>& f, double x) {
  const double h = x * 1e-3;
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

// Checks 99.9 % intervals for the derivatives of three means with respect to both rates at five points (ten with
// SPOROS_LONG_TESTS). Seeds are fixed. The probability that any of the 30 (60) intervals misses the exact value by
// chance is at most 3 % (6 %).
TEST(PathwiseMM1, IntervalsHoldTheDerivativesOfExactMeans) {
  const std::int64_t customers = 200;
  const int points = test::runs_in_test(5, 10);
  for (int point = 0; point < points; ++point) {
    const double arrival = 0.1 + 0.72 * point / (points - 1), service = 1.0;
    const auto result = simulate(Host(), slopes_of({arrival, service, customers, 0}), plan_of(20'000, 0.999));
    const auto mean = [&](double a, double s, int response) {
      const auto means = *models::mm1_means_of_customers(a, s, customers);
      return response == 0 ? means.time_in_queue : response == 1 ? means.time_in_system : means.idle_time;
    };
    for (int response = 0; response < 3; ++response) {
      const double by_arrival = difference([&](double a) { return mean(a, service, response); }, arrival);
      const double by_service = difference([&](double s) { return mean(arrival, s, response); }, service);
      const ResponseEstimate &a = result.responses[static_cast<std::size_t>(4 + response)],
                             &s = result.responses[static_cast<std::size_t>(8 + response)];
      EXPECT_NEAR(a.mean, by_arrival, a.half_width) << a.name << " at " << arrival;
      EXPECT_NEAR(s.mean, by_service, s.half_width) << s.name << " at " << arrival;
      EXPECT_LT(s.half_width, 0.1 * std::max(1.0, std::abs(by_service))) << s.name;
    }
  }
}

TEST(PathwiseMM1, NamesItsResponses) {
  const MM1Slopes slopes = slopes_of({0.5, 1, 10, 0});
  EXPECT_EQ(slopes.response_count(), 12);
  EXPECT_EQ(slopes.response_name(1), "time in system");
  EXPECT_EQ(slopes.response_name(5), "d time in system / d arrival_rate");
  EXPECT_EQ(slopes.response_name(11), "d queue length / d service_rate");
}

TEST(PathwiseMM1, RefusesWhatHasNoDerivative) {
  const auto message_of = [](const std::string& name) -> std::string {
    try {
      Pathwise<MM1, 1>({0.5, 1, 10, 0}, {name});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "taken";
  };
  const std::string expected = "' has no derivatives, expected one of arrival_rate, service_rate, horizon";
  EXPECT_EQ(message_of("customers"), "parameter 'customers" + expected);
  EXPECT_EQ(message_of("speed"), "parameter 'speed" + expected);
  EXPECT_EQ(message_of("horizon"), "taken");
  EXPECT_THROW(simulate(Host(), slopes_of({-1, 1, 10, 0}), plan_of(10)), std::invalid_argument);
}

using models::ActivityNetwork;

std::array<std::string, 13> activities() {
  std::array<std::string, 13> names;
  std::ranges::copy(differentiable_parameters<ActivityNetwork>(), names.begin());
  return names;
}

ActivityNetwork uneven_network() {
  ActivityNetwork network{};
  double mean = 0.5;
  for_each_parameter<ActivityNetwork>([&](const auto& parameter) { network.*parameter.member = mean += 0.25; });
  return network;
}

// Two activities are in series and one is in parallel with them. All have mean 1, so the longest path takes 2 + 1/4 on
// average.
TEST(ActivityNetwork, HasTheExactTimesOfASmallNetwork) {
  auto network = default_model<ActivityNetwork>();
  for_each_parameter<ActivityNetwork>([&](const auto& parameter) { network.*parameter.member = 1e-9; });
  network.mean_1_2 = network.mean_2_3 = network.mean_1_3 = 1;  // event 3 is max(X, Y + Z)
  EXPECT_NEAR(exact_network_times(network)[1], 2.25, 1e-7);
}

// Checks 42 intervals of 99.9 %. Seeds are fixed. The probability that any interval misses the exact value by chance is
// at most 4.2 %.
TEST(ActivityNetwork, IntervalsHoldTheExactTimesAndTheirDerivatives) {
  const auto exact = exact_network_times(along<13>(uneven_network(), activities()));
  const auto result =
      simulate(Host(), Pathwise<ActivityNetwork, 13>(uneven_network(), activities()), plan_of(100'000, 0.999));
  for (std::size_t response = 0; response < 3; ++response) {
    for (std::size_t j = 0; j <= 13; ++j) {
      const ResponseEstimate& estimate = result.responses[response + 3 * j];
      const double expected = j == 0 ? exact[response].value : exact[response].slope[j - 1];
      EXPECT_NEAR(estimate.mean, expected, estimate.half_width) << estimate.name;
    }
  }
}

template <class Space>
class PathwiseOn : public ::testing::Test {};
TYPED_TEST_SUITE(PathwiseOn, Backends, BackendName);

// Checks that means and variances equal those of the model without derivatives, and that all results are bit-identical
// to those on the host.
template <class Space>
void expect_the_same_bits() {
  Plan plan = plan_of(1000);
  const Pathwise<ActivityNetwork, 13> network(uneven_network(), activities());
  EXPECT_EQ(simulate(Space(), network, plan).digest, simulate(Host(), network, plan).digest);
  for (const MM1& queue : {MM1{0.7, 1.0, 50, 0}, MM1{0.7, 1.0, 0, 30}}) {
    const auto plain = simulate(Space(), queue, plan);
    const auto expected = simulate(Host(), slopes_of(queue), plan);
    for (const Mapping mapping : {Mapping::thread, Mapping::warp}) {
      plan.mapping = mapping;
      const auto found = simulate(Space(), slopes_of(queue), plan);
      EXPECT_EQ(found.digest, expected.digest);
      for (std::size_t r = 0; r < 3; ++r) {  // the fourth response is a ratio of means
        EXPECT_EQ(found.responses[r].mean, plain.responses[r].mean);
        EXPECT_EQ(found.responses[r].variance, plain.responses[r].variance);
      }
    }
  }
}

TYPED_TEST(PathwiseOn, HasTheSameBits) { expect_the_same_bits<TypeParam>(); }

}  // namespace pathwise_tests
}  // namespace sporos::test
