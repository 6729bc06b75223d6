// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks constraints on probabilities and CVaR on a portfolio of normal returns whose optimum is known.
#include "portfolio_problem.hpp"

#include <sporos/optimizers/constrained/augmented_lagrangian.hpp>
#include <sporos/optimizers/constrained/certificate.hpp>
#include <sporos/optimizers/constrained/constraint_extrapolation.hpp>
#include <sporos/optimizers/constrained/cooperative_approximation.hpp>
#include <sporos/optimizers/search/run_searches.hpp>

#include <harness/long_tests.hpp>
#include <harness/seeds.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace tails_tests {

using Portfolio = PortfolioProblem;
constexpr double level = 0.9, share = 0.1;
const std::vector<double> start{0.5, 0.5};

double cvar_factor() { return Portfolio::cvar_factor(level); }
double quantile() { return math::normal_quantile(1 - share); }

SampleMean at(SampledProblem& problem, std::vector<double> x, std::int64_t count) {
  return problem.evaluate(std::vector<Sample>{{std::move(x), 3, 0, count, true}}).front();
}

// Tolerances are four standard errors of 200 000 replications. In one replication, the estimator of the CVaR has a
// standard deviation of 1.925 times that of the loss, and the estimators of its derivatives have at most 3.8.
// Derivatives of the probability are estimated with a kernel of width b. Their relative bias is
// b² / 10 ((z² − 1) − 2 z m'/m), where m = E[∂Z/∂x | Z = z]. It is 0.01 for b = 0.4 and z = 1.80 standard deviations of
// the loss. Their relative standard error is 0.011.
TEST(TailProblem, HasTheExactTails) {
  Portfolio below;
  TailProblem problem(below, {Portfolio::bound_of_cvar(level), Portfolio::bound_of_probability(share)}, start, 1);
  ASSERT_EQ(problem.dimension(), 3U);
  ASSERT_EQ(problem.quantities(), 3U);
  ASSERT_EQ(problem.constraints_on_means(), 2U);
  const std::vector<double> x{0.6, 0.4};
  const auto best = problem.with_best_thresholds(problem.with_thresholds(x), 100'000, 2, 0);
  constexpr std::int64_t n = 200'000;
  const double four = 4 / std::sqrt(static_cast<double>(n)), deviation = Portfolio::deviation(x),
               exact = Portfolio::probability(x, 1);
  const SampleMean found = at(problem, best, n);
  EXPECT_NEAR(found.mean, Portfolio::value(x), four * deviation);
  EXPECT_NEAR(found.constraints[0].mean, Portfolio::cvar(x, level) - 1, four * 1.925 * deviation);
  EXPECT_NEAR(found.constraints[1].mean, exact - share, four * std::sqrt(exact * (1 - exact)));
  const double h = 1e-4;
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<double> above = x, lower = x;
    above[i] += h;
    lower[i] -= h;
    const double of_cvar = (Portfolio::cvar(above, level) - Portfolio::cvar(lower, level)) / (2 * h);
    const double of_probability = (Portfolio::probability(above, 1) - Portfolio::probability(lower, 1)) / (2 * h);
    EXPECT_NEAR(found.constraints[0].gradient[i], of_cvar, four * 3.8) << i;
    EXPECT_NEAR(found.constraints[1].gradient[i], of_probability, (0.01 + 4 * 0.011) * std::abs(of_probability)) << i;
  }
  // The derivative with respect to the threshold is 1 − I / 0.1 in units of the coordinate's spread, where the
  // indicator I is 1 with probability 0.1. Its standard deviation is 3.
  EXPECT_NEAR(found.constraints[0].gradient[2], 0, four * 3 * deviation + 0.01);
  EXPECT_EQ(found.constraints[1].gradient[2], 0);
  EXPECT_EQ(found.gradient[2], 0);
}

// The moments of a sample do not depend on whether derivatives or values of single replications are requested. They
// agree with the averages of these values and with the sums over two parts of the sample.
TEST(TailProblem, SaysTheSameInAllWays) {
  Portfolio below;
  TailProblem problem(below, {Portfolio::bound_of_probability(share), Portfolio::bound_of_cvar(level)}, start, 1);
  const std::vector<double> x{0.6, 0.4, 0.2};
  const auto all = problem.simulate(std::vector<Sample>{
      {x, 5, 0, 40}, {x, 5, 0, 40, true}, {x, 5, 0, 40, true, true}, {x, 5, 0, 10}, {x, 5, 10, 30}});
  for (const SampleMoments& one : all) EXPECT_EQ(one.means.size(), 3U);
  for (std::size_t q = 0; q < 3; ++q) {
    EXPECT_EQ(all[1].means[q], all[0].means[q]);
    for (std::size_t column = 0; column < 4; ++column) {
      double mean = 0;
      for (std::size_t r = 0; r < 40; ++r) mean += all[2].values.at((q * 4 + column) * 40 + r) / 40;
      EXPECT_NEAR(mean, column == 0 ? all[0].means[q] : all[1].slopes.at(q * 3 + column - 1), 1e-12);
    }
  }
  EXPECT_EQ(all[2].values.size(), 3U * 4 * 40);
  SampleMoments sum = all[3];
  sum.add(all[4]);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(sum.products[i], all[0].products[i], 1e-11) << i;
  EXPECT_TRUE(sum.least.empty());
  ASSERT_EQ(all[0].least.size(), 1U);
  EXPECT_LE(all[0].least[0], all[0].means[2] + 1e-12);
}

// Many replications of max(0, loss − 1) lie exactly on the threshold 0. The derivatives are then estimated from the
// replications above the threshold. The kernel's width b is 0.4 standard deviations of max(0, loss − 1), which is 0.040
// standard deviations of the loss. The tolerance of 0.25 is the sum of four relative standard errors, each 0.05 with
// 100 000 replications, of the relative bias b (m'/m − z) = 0.04, and of the relative bias 0.01 of the kernel in the
// problem without atoms.
TEST(TailProblem, KnowsAtoms) {
  class Excess final : public ProblemOverProblem {
   public:
    using ProblemOverProblem::ProblemOverProblem;
    std::vector<SampleMoments> simulate(std::span<const Sample> samples) override {
      std::vector<SampleMoments> found = m_problem.simulate(samples);
      for (SampleMoments& one : found) {
        const auto n = static_cast<std::size_t>(one.count);
        for (std::size_t r = 0; r < n; ++r) {
          const bool is_above = one.values[r] > 1;
          one.values[r] = is_above ? one.values[r] - 1 : 0;
          for (std::size_t i = 1; i <= 2 && !is_above && !one.slopes.empty(); ++i) one.values[i * n + r] = 0;
        }
      }
      return found;
    }
  };
  Portfolio portfolio;
  Excess below(portfolio);
  TailConstraint above = Portfolio::bound_of_probability(share);
  above.offset = [](std::span<const double>, std::span<double> gradient) {
    std::ranges::fill(gradient, 0.0);
    return 0.0;
  };
  TailProblem problem(below, {above}, start, 1);
  Portfolio other;
  TailProblem default_value(other, {Portfolio::bound_of_probability(share)}, start, 1);
  const std::vector<double> x{0.6, 0.4};
  const SampleMean atoms = at(problem, x, 100'000), plain = at(default_value, x, 100'000);
  EXPECT_EQ(atoms.constraints[0].mean, plain.constraints[0].mean);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(atoms.constraints[0].gradient[i], plain.constraints[0].gradient[i],
                0.25 * std::abs(plain.constraints[0].gradient[i]));
}

// The probability that more than 40 of 400 bounds with confidence 0.95 miss the true value is below 10⁻⁴ (binomial).
// As a control, means that are used as bounds miss it half of the time.
TEST(TailProblem, BoundsHoldWithTheirConfidence) {
  Portfolio below;
  TailProblem problem(below, {Portfolio::bound_of_cvar(level), Portfolio::bound_of_probability(share)}, start, 1);
  const std::vector<double> x{0.6, 0.4};
  const double of_cvar = Portfolio::cvar(x, level) - 1, of_probability = Portfolio::probability(x, 1) - share;
  int upper[2] = {0, 0}, lower[2] = {0, 0}, mean[2] = {0, 0};
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const auto best = problem.with_best_thresholds(problem.with_thresholds(x), 400, seed, std::int64_t{1} << 40);
    const auto certified = certificate(problem, best, {.batches = 10, .replications = 40, .seed = seed}).constraints;
    for (std::size_t j = 0; j < 2; ++j) {
      const double truth = j == 0 ? of_cvar : of_probability;
      upper[j] += certified[j].upper < truth;
      lower[j] += certified[j].lower > truth;
      mean[j] += certified[j].mean < truth;
    }
  }
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_LE(upper[j], 40) << j;
    EXPECT_LE(lower[j], 40) << j;
    EXPECT_GT(mean[j], 40) << j;
  }
}

// If none of the n replications is above the threshold, the exact upper bound is 1 − (1 − confidence)^(1/n). An
// interval by Student's t distribution would have a half-width of 0.
TEST(TailProblem, IsNotSureOfWhatItHasNotSeen) {
  Portfolio below;
  TailProblem problem(below, {Portfolio::bound_of_probability(0.01)}, start, 1);
  const Certificate few = certificate(problem, {0.01, 0.01}, {.batches = 2, .replications = 50}),
                    many = certificate(problem, {0.01, 0.01}, {.batches = 2, .replications = 200});
  EXPECT_NEAR(few.constraints[0].upper, 1 - std::pow(0.05, 0.01) - 0.01, 1e-9);
  EXPECT_EQ(few.feasibility(), Feasibility::undecided);
  EXPECT_EQ(many.feasibility(), Feasibility::feasible);
}

struct NamedSolver {
  std::string name;
  Solver solver;
};

// Computes root mean squares over 10 runs that start inside and 10 that start outside the feasible region. The
// violation must be below ten standard errors of the measure over the whole budget, which is the standard error over
// one hundredth of the budget. The gap must be below the multiplier times the same bound. `deviation` is the standard
// deviation of one replication of t + (Z − t)⁺ / (1 − level) for CVaR, or of the indicator for a probability.
TEST(TailProblem, IsSolved) {
  constexpr std::int64_t budget = 50'000;
  const NamedSolver csa{"csa", [](SearchRun& run) { return cooperative_approximation(run, {.replications = 100}); }};
  const std::vector<NamedSolver> all{
      {"augmented-lagrangian", [](SearchRun& run) { return augmented_lagrangian(run, {}); }},
      {"conex", [](SearchRun& run) { return constraint_extrapolation(run, {.replications = 100}); }},
      csa};
  for (const bool is_probability : {false, true}) {
    const double factor = is_probability ? quantile() : cvar_factor(), optimum = Portfolio::optimum(factor);
    const double deviation = is_probability ? std::sqrt(share * (1 - share)) : 1.925 * (1 - optimum) / factor;
    const double density = std::exp(-factor * factor / 2) / std::sqrt(2 * std::acos(-1.0));
    const double multiplier =
        is_probability ? optimum * optimum / Portfolio::ratio() / density : -optimum;  // ∂optimum / ∂limit
    const double most_violated = 10 * deviation / std::sqrt(static_cast<double>(budget));
    for (const auto& [name, solver] : is_probability ? std::vector{csa} : all) {
      double gap = 0, violation = 0;
      for (const std::vector<double>& from : {std::vector<double>{0.1, 0.1}, std::vector<double>{2, 2}}) {
        Portfolio below;
        TailProblem problem(below,
                            {is_probability ? Portfolio::bound_of_probability(share) : Portfolio::bound_of_cvar(level)},
                            from, 1);
        for (const SearchResult& run :
             run_searches(problem, solver, problem.with_thresholds(from), budget, seeds(10))) {
          const double wrong =
              is_probability ? Portfolio::probability(run.x, 1) - share : Portfolio::cvar(run.x, level) - 1;
          gap += std::pow(Portfolio::value(run.x) - optimum, 2) / 20;
          violation += std::pow(wrong, 2) / 20;
        }
      }
      EXPECT_LT(std::sqrt(gap), multiplier * most_violated) << name << is_probability;
      EXPECT_LT(std::sqrt(violation), most_violated) << name << is_probability;
    }
  }
}

// Each macro-replication computes a certificate and a gap. The probability that bounds with confidence 0.95 miss more
// than 22 of 200 times, or more than 9 of 40 times, is below 10⁻³ (binomial). As a control, means that are used as
// upper bounds miss more often. The control of the gaps is in certificate.cpp.
TEST(TailProblem, CertifiedGapsCover) {
  const int runs = are_tests_long() ? 200 : 40, most = are_tests_long() ? 22 : 9;
  Portfolio below;
  TailProblem problem(below, {Portfolio::bound_of_cvar(level)}, start, 1);
  const double optimum = Portfolio::optimum(cvar_factor());
  const auto found = run_searches(
      problem, [](SearchRun& run) { return augmented_lagrangian(run, {}); }, problem.with_thresholds(start),
      runs_in_test(4000, 10'000), seeds(static_cast<std::size_t>(runs)));
  int missed_gaps = 0, missed = 0, missed_by_means = 0;
  for (std::size_t r = 0; r < found.size(); ++r) {
    const std::uint64_t seed = seeds(static_cast<std::size_t>(runs))[r];
    const auto x = problem.with_best_thresholds(found[r].x, 1000, seed, std::int64_t{1} << 40);
    const Certificate certified = certificate(problem, x, {.batches = 10, .replications = 100, .seed = seed});
    const CertifiedConstraint& risk = certified.constraints[0];
    const double truth = Portfolio::value(x) - optimum, wrong = Portfolio::cvar(x, level) - 1;
    const OptimalityGap gap =
        lagrangian_gap(problem, {risk.multiplier}, x, {}, {.batches = 5, .replications = 400, .seed = seed});
    missed_gaps += gap.bound < truth;
    missed += risk.upper < wrong;
    missed_by_means += risk.mean < wrong;
  }
  EXPECT_LE(missed_gaps, most);
  EXPECT_LE(missed, most);
  EXPECT_GT(missed_by_means, most);
}

TEST(TailProblem, RefusesWhatIsNone) {
  Portfolio below;
  const auto refuses = [&](TailConstraint tail) {
    EXPECT_THROW(TailProblem(below, {std::move(tail)}, start, 1), std::invalid_argument);
  };
  for (const double wrong : {0.0, 1.0, std::numeric_limits<double>::quiet_NaN()})
    refuses(Portfolio::bound_of_cvar(wrong));
  TailConstraint reversed = Portfolio::bound_of_cvar(level);
  reversed.is_reversed = true;
  refuses(reversed);
  TailConstraint uneven = Portfolio::bound_of_cvar(level);
  uneven.weights = {1, 1};
  refuses(uneven);
  EXPECT_THROW(TailProblem(below, {Portfolio::bound_of_cvar(level)}, {1}, 1), std::invalid_argument);
}

}  // namespace tails_tests
}  // namespace sporos::test
