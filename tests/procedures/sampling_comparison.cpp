// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/sampling_comparison.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace sampling_comparison_tests {

using namespace sporos;
using Space = Kokkos::DefaultExecutionSpace;

// Two responses: Σ u² over four uniforms, and a constant.
struct Squares {
  enum Input { coordinate, input_count };
  static constexpr auto response_names = std::array{"sum", "constant"};
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{4}}}; }
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(Inputs& inputs) const {
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
      const double u = inputs(coordinate);
      sum += u * u;
    }
    return {{sum, 2.0}};
  }
};

PointResult run(const Plan& plan, const Observer& observer) { return simulate(Space(), Squares(), plan, {}, observer); }

std::vector<ComparedSampling> compare(const Plan& plan, const std::vector<Sampling>& samplings) {
  return compare_samplings(run, plan, samplings);
}

// A plan whose intervals miss with probability 10^-4 for a random seed.
Plan plan_of_runs(std::int64_t length, std::int64_t runs) {
  Plan plan;
  plan.source.run_length = length;
  plan.replications = length * runs;
  plan.confidence = 1 - 1e-4;
  return plan;
}

TEST(Comparison, OfRandomSamplingWithItselfIsOne) {
  const auto compared = compare(plan_of_runs(10, 200), {Sampling::random, Sampling::random});
  ASSERT_EQ(compared.size(), 2u);
  for (const auto& sampling : compared) {
    const auto& sum = sampling.responses.at(0);
    EXPECT_EQ(sum.variance_ratio.ratio, 1);
    EXPECT_EQ(sum.variance_ratio.low, 1);
    EXPECT_EQ(sum.variance_ratio.high, 1);
    EXPECT_EQ(sum.random_replications, 2000);
    EXPECT_EQ(sum.estimate.observations, 200);
  }
}

// Variances in theory: 4/45 for a term, 1/90 per replication for an antithetic term, and about 1/(9 n²) for a term in n
// strata (m² h²/3 + h⁴/180 in the stratum of width h about m).
TEST(Comparison, FindsTheRatiosOfTheory) {
  constexpr std::int64_t n = 20;
  double stratified = 0;
  for (int i = 0; i < n; ++i) {
    const double h = 1.0 / n, m = (i + 0.5) * h;
    stratified += (m * m * h * h / 3 + h * h * h * h / 180) / n;
  }
  const auto compared = compare(plan_of_runs(n, 400), {Sampling::latin_hypercube, Sampling::antithetic});
  const auto expect_ratio = [&](std::size_t sampling, double expected) {
    const auto& ratio = compared[sampling].responses[0].variance_ratio;
    EXPECT_LT(ratio.low, expected);
    EXPECT_GT(ratio.high, expected);
    EXPECT_LT(ratio.high, 3 * ratio.low) << "an interval that says something";
    EXPECT_LT(ratio.high, 0.5) << "random sampling is another one";
  };
  expect_ratio(0, stratified / (4.0 / 45));
  expect_ratio(1, 0.125);
  const auto& latin = compared[0];
  EXPECT_EQ(latin.responses[0].random_replications,
            static_cast<double>(latin.result.replications) / latin.responses[0].variance_ratio.ratio);
}

// Compares pairs with single replications, each scaled to one replication.
TEST(Comparison, IsPerReplicationWhereRunsDifferInLength) {
  const auto compared = compare(plan_of_runs(1, 4000), {});
  EXPECT_TRUE(compared.empty());
  Plan plan = plan_of_runs(1, 4000);
  plan.source.run_length = 0;
  const auto pairs = compare(plan, {Sampling::antithetic});
  const auto& ratio = pairs[0].responses[0].variance_ratio;
  EXPECT_LT(ratio.low, 0.125);
  EXPECT_GT(ratio.high, 0.125);
  EXPECT_EQ(pairs[0].responses[0].estimate.observations, 2000);
}

// A ratio of expectations: the sum of four uniforms over the sum of their squares.
struct Quotient {
  enum Input { coordinate, input_count };
  static constexpr auto response_names = std::array{"sum", "squares", "quotient"};
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{4}}}; }
  std::vector<RatioOfMeans> ratios() const { return {{2, {0, {{0, 1}}}, {0, {{1, 1}}}}}; }
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(Inputs& inputs) const {
    double sum = 0, squares = 0;
    for (int i = 0; i < 4; ++i) {
      const double u = inputs(coordinate);
      sum += u;
      squares += u * u;
    }
    return {{sum, squares, sum / squares}};
  }
};

// The compared variances are those of the estimates by the delta method, whatever the ratios within replications are.
TEST(Comparison, OfARatioOfMeansIsOfItsEstimate) {
  const auto run_quotient = [](const Plan& plan, const Observer& observer) {
    return simulate(Space(), Quotient(), plan, {}, observer);
  };
  Plan plan = plan_of_runs(1, 2000);
  plan.source.run_length = 0;
  const std::vector samplings = {Sampling::random, Sampling::antithetic};
  for (const bool has_ratios : {true, false}) {
    const auto ratios = has_ratios ? Quotient().ratios() : std::vector<RatioOfMeans>();
    const auto compared = compare_samplings(run_quotient, plan, samplings, ratios);
    const ResponseEstimate &random = compared[0].responses[2].estimate, &pairs = compared[1].responses[2].estimate;
    EXPECT_NEAR(pairs.mean, 1.5, 0.05) << "2 over 4/3";
    const double expected = 2 * pairs.variance / random.variance;
    const double found = compared[1].responses[2].variance_ratio.ratio;
    if (has_ratios) {
      EXPECT_NEAR(found / expected, 1, 1e-9);
    } else {
      EXPECT_GT(std::abs(found / expected - 1), 0.05) << "control";
    }
  }
}

TEST(Comparison, OfAResponseThatNeverVariesIsUnknown) {
  const auto compared = compare(plan_of_runs(10, 20), {Sampling::sobol});
  EXPECT_TRUE(std::isnan(compared[0].responses[1].variance_ratio.ratio));
  EXPECT_TRUE(std::isnan(compared[0].responses[1].random_replications));
}

// Descriptive sampling of a sum leaves no variance.
TEST(Comparison, OfASamplingWithoutVarianceIsNothing) {
  const auto compared = compare(plan_of_runs(10, 20), {Sampling::descriptive});
  EXPECT_LT(compared[0].responses[0].variance_ratio.high, 1e-20);
  EXPECT_GT(compared[0].responses[0].random_replications, 1e20);
}

TEST(Comparison, GivesEachSamplingWhatItTakes) {
  std::vector<Plan> plans;
  const auto record = [&](const Plan& plan, const Observer& observer) {
    plans.push_back(plan);
    return run(plan, observer);
  };
  Plan plan = plan_of_runs(1, 64);
  plan.source.run_length = 0;
  plan.source.sample_size = 20;
  plan.source.engine = Engine::taus88;
  plan.source.primes = {5, 11};
  plan.seed = 99;
  const auto samplings = {Sampling::descriptive, Sampling::refined_descriptive, Sampling::antithetic, Sampling::random};
  const auto compared = compare_samplings(record, plan, std::vector(samplings));
  ASSERT_EQ(plans.size(), 4u) << "random sampling is run once";
  EXPECT_EQ(plans[0].source.sampling, Sampling::random);
  for (const auto& own : plans) {
    EXPECT_EQ(own.replications, 64);
    EXPECT_EQ(own.seed, 99u);
    EXPECT_EQ(own.source.engine, takes_engine(own.source.sampling) ? Engine::taus88 : Engine::philox4x32);
    EXPECT_EQ(own.source.sample_size, own.source.sampling == Sampling::descriptive ? 20 : 0);
  }
  EXPECT_EQ(plans[2].source.primes.largest, 11u);
  ASSERT_EQ(compared.size(), 4u);
  EXPECT_EQ(compared[0].source.sample_size, 20);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(compared[i].source.sampling, plans[i + 1].source.sampling);
    EXPECT_EQ(compared[i].result.digest, simulate(Space(), Squares(), plans[i + 1]).digest);
  }
}

TEST(Comparison, RefusesEverySamplingBeforeItRunsAny) {
  int runs = 0;
  const auto count = [&](const Plan& plan, const Observer& observer) {
    ++runs;
    return run(plan, observer);
  };
  const std::vector samplings = {Sampling::antithetic, Sampling::sobol};
  Plan plan = plan_of_runs(1, 64);
  EXPECT_THROW(compare_samplings(count, plan, samplings, {}, [](const Plan& of) { check_source(of.source, {}); }),
               std::invalid_argument);
  plan.source.run_length = 0;
  plan.replications = 7;
  EXPECT_THROW(compare_samplings(count, plan, samplings), std::invalid_argument) << "not in pairs";
  EXPECT_EQ(runs, 0);
}

TEST(Comparison, RefusesAPrecisionAndWhatASamplingCannotServe) {
  Plan plan = plan_of_runs(1, 64);
  EXPECT_THROW(compare(plan, {Sampling::antithetic}), std::invalid_argument);
  plan.source.run_length = 0;
  EXPECT_THROW(compare(plan, {Sampling::sobol}), std::invalid_argument);
  EXPECT_NO_THROW(compare(plan, {Sampling::antithetic}));
  plan.precision.half_width = 1;
  EXPECT_THROW(compare(plan, {Sampling::antithetic}), std::invalid_argument);
}

}  // namespace sampling_comparison_tests
