// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a model as a problem for searches, and searches on models whose optima are known.
#include <sporos/core/events/failure.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/likelihood_ratio.hpp>
#include <sporos/models/projects/activity_network.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mmck.hpp>
#include <sporos/optimizers/search/constrained_problem.hpp>
#include <sporos/optimizers/search/optimality_gap.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_frank_wolfe.hpp>
#include <sporos/optimizers/search/stochastic_approximation.hpp>
#include <sporos/procedures/simulated_objective.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>
#include <harness/backends.hpp>
#include <harness/long_tests.hpp>
#include <harness/seeds.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace sporos::test {
namespace simulated_objective_tests {

using Host = Kokkos::DefaultHostExecutionSpace;
using models::ActivityNetwork;
using models::MM1;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The term Σ 1 / mean of SimOpt's problem SAN-1, which adds it to the mean duration.
double crash_cost(std::span<const double> x, std::span<double> gradient) {
  double cost = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    cost += 1 / x[i];
    if (!gradient.empty()) gradient[i] = -1 / (x[i] * x[i]);
  }
  return cost;
}

template <class Space>
SimulatedObjective<ActivityNetwork, Space, 13> network_problem(const Space& space = {}) {
  std::vector<Decision> decisions;
  for (const std::string_view name : differentiable_parameters<ActivityNetwork>()) {
    decisions.push_back({std::string(name), 0.01, infinity});
  }
  return {space, default_model<ActivityNetwork>(), decisions, weighted_sum({{"duration", 1}}, crash_cost)};
}

// The exact objective of SAN-1 and its derivatives.
Dual<13> exact_objective(const std::vector<double>& x) {
  models::BasicActivityNetwork<Dual<13>> network{};
  std::size_t i = 0;
  Dual<13> cost = 0;
  for_each_parameter<models::BasicActivityNetwork<Dual<13>>>([&](const auto& parameter) {
    Dual<13> mean(x[i]);
    mean.slope[i++] = 1;
    network.*parameter.member = mean;
    cost += 1.0 / mean;
  });
  return exact_network_times(network)[0] + cost;
}

// Minimizes the exact objective by gradient steps of Barzilai and Borwein's length, until the gradient is 0.
std::vector<double> exact_optimum() {
  std::vector<double> x(13, 1.0), before, slopes_before;
  for (int i = 0; i < 100; ++i) {
    const Dual<13> here = exact_objective(x);
    double along = 0, square = 0, norm = 0;
    for (std::size_t j = 0; j < 13; ++j) {
      norm += here.slope[j] * here.slope[j];
      if (before.empty()) continue;
      along += (x[j] - before[j]) * (x[j] - before[j]);
      square += (x[j] - before[j]) * (here.slope[j] - slopes_before[j]);
    }
    if (norm < 1e-20) break;
    const double step = before.empty() ? 0.1 : along / square;
    before = x;
    slopes_before.assign(here.slope.data(), here.slope.data() + 13);
    for (std::size_t j = 0; j < 13; ++j) x[j] -= step * here.slope[j];
  }
  return x;
}

TEST(SimulatedObjective, HasTheMeansOfAnExperiment) {
  auto problem = network_problem<Host>();
  ASSERT_EQ(problem.dimension(), 13u);
  EXPECT_TRUE(problem.has_gradient());
  std::vector<double> x(13);
  for (std::size_t i = 0; i < 13; ++i) x[i] = 0.5 + 0.1 * static_cast<double>(i);
  const std::vector<Sample> samples{{x, 7, 100, 1000, true}, {x, 7, 100, 1000, false}};
  const auto means = problem.evaluate(samples);
  Plan plan;
  plan.replications = 1100;
  plan.seed = 7;
  std::vector<double> durations;
  std::array<std::string, 13> names;
  std::ranges::copy(differentiable_parameters<ActivityNetwork>(), names.begin());
  const Pathwise<ActivityNetwork, 13> slopes(problem.model_at(x), names);
  std::array<double, 14> sums{};
  double squares = 0;
  const Recorder recorder = [&](const ReplicationRows& rows) {
    for (std::int64_t row = 0; row < rows.count; ++row) {
      if (rows.first + row < 100) continue;
      for (std::size_t j = 0; j < 14; ++j) sums[j] += rows(0, row, 3 * j) / 1000;
      squares += rows(0, row, 0) * rows(0, row, 0);
    }
  };
  simulate(Host(), slopes, plan, {}, {}, single_process, {}, recorder);
  std::vector<double> cost_slopes(13);
  const double cost = crash_cost(x, cost_slopes);
  EXPECT_NEAR(means[0].mean, sums[0] + cost, 1e-12);
  EXPECT_NEAR(means[0].squared_deviation, squares - 1000 * sums[0] * sums[0], 1e-8);
  for (std::size_t j = 0; j < 13; ++j) EXPECT_NEAR(means[0].gradient[j], sums[1 + j] + cost_slopes[j], 1e-12);
  EXPECT_EQ(means[1].mean, means[0].mean);  // identical bits
  EXPECT_EQ(means[1].squared_deviation, means[0].squared_deviation);
  EXPECT_TRUE(means[1].gradient.empty());
}

// Samples in succession at a point run in one launch, in packs. Each alone yields the same bits.
TEST(SimulatedObjective, HasTheSameMomentsForSamplesInSuccession) {
  auto problem = network_problem<Host>();
  const std::vector<double> x(13, 0.5), other(13, 0.75);
  for (const std::int64_t count : {1, 2, 3, 5, 12}) {
    std::vector<Sample> samples;
    for (std::int64_t batch = 0; batch < 8; ++batch) samples.push_back({x, 7, 10 + 1000 * batch, count, false, true});
    for (std::int64_t batch = 0; batch < 8; ++batch) samples.push_back({other, 7, 10 + 1000 * batch, count});
    for (std::int64_t batch = 0; batch < 3; ++batch) samples.push_back({x, 8, 10 + 100 * batch, count});
    samples.push_back({std::vector<double>(13, -1.0), 7, 10, count});  // infeasible
    const std::vector<SampleMoments> found = problem.simulate(samples);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const SampleMoments alone = problem.simulate(std::span(samples).subspan(i, 1)).front();
      EXPECT_EQ(found[i].count, alone.count) << i;
      EXPECT_EQ(found[i].means, alone.means) << i;
      EXPECT_EQ(found[i].products, alone.products) << i;
      EXPECT_EQ(found[i].values, alone.values) << i;
    }
    EXPECT_NE(found[0].means, found[1].means);
    EXPECT_EQ(found.back().count, 0);
  }
}

// Several passes of three directions and a single pass of all directions yield the same bits.
TEST(SimulatedObjective, HasTheSameGradientInSeveralPasses) {
  const std::vector<Decision> decisions{
      {"mean_1_2", 0.1, 9}, {"mean_5_8", 0.1, 9}, {"mean_3_6", 0.1, 9}, {"mean_8_9", 0.1, 9}};
  const std::vector<Sample> samples{{{1, 2, 3, 4}, 1, 0, 300, true}, {{2, 2, 1, 4}, 2, 0, 300, true}};
  SimulatedObjective<ActivityNetwork, Host, 3> in_passes(Host(), default_model<ActivityNetwork>(), decisions,
                                                         weighted_sum({{"duration", 2}}));
  SimulatedObjective<ActivityNetwork, Host, 4> at_once(Host(), default_model<ActivityNetwork>(), decisions,
                                                       weighted_sum({{"duration", 2}}));
  const auto found = in_passes.evaluate(samples), expected = at_once.evaluate(samples);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(found[i].mean, expected[i].mean);
    EXPECT_EQ(found[i].gradient, expected[i].gradient);
  }
}

template <class Space>
class SimulatedObjectiveOn : public ::testing::Test {};
TYPED_TEST_SUITE(SimulatedObjectiveOn, Backends, BackendName);

StochasticApproximationOptions adam() {
  StochasticApproximationOptions options;
  options.step = 0.2;
  return options;
}

template <class Space>
std::vector<SearchResult> adam_on_network(std::int64_t budget, const std::vector<std::uint64_t>& of) {
  auto problem = network_problem<Space>();
  const Solver solver = [](SearchRun& run) { return stochastic_approximation(run, adam()); };
  return run_searches(problem, solver, std::vector<double>(13, 8.0), budget, of);
}

template <class Space>
void expect_the_bits_of_a_host() {
  const auto expected = adam_on_network<Host>(700, {3});
  const auto found = adam_on_network<Space>(700, {2, 3, 5});
  EXPECT_EQ(found[1].x, expected[0].x);  // independent of other runs
  EXPECT_EQ(found[1].recommendations.size(), expected[0].recommendations.size());
  EXPECT_NE(found[0].x, expected[0].x);
}

TYPED_TEST(SimulatedObjectiveOn, GivesSearchesTheSameBits) { expect_the_bits_of_a_host<TypeParam>(); }

TEST(StochasticApproximation, FindsTheActivityNetworksOptimum) {
  const std::vector<double> optimum = exact_optimum();
  const Dual<13> exact = exact_objective(optimum);
  for (std::size_t j = 0; j < 13; ++j) ASSERT_NEAR(exact.slope[j], 0, 1e-8);
  const double least = exact.value;
  double gap = 0;
  for (const SearchResult& result : adam_on_network<Host>(30'000, seeds(10))) {
    EXPECT_EQ(result.replications, 30'000);
    gap += (exact_objective(result.x).value - least) / 10;
  }
  EXPECT_LT(gap, 0.02 * least) << least;
  EXPECT_GT(exact_objective(std::vector<double>(13, 8.0)).value, 1.5 * least);  // the start
}

// The optimum in a region that limits the sum of the mean durations: projected gradient steps of Barzilai and Borwein's
// length (1988), until all derivatives that no bound holds are equal.
std::vector<double> exact_optimum_with(const SearchRegion& region, const std::vector<double>& start) {
  std::vector<double> x = start;
  Dual<13> here = exact_objective(x);
  double step = 0.02;
  for (int i = 0; i < 100; ++i) {
    std::vector<double> next = x;
    for (std::size_t j = 0; j < 13; ++j) next[j] -= step * here.slope[j];
    next = region.projected(std::move(next));
    const Dual<13> there = exact_objective(next);
    double squares = 0, bends = 0;
    for (std::size_t j = 0; j < 13; ++j) {
      squares += (next[j] - x[j]) * (next[j] - x[j]);
      bends += (next[j] - x[j]) * (there.slope[j] - here.slope[j]);
    }
    x = std::move(next);
    here = there;
    if (squares < 1e-20) break;
    if (bends > 0) step = squares / bends;
  }
  for (std::size_t j = 0; j < 13; ++j) EXPECT_NEAR(here.slope[j], here.slope[0], 1e-6);
  EXPECT_LT(here.slope[0], -0.1);  // the limit of the sum is active
  return x;
}

TEST(SampledFrankWolfe, FindsTheActivityNetworksOptimumWithATotal) {
  auto box = network_problem<Host>();
  ConstrainedProblem problem(box, {std::vector<double>(13, 1.0), 8});
  const std::vector<double> start(13, 0.4);
  const double least = exact_objective(exact_optimum_with(problem.region(), start)).value;
  EXPECT_GT(exact_objective(start).value, 1.03 * least);
  const std::vector<Solver> solvers{[](SearchRun& run) { return sampled_frank_wolfe(run, {}); },
                                    [](SearchRun& run) { return stochastic_approximation(run, adam()); }};
  for (const Solver& solver : solvers) {
    double gap = 0;
    const std::uint64_t count = runs_in_test(5, 10);
    for (const SearchResult& result : run_searches(problem, solver, start, 60'000, seeds(count))) {
      EXPECT_LE(problem.region().violation(result.x), 0);
      gap += (exact_objective(result.x).value - least) / static_cast<double>(count);
      const OptimalityGap bounded = frank_wolfe_gap(problem, result.x, {.confidence = 0.999});
      EXPECT_GT(bounded.bound, exact_objective(result.x).value - least);
    }
    EXPECT_GE(gap, 0);
    EXPECT_LT(gap, 0.005 * least) << least;
  }
}

// The function E[time in queue] / E[time in system] and its derivatives.
const FunctionOfMeans ratio_of_means = [](std::span<const double>, std::span<const double> means,
                                          std::span<double> by_decisions, std::span<double> by_means) {
  std::ranges::fill(by_decisions, 0.0);
  if (!by_means.empty()) {
    by_means[0] = 1 / means[1];
    by_means[1] = -means[0] / (means[1] * means[1]);
  }
  return means[0] / means[1];
};

MM1 short_queue(double service_rate) {
  MM1 queue = default_model<MM1>();
  queue.service_rate = service_rate;
  queue.customers = 20;
  return queue;
}

double exact_ratio(double service_rate) {
  const auto means = short_queue(service_rate).exact_means();
  return means[0].value() / means[1].value();
}

SimulatedObjective<MM1, Host, 1> ratio_problem() {
  const std::vector<Decision> decisions{{"service_rate", 0.6, 9}};
  return {Host(), short_queue(1), decisions, function_of_means({"time in queue", "time in system"}, ratio_of_means)};
}

// 2000 samples have 99 % intervals by the delta method. The number of intervals that miss is binomial with p = 0.01: it
// is between 8 and 36 except in one case of 500. Without the covariance hardly any interval misses, because both times
// share the queue.
TEST(SimulatedObjective, EstimatesFunctionsOfMeansByTheDeltaMethod) {
  auto problem = ratio_problem();
  const double exact = exact_ratio(1);
  std::vector<Sample> samples;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) samples.push_back({{1.0}, seed, 0, 400});
  int outside = 0, outside_without_covariance = 0;
  for (const SampleMean& mean : problem.evaluate(samples)) {
    const double critical = 2.5758, distance = std::abs(mean.mean - exact);
    if (distance > critical * std::sqrt(mean.variance_of_mean())) ++outside;
    const auto &means = mean.moments.means, &products = mean.moments.products;
    const double a = 1 / means[1], b = means[0] / (means[1] * means[1]);
    const double variance = (a * a * products[0] + b * b * products[3]) / 399 / 400;
    if (distance > critical * std::sqrt(variance)) ++outside_without_covariance;
    EXPECT_EQ(products[1], products[2]);
  }
  EXPECT_GE(outside, 8);
  EXPECT_LE(outside, 36);
  EXPECT_LE(outside_without_covariance, 2);
}

TEST(SimulatedObjective, DifferentiatesFunctionsOfMeans) {
  auto problem = ratio_problem();
  const double h = 1e-3;
  for (const double rate : {0.8, 1.0, 3.0}) {
    const std::vector<Sample> samples{{{rate}, 1, 0, 200'000, true, true}};
    const SampleMean mean = problem.evaluate(samples).front();
    const double exact = (exact_ratio(rate + h) - exact_ratio(rate - h)) / (2 * h);
    double squares = 0;  // squared deviations of the replications' derivatives
    for (std::size_t r = 200'000; r < mean.values.size(); ++r)
      squares += std::pow(mean.values[r] - mean.gradient[0], 2);
    EXPECT_NEAR(mean.gradient[0], exact, 6 * std::sqrt(squares) / 200'000) << rate;
    EXPECT_GT(std::abs(exact), 20 * std::sqrt(squares) / 200'000);
  }
}

// The derivative by likelihood ratios is within a 99.9 % interval; with the opposite sign it would be far outside.
TEST(SimulatedObjective, TakesLikelihoodRatios) {
  const std::vector<Decision> decisions{{"service_rate", 0.6, 9}};
  SimulatedObjective<MM1, Host, 1, LikelihoodRatioEstimator> problem(Host(), short_queue(1), decisions,
                                                                     weighted_sum({{"time in system", 1}}));
  const double h = 1e-3;
  const std::vector<Sample> samples{{{1.2}, 1, 0, 200'000, true, true}};
  const SampleMean mean = problem.evaluate(samples).front();
  const auto exact_at = [](double rate) { return short_queue(rate).exact_means()[1].value(); };
  const double exact = (exact_at(1.2 + h) - exact_at(1.2 - h)) / (2 * h);
  double squares = 0;
  for (std::size_t r = 200'000; r < mean.values.size(); ++r) squares += std::pow(mean.values[r] - mean.gradient[0], 2);
  const double error = std::sqrt(squares) / 200'000;
  EXPECT_NEAR(mean.gradient[0], exact, 3.29 * error);
  EXPECT_GT(std::abs(exact), 20 * error);
}

// Pooled samples equal one sample.
TEST(SimulatedObjective, PoolsReplications) {
  auto problem = ratio_problem();
  const std::vector<Sample> samples{{{1.5}, 1, 0, 1000}, {{1.5}, 1, 0, 300}, {{1.5}, 1, 300, 700}};
  const auto means = problem.evaluate(samples);
  const SearchRun run(problem, {1.5}, 10'000, 1);
  const SampleMean pooled = run.pooled({1.5}, means[1], means[2]);
  EXPECT_EQ(pooled.count, 1000);
  EXPECT_NEAR(pooled.mean, means[0].mean, 1e-13);
  EXPECT_NEAR(pooled.variance(), means[0].variance(), 1e-12);
  EXPECT_GT(std::abs(means[1].mean - means[0].mean), 1e-6);
}

// A model of cost x. Replications fail with probability x - 1, and are infinite with probability -x - 1. The model is
// valid for sizes up to 8.
template <class Real = double>
struct BasicFragile {
  static constexpr std::string_view name = "fragile", title = "a model that fails";
  Real x;
  std::int64_t size;
  enum Input { luck, input_count };
  static constexpr auto response_names = std::array{"cost"};
  static constexpr auto parameters() {
    return std::tuple{Parameter<BasicFragile, Real>{"x", &BasicFragile::x, 0.0, "", "cost", check_finite},
                      Parameter<BasicFragile, std::int64_t>{"size", &BasicFragile::size, 1, "", "size", check_steps}};
  }
  void check() const {
    if (size > 8) throw std::invalid_argument("size is too large");
  }
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 1> operator()(Inputs& inputs) const {
    const double u = inputs(luck), at = value_of(x);
    if (u < at - 1) return {{Real(failure_mark(Failure::queue_full, 7))}};
    if (u < -at - 1) return {{Real(infinity)}};
    return {{x}};
  }

 private:
  KOKKOS_FUNCTION static double value_of(double number) { return number; }
  template <int directions, class Inner>
  KOKKOS_FUNCTION static double value_of(const Dual<directions, Inner>& number) {
    return value_of(number.value);
  }
};
using Fragile = BasicFragile<>;

TEST(SimulatedObjective, CountsReplicationsThatFail) {
  const std::vector<Decision> decisions{{"x", -2, 2}};
  SimulatedObjective<Fragile, Host> problem(Host(), Fragile{0, 1}, decisions, weighted_sum({{"cost", 1}}));
  for (const bool has_gradient : {false, true}) {
    std::vector<Sample> samples;
    for (const double x : {0.5, 1.25, 2.0, -1.5, -0.5}) samples.push_back({{x}, 1, 0, 1000, has_gradient});
    const std::vector<SampleMoments> found = problem.simulate(samples);
    const std::vector<double> expected{0, 250, 1000, 500, 0};  // six standard deviations are at most 95
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(found[i].failed), expected[i], expected[i] == 0 || expected[i] == 1000 ? 0 : 95);
      EXPECT_EQ(found[i].count, expected[i] == 0 ? 1000 : 0);
      const bool is_marked = i == 1 || i == 2;
      EXPECT_EQ(found[i].failure.failure, is_marked ? Failure::queue_full : Failure::none) << i;
      EXPECT_EQ(found[i].failure.capacity, is_marked ? 7U : 0U);
    }
    EXPECT_EQ(found[4].means, std::vector<double>{-0.5});
  }
}

// The value is infinite also if derivatives are requested.
TEST(SimulatedObjective, IsInfiniteWhereThereIsNoModel) {
  const std::vector<Decision> decisions{{"x", -2, 2}};
  SimulatedObjective<Fragile, Host> problem(Host(), Fragile{0, 9}, decisions, weighted_sum({{"cost", 1}}));
  const std::vector<Sample> samples{{{0.5}, 1, 0, 10, true}, {{0.5}, 1, 0, 10}};
  for (const SampleMean& mean : problem.evaluate(samples)) {
    EXPECT_EQ(mean.count, 0);
    EXPECT_EQ(mean.mean, infinity);
    EXPECT_EQ(mean.moments.failed, 0);
  }
}

TEST(SimulatedObjective, WantsWholeBoundsOfWholeParameters) {
  const auto message_of = [](double low, double high) -> std::string {
    const std::vector<Decision> decisions{{"size", low, high}};
    try {
      SimulatedObjective<Fragile, Host>(Host(), Fragile{0, 1}, decisions, weighted_sum({{"cost", 1}}));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "taken";
  };
  const std::string expected = ", expected whole numbers, because the parameter takes only whole numbers";
  EXPECT_EQ(message_of(1, 8), "taken");
  EXPECT_EQ(message_of(1, infinity), "taken");
  EXPECT_EQ(message_of(0.5, 8), "decision 'size' goes from 0.5 to 8" + expected);
  EXPECT_EQ(message_of(1, 8.5), "decision 'size' goes from 1 to 8.5" + expected);
}

TEST(SimulatedObjective, RefusesWhatItCannotDo) {
  const auto message_of = [](const std::vector<Decision>& decisions, const std::string& response) -> std::string {
    try {
      SimulatedObjective<MM1, Host>(Host(), default_model<MM1>(), decisions, weighted_sum({{response, 1}}));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "taken";
  };
  const Decision rate{"service_rate", 0.6, 9};
  EXPECT_EQ(message_of({rate}, "time in system"), "taken");
  EXPECT_EQ(message_of({}, "time in system"), "there are no decision variables, expected at least one parameter");
  EXPECT_EQ(message_of({rate, rate}, "idle time"), "decision 'service_rate' is given twice");
  EXPECT_EQ(message_of({{"speed", 0, 1}}, "idle time"),
            "decision 'speed' is not a parameter of the model, expected one of arrival_rate, service_rate, customers, "
            "horizon");
  EXPECT_EQ(message_of({{"service_rate", 2, 1}}, "idle time"),
            "decision 'service_rate' goes from 2 to 1, expected a lower bound below the upper bound");
  EXPECT_EQ(message_of({rate}, "cost"),
            "the model has no response 'cost', expected one of time in queue, time in system, idle time, queue "
            "length");
}

}  // namespace simulated_objective_tests
}  // namespace sporos::test
