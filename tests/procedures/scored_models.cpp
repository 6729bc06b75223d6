// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks models that declare for which parameters likelihood ratios are unbiased: the check of derivatives agrees.
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/replication/likelihood_ratio.hpp>
#include <sporos/models/inventory/continuous_newsvendor.hpp>
#include <sporos/models/projects/activity_network.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/optimizers/constrained/tail_problem.hpp>
#include <sporos/optimizers/search/check_pathwise.hpp>
#include <sporos/procedures/simulated_objective.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>
#include <harness/long_tests.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace sporos::test {
namespace scored_models_tests {

using Host = Kokkos::DefaultHostExecutionSpace;
using models::ActivityNetwork;
using models::MM1;

// Responses whose mean has a biased derivative by any scored parameter, around the model's own values.
template <class Model, class Estimator>
std::vector<std::string> biased_responses(const Model& model, std::int64_t replications) {
  const std::vector<std::string> names = scored_parameters<Model>();
  const auto all = differentiable_parameters<Model>();
  std::vector<Decision> decisions;
  std::vector<double> x;
  for (const std::string& name : names) {
    EXPECT_NE(std::ranges::find(all, name), all.end()) << name;
    for_each_parameter<Model>([&]<class Value>(const Parameter<Model, Value>& parameter) {
      if (parameter.name == name) x.push_back(static_cast<double>(model.*parameter.member));
    });
    decisions.push_back({name, x.back() / 2, 2 * x.back()});
  }
  std::vector<std::string> biased;
  for (const std::string& response : response_names_of(model)) {
    SimulatedObjective<Model, Host, 13, Estimator> problem(Host(), model, decisions, weighted_sum({{response, 1}}));
    if (check_pathwise(problem, x, {.replications = replications, .step = 0.02})) biased.push_back(response);
  }
  return biased;
}

using None = std::vector<std::string>;

// An unbiased response is rejected with probability 0.001; there are 11 of them.
TEST(ScoredModels, HaveLikelihoodRatiosWithoutBias) {
  const MM1 by_customers{0.6, 1, 10, 0}, by_time{0.6, 1, 0, 8};
  const std::int64_t count = runs_in_test(8000, 20'000);
  EXPECT_EQ((biased_responses<MM1, LikelihoodRatioEstimator>(by_customers, count)), None());
  EXPECT_EQ((biased_responses<MM1, LikelihoodRatioEstimator>(by_time, count)), None());
  EXPECT_EQ((biased_responses<ActivityNetwork, LikelihoodRatioEstimator>(default_model<ActivityNetwork>(), count)),
            None());
}

// In a run of fixed length, a customer more or fewer arrives if a rate changes.
TEST(ScoredModels, MayHavePathwiseDerivativesThatAreBiased) {
  const auto biased = biased_responses<MM1, PathwiseEstimator>({0.6, 1, 0, 8}, runs_in_test(20'000, 50'000));
  EXPECT_NE(std::ranges::find(biased, "time in queue"), biased.end());
}

// The time in system of one customer is exponential, so that P(time > 1) = e^−μ and CVaR_β = (1 − ln (1 − β)) / μ. The
// derivatives by likelihood ratios are within four standard errors of the exact ones; those by a kernel of Y ∂S/∂μ, the
// control, are not.
TEST(ScoredModels, HaveTailsWithoutBias) {
  constexpr std::int64_t n = 40'000;
  constexpr double mu = 3, beta = 0.9;
  const std::vector<Decision> decisions{{"service_rate", 0.5, 5}};
  const auto by_mean = [](std::span<const double>, std::span<const double> means, std::span<double> by_decisions,
                          std::span<double> by_means) {
    std::ranges::fill(by_decisions, 0.0);
    std::ranges::fill(by_means, 0.0);
    return means[0];
  };
  const Objective objective{{{{"time in system", 1}}, {{"", 1}}}, by_mean};
  SimulatedObjective<MM1, Host, 8, LikelihoodRatioEstimator> below(Host(), MM1{0.5, mu, 1, 0}, decisions, objective);
  const auto constant = [](double value) {
    return [value](std::span<const double>, std::span<double> gradient) {
      std::ranges::fill(gradient, 0.0);
      return value;
    };
  };
  const std::vector<TailConstraint> tails{{"P", TailMeasure::probability, 0, {1, 0}, constant(-1), constant(0.1)},
                                          {"CVaR", TailMeasure::cvar, beta, {1, 0}, constant(0), constant(1)}};
  const std::vector<double> exact{-std::exp(-mu), -(1 - std::log(1 - beta)) / (mu * mu)};
  for (const bool is_scored : {true, false}) {
    TailProblem problem(below, tails, {mu}, 1, 1000, is_scored ? std::optional<std::size_t>(1) : std::nullopt);
    const auto x = problem.with_best_thresholds(problem.with_thresholds({mu}), n, 2, 0);
    const SampleMoments found = problem.simulate(std::vector<Sample>{{x, 3, 0, n, true, true}}).front();
    for (std::size_t tail = 0; tail < 2; ++tail) {
      const double mean = found.slopes.at((2 + tail) * 2);  // derivative by the rate, not by the threshold
      const double* const slopes = &found.values.at(((2 + tail) * 3 + 1) * n);
      double squares = 0;
      for (std::int64_t r = 0; r < n; ++r) squares += (slopes[r] - mean) * (slopes[r] - mean);
      const double four_errors = 4 * std::sqrt(squares) / static_cast<double>(n);
      if (is_scored) {
        EXPECT_NEAR(mean, exact[tail], four_errors) << tail;
      } else {
        EXPECT_GT(std::abs(mean - exact[tail]), four_errors) << tail;
      }
    }
  }
}

// The control: a model that declares a parameter at which its response jumps.
template <class Real = double>
struct Wrong {
  Real mean, due;

  enum Input { any, input_count };
  static constexpr auto response_names = std::array{"late", "duration"};
  static constexpr auto scored_parameters = std::array{"mean", "due"};

  static constexpr auto parameters() {
    return std::tuple{Parameter<Wrong, Real>{"mean", &Wrong::mean, 1, "", "", nullptr},
                      Parameter<Wrong, Real>{"due", &Wrong::due, 1, "", "", nullptr}};
  }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 2> operator()(Inputs& inputs) const {
    const Real duration = exponential_by_mean(inputs(any), mean);
    return {{duration > due ? Real(1) : Real(0), duration}};
  }
};

TEST(ScoredModels, AreFoundOutWhereTheyAreWrong) {
  const auto biased = biased_responses<Wrong<>, LikelihoodRatioEstimator>(default_model<Wrong<>>(), 20'000);
  EXPECT_EQ(biased, None{"late"});
}

TEST(ScoredModels, AreThoseThatSaySo) {
  EXPECT_TRUE(ScoredModel<MM1>);
  EXPECT_FALSE(ScoredModel<models::ContinuousNewsvendor>);
  EXPECT_EQ(scored_parameters<MM1>(), (None{"arrival_rate", "service_rate"}));
  EXPECT_EQ(scored_parameters<ActivityNetwork>().size(), 13u);
  EXPECT_EQ(scored_parameters<models::ContinuousNewsvendor>(), None());
}

}  // namespace scored_models_tests
}  // namespace sporos::test
