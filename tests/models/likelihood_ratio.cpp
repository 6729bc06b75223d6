// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks likelihood-ratio derivatives, computed from the models' own source code, against closed forms; all backends
// have the same bits.
//
// The intervals of a test contain all closed forms simultaneously with probability 99.9 % (Bonferroni). Seeds are
// fixed; a test with a random seed would fail by chance with probability 0.1 %.
#include <sporos/core/distributions/counts.hpp>
#include <sporos/core/distributions/gamma.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/likelihood_ratio.hpp>
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
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace sporos::test {
namespace likelihood_ratio_tests {

using models::ActivityNetwork;
using models::MM1;
using Host = Kokkos::DefaultHostExecutionSpace;

const int points = runs_in_test(5, 10);

// Plan for `intervals` simultaneous intervals.
Plan plan_of(std::int64_t replications, int intervals) {
  Plan plan;
  plan.replications = replications;
  plan.confidence = 1 - 1e-3 / intervals;
  return plan;
}

// Names of all parameters by which `Model` can be differentiated.
template <class Model, std::size_t directions>
std::array<std::string, directions> names_of() {
  std::array<std::string, directions> names;
  std::ranges::copy(differentiable_parameters<Model>(), names.begin());
  return names;
}

// Returns 0 for an estimate that has not varied.
double half_width_of(const ResponseEstimate& estimate) { return estimate.variance > 0 ? estimate.half_width : 0; }

// Names of the estimates whose intervals do not contain ∂E[Yᵣ]/∂θⱼ; `expected` is E[Yᵣ] in dual numbers.
template <class Expected>
std::vector<std::string> misses(const std::vector<ResponseEstimate>& estimates, const Expected& expected) {
  std::vector<std::string> missed;
  for (std::size_t r = 0; r < expected.size(); ++r) {
    for (int j = 0; j < static_cast<int>(expected[r].slope.size()); ++j) {
      const ResponseEstimate& estimate = estimates[r + expected.size() * static_cast<std::size_t>(1 + j)];
      if (!(std::abs(estimate.mean - expected[r].slope[j]) <= half_width_of(estimate))) missed.push_back(estimate.name);
    }
  }
  return missed;
}

using None = std::vector<std::string>;

// Returns ∂f/∂x of a smooth f from a five-point difference.
double difference(const std::function<double(double)>& f, double x) {
  const double h = x * 1e-3;
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

LikelihoodRatio<MM1, 2> ratios_of(const MM1& queue) { return {queue, {"arrival_rate", "service_rate"}}; }

// Derivatives of the first three exact means by both rates.
std::array<Dual<2>, 3> exact_slopes(const MM1& queue) {
  const auto means = [&](double arrival, double service) {
    const auto found = queue.customers > 0 ? models::mm1_means_of_customers(arrival, service, queue.customers)
                                           : models::mm1_means_until(arrival, service, queue.horizon);
    return std::array{found->time_in_queue, found->time_in_system, found->idle_time};
  };
  std::array<Dual<2>, 3> slopes;
  for (std::size_t r = 0; r < 3; ++r) {
    slopes[r].slope[0] = difference([&](double a) { return means(a, queue.service_rate)[r]; }, queue.arrival_rate);
    slopes[r].slope[1] = difference([&](double s) { return means(queue.arrival_rate, s)[r]; }, queue.service_rate);
  }
  return slopes;
}

// Leaves out the queue length, whose exact derivative is not known.
std::vector<ResponseEstimate> first_three(const std::vector<ResponseEstimate>& estimates) {
  std::vector<ResponseEstimate> found;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    if (i % 4 != 3) found.push_back(estimates[i]);
  }
  return found;
}

TEST(LikelihoodRatioMM1, IntervalsHoldTheDerivativesOfExactMeans) {
  for (int point = 0; point < points; ++point) {
    const MM1 queue{0.2 + 0.07 * point, 1.0, 10, 0};
    const auto expected = exact_slopes(queue);
    const auto estimates = first_three(simulate(Host(), ratios_of(queue), plan_of(50'000, 6 * points)).responses);
    EXPECT_EQ(misses(estimates, expected), None()) << queue.arrival_rate;
    for (std::size_t i = 3; i < estimates.size(); ++i) {
      EXPECT_LT(estimates[i].half_width, 0.5 * std::abs(expected[i % 3].slope[static_cast<int>(i / 3) - 1]));
    }
  }
}

// The number of draws is a random stopping time here.
TEST(LikelihoodRatioMM1, IntervalsHoldThoseOfARunByTime) {
  for (int point = 0; point < points; ++point) {
    const MM1 queue{0.1 + 0.08 * point, 1.0, 0, 8};
    const auto result = simulate(Host(), ratios_of(queue), plan_of(30'000, 2 * points));
    const std::vector idle{result.responses[2], result.responses[6], result.responses[10]};
    EXPECT_EQ(misses(idle, std::array{exact_slopes(queue)[2]}), None()) << queue.arrival_rate;
  }
}

ActivityNetwork uneven_network(int point = 0) {
  ActivityNetwork network{};
  double mean = 0.5 + 0.1 * point;
  for_each_parameter<ActivityNetwork>([&](const auto& parameter) { network.*parameter.member = mean += 0.25; });
  return network;
}

TEST(LikelihoodRatioNetwork, IntervalsHoldTheDerivativesOfExactTimes) {
  const auto names = names_of<ActivityNetwork, 13>();
  for (int point = 0; point < points; ++point) {
    const ActivityNetwork network = uneven_network(point);
    const auto result =
        simulate(Host(), LikelihoodRatio<ActivityNetwork, 13>(network, names), plan_of(50'000, 39 * points));
    EXPECT_EQ(misses(result.responses, exact_network_times(along<13>(network, names))), None()) << point;
    for (std::size_t i = 3; i < result.responses.size(); ++i) EXPECT_LT(half_width_of(result.responses[i]), 1);
  }
}

// A parameter without a check and without texts for users.
template <class Model, class Real>
constexpr Parameter<Model, Real> plain(const char* name, Real Model::*member, double default_value) {
  return {name, member, default_value, "", "", nullptr};
}

// Responses: 1, whose derivatives are the scores; a variate of each family whose log density is smooth in its
// parameters; parameters used outside distributions; and a success.
template <class Real = double>
struct Families {
  Real rate, exponential_mean, mean, deviation, log_mean, log_deviation, mode, weibull_shape, weibull_scale,
      gamma_shape, gamma_scale, shape_by_rate, gamma_rate, erlang_rate, probability, poisson_mean, high;

  enum Input { any, input_count };
  static constexpr auto response_names = std::array{"one",
                                                    "exponential",
                                                    "by mean",
                                                    "normal",
                                                    "lognormal",
                                                    "triangular",
                                                    "weibull",
                                                    "gamma",
                                                    "gamma by rate",
                                                    "erlang",
                                                    "geometric",
                                                    "poisson",
                                                    "with explicit mean",
                                                    "uniform of u",
                                                    "exponential of v",
                                                    "success"};
  static constexpr int directions = 17;

  static constexpr auto parameters() {
    using F = Families;
    return std::tuple{plain("rate", &F::rate, 1.5),
                      plain("exponential_mean", &F::exponential_mean, 0.7),
                      plain("mean", &F::mean, 1.2),
                      plain("deviation", &F::deviation, 0.8),
                      plain("log_mean", &F::log_mean, 0.3),
                      plain("log_deviation", &F::log_deviation, 0.5),
                      plain("mode", &F::mode, 1.1),
                      plain("weibull_shape", &F::weibull_shape, 1.6),
                      plain("weibull_scale", &F::weibull_scale, 1.3),
                      plain("gamma_shape", &F::gamma_shape, 0.9),
                      plain("gamma_scale", &F::gamma_scale, 1.4),
                      plain("shape_by_rate", &F::shape_by_rate, 2.3),
                      plain("gamma_rate", &F::gamma_rate, 1.8),
                      plain("erlang_rate", &F::erlang_rate, 2.1),
                      plain("probability", &F::probability, 0.4),
                      plain("poisson_mean", &F::poisson_mean, 2.5),
                      plain("high", &F::high, 3.0)};
  }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 16> operator()(Inputs& inputs) const {
    const Real by_mean = exponential_by_mean(inputs(any), exponential_mean);
    const double u = inputs(any), v = inputs(any);
    return {{Real(1), exponential(inputs(any), rate), by_mean, normal(inputs(any), mean, deviation),
             lognormal(inputs(any), log_mean, log_deviation), triangular(inputs(any), 0.5, mode, 4.0),
             weibull(inputs(any), weibull_shape, weibull_scale), gamma(inputs(any), gamma_shape, gamma_scale),
             gamma_by_rate(inputs(any), shape_by_rate, gamma_rate), erlang(inputs(any), 3, erlang_rate),
             Real(geometric(inputs(any), probability)), Real(poisson(inputs(any), poisson_mean)),
             by_mean * exponential_mean, uniform(u, -1.0, high), exponential(v, rate),
             geometric(inputs(any), probability) < 1 ? Real(1) : Real(0)}};
  }

  // Expectation of each response.
  Kokkos::Array<Real, 16> means() const {
    const Real weibull_mean = weibull_scale * math::exp(math::log_gamma(1.0 + 1.0 / weibull_shape));
    return {{Real(1), 1.0 / rate, exponential_mean, mean, math::exp(log_mean + 0.5 * (log_deviation * log_deviation)),
             (4.5 + mode) / 3.0, weibull_mean, gamma_shape * gamma_scale, shape_by_rate / gamma_rate, 3.0 / erlang_rate,
             (1.0 - probability) / probability, poisson_mean, exponential_mean * exponential_mean, 0.5 * (high - 1.0),
             1.0 / rate, probability}};
  }
};

Families<> families_at(int point) {
  auto families = default_model<Families<>>();
  for_each_parameter<Families<>>([&](const auto& parameter) { families.*parameter.member *= 1 + 0.08 * point; });
  return families;
}

TEST(LikelihoodRatio, OfEachFamilyGivesTheDerivativesOfItsMean) {
  const auto names = names_of<Families<>, Families<>::directions>();
  for (int point = 0; point < points; ++point) {
    const Families<> families = families_at(point);
    const auto result = simulate(Host(), LikelihoodRatio<Families<>, Families<>::directions>(families, names),
                                 plan_of(20'000, 16 * 17 * points));
    EXPECT_EQ(misses(result.responses, along<17>(families, names).means()), None()) << point;
    for (const ResponseEstimate& estimate : result.responses) EXPECT_LT(half_width_of(estimate), 1) << estimate.name;
  }
}

// Responses that jump: whether the second customer of an M/M/1 queue waits longer than `patience`, and whether a
// project of one activity in parallel with two in series is late.
template <class Real = double>
struct Late {
  Real arrival_rate, service_rate, first, second, near;
  double patience, due;

  enum Input { any, input_count };
  static constexpr auto response_names = std::array{"waits for long", "is late"};

  static constexpr auto parameters() {
    using L = Late;
    return std::tuple{plain("arrival_rate", &L::arrival_rate, 0.8),
                      plain("service_rate", &L::service_rate, 1.0),
                      plain("first", &L::first, 1.0),
                      plain("second", &L::second, 0.6),
                      plain("beside", &L::near, 1.5),
                      plain("patience", &L::patience, 0.5),
                      plain("due", &L::due, 2.0)};
  }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 2> operator()(Inputs& inputs) const {
    const Real service = exponential(inputs(any), service_rate);
    const Real wait = service - exponential(inputs(any), arrival_rate);
    const Real in_a_row = exponential_by_mean(inputs(any), first) + exponential_by_mean(inputs(any), second);
    const Real end = math::max(in_a_row, exponential_by_mean(inputs(any), near));
    return {{wait > patience ? Real(1) : Real(0), end > due ? Real(1) : Real(0)}};
  }

  Kokkos::Array<Real, 2> means() const {
    const auto after = [&](const Real& mean) { return math::exp(-due / mean); };  // P(X > due), X exponential
    const Real row_after = (first * after(first) - second * after(second)) / (first - second);
    return {{math::exp(-(patience * service_rate)) * arrival_rate / (arrival_rate + service_rate),
             1.0 - (1.0 - row_after) * (1.0 - after(near))}};
  }
};

Late<> late_at(int point) {
  auto late = default_model<Late<>>();
  late.patience *= 0.5 + 0.1 * point;
  late.due *= 0.5 + 0.1 * point;
  return late;
}

const std::array<std::string, 5> late_by{"arrival_rate", "service_rate", "first", "second", "beside"};

TEST(LikelihoodRatio, IsRightWhereResponsesJumpAndThePathIsWrong) {
  for (int point = 0; point < points; ++point) {
    const auto expected = along<5>(late_at(point), late_by).means();
    const Plan plan = plan_of(20'000, 5 * points);
    const auto ratios = simulate(Host(), LikelihoodRatio<Late<>, 5>(late_at(point), late_by), plan);
    const auto path = simulate(Host(), Pathwise<Late<>, 5>(late_at(point), late_by), plan);
    EXPECT_EQ(misses(ratios.responses, expected), None()) << point;
    EXPECT_EQ(misses(path.responses, expected).size(), 5u) << point;
  }
}

// Negative controls: exponential variates scored with the log density of another distribution, or without a score.
struct SlightlyWrong {
  template <class Rate>
  KOKKOS_FUNCTION static Rate log_density(double x, const Rate& rate) {
    return math::log(rate) - 1.05 * rate * x;
  }
};

template <class Real = double>
struct Wrong {
  Real rate, probability;

  enum Input { any, input_count };
  static constexpr auto response_names = std::array{"one", "variate", "success"};

  static constexpr auto parameters() {
    return std::tuple{plain("rate", &Wrong::rate, 2.0), plain("probability", &Wrong::probability, 0.3)};
  }

  template <class Draw>
  KOKKOS_FUNCTION Real wrong_exponential(Draw&& draw) const {
    const double z = standard_variate<StandardExponential>(static_cast<Draw&&>(draw));
    return scored<SlightlyWrong>(draw, z / rate, rate);
  }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 3> operator()(Inputs& inputs) const {
    const Real x = wrong_exponential(inputs(any));
    const double u = inputs(any);
    return {{Real(1), x, u < probability ? Real(1) : Real(0)}};
  }

  Kokkos::Array<Real, 3> means() const { return {{Real(1), 1.0 / rate, probability}}; }
};

TEST(LikelihoodRatio, WithAWrongScoreOrNoneIsFound) {
  const std::array<std::string, 2> names{"rate", "probability"};
  const auto wrong = default_model<Wrong<>>();
  const auto result = simulate(Host(), LikelihoodRatio<Wrong<>, 2>(wrong, names), plan_of(100'000, 6 * points));
  const None expected{"d one / d rate", "d variate / d rate", "d success / d rate", "d success / d probability"};
  EXPECT_EQ(misses(result.responses, along<2>(wrong, names).means()), expected);
}

template <class Space>
class LikelihoodRatioOn : public ::testing::Test {};
TYPED_TEST_SUITE(LikelihoodRatioOn, Backends, BackendName);

// Values equal those of `model` in plain numbers; derivatives have the same bits as on the host.
template <class Space, class Model, std::size_t directions>
void expect_the_same_bits(const Model& model, const std::array<std::string, directions>& names,
                          std::size_t plain_responses) {
  Plan plan = plan_of(1000, 1);
  const LikelihoodRatio<Model, static_cast<int>(directions)> ratios(model, names);
  const auto expected = simulate(Host(), ratios, plan);
  const auto values = simulate(Space(), model, plan);
  for (const Mapping mapping : {Mapping::thread, Mapping::warp}) {
    plan.mapping = mapping;
    const auto found = simulate(Space(), ratios, plan);
    EXPECT_EQ(found.digest, expected.digest);
    for (std::size_t r = 0; r < plain_responses; ++r) {
      EXPECT_EQ(found.responses[r].mean, values.responses[r].mean);
      EXPECT_EQ(found.responses[r].variance, values.responses[r].variance);
    }
  }
}

template <class Space>
void expect_the_same_bits_of_all() {
  const std::array<std::string, 2> rates{"arrival_rate", "service_rate"};
  for (const MM1& queue : {MM1{0.7, 1.0, 50, 0}, MM1{0.7, 1.0, 0, 30}}) {
    expect_the_same_bits<Space>(queue, rates, 3);  // the fourth is a ratio of means
  }
  expect_the_same_bits<Space>(uneven_network(), names_of<ActivityNetwork, 13>(), 3);
  expect_the_same_bits<Space>(default_model<Families<>>(), names_of<Families<>, 17>(), 16);
}

TYPED_TEST(LikelihoodRatioOn, HasTheSameBits) { expect_the_same_bits_of_all<TypeParam>(); }

}  // namespace likelihood_ratio_tests
}  // namespace sporos::test
