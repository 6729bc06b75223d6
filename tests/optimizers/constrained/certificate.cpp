// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is certified of a point, against a problem whose solution and multipliers are known.
#include "disc_problem.hpp"

#include <sporos/optimizers/constrained/certificate.hpp>
#include <sporos/optimizers/search/multistart.hpp>
#include <sporos/optimizers/search/run_searches.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace sporos::test {
namespace certificate_tests {

// Of 400 certificates at the solution.
struct Misses {
  int upper = 0, lower = 0, multiplier = 0, gap = 0, mean_gap = 0;
};

// A miss has a probability of 0.05 at most, but for means, which miss half of the time: more than 40 of 400 have a
// probability below 10⁻⁴ (binomial). The multiplier's interval is of two sides. At the solution h is 0 and so is the
// gap.
TEST(Certificate, HoldsWithItsConfidence) {
  DiscProblem problem;
  const std::vector<double> x = DiscProblem::solution();
  Misses found;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Certificate certified = certificate(problem, x, {.batches = 20, .replications = 50, .seed = seed});
    const CertifiedConstraint& disc = certified.constraints[0];
    const CertifiedConstraint& edge = certified.constraints[1];
    found.upper += disc.upper < 0 || edge.upper < x[0] - 2.5;
    found.lower += disc.lower > 0 || edge.lower > x[0] - 2.5;
    found.multiplier += std::abs(disc.multiplier - DiscProblem::multiplier()) > disc.multiplier_half_width;
    const OptimalityGap gap = lagrangian_gap(problem, {DiscProblem::multiplier(), 0}, x, {},
                                             {.batches = 10, .replications = 48, .seed = seed});
    found.gap += gap.bound < 0;
    found.mean_gap += gap.mean < 0;
  }
  EXPECT_LE(found.upper, 40);
  EXPECT_LE(found.lower, 40);
  EXPECT_LE(found.multiplier, 40);
  EXPECT_LE(found.gap, 40);
  EXPECT_GT(found.mean_gap, 40);  // control: the mean is no bound
}

// The bound of the gap is never far below the truth where multipliers are wrong: it only gets wider.
TEST(Certificate, BoundsTheGapByAnyMultipliers) {
  DiscProblem problem;
  const OptimalityGapOptions options{.batches = 10, .replications = 2000};
  const std::vector<double> x{1, 1};
  const double truth = DiscProblem::value(x) - DiscProblem::optimum();
  const OptimalityGap right = lagrangian_gap(problem, {DiscProblem::multiplier(), 0}, x, {}, options);
  EXPECT_NEAR(right.mean, truth, 0.05);
  for (const double multiplier : {0.0, 0.1, 1.0})
    EXPECT_GT(lagrangian_gap(problem, {multiplier, 0.1}, x, {}, options).mean, right.mean) << multiplier;
}

TEST(Certificate, TellsFeasiblePointsFromOthers) {
  DiscProblem problem;
  EXPECT_EQ(certificate(problem, {1, 1}).feasibility(), Feasibility::feasible);
  EXPECT_EQ(certificate(problem, {2, 1}).feasibility(), Feasibility::infeasible);
  EXPECT_EQ(certificate(problem, DiscProblem::solution(), {.batches = 2, .replications = 10}).feasibility(),
            Feasibility::undecided);
  // Far within the disc no constraint is worth anything.
  EXPECT_LT(certificate(problem, {0.5, 0.1}).constraints[0].multiplier, 0.05);
}

TEST(Certificate, SeesOtherReplicationsBehindSkippedOnes) {
  DiscProblem problem;
  const CertificateOptions options{.batches = 2, .replications = 10},
      next{.batches = 2, .replications = 10, .skipped = 2};
  const Certificate one = certificate(problem, {1, 1}, options), other = certificate(problem, {1, 1}, next);
  EXPECT_EQ(one.constraints[0].mean, certificate(problem, {1, 1}, options).constraints[0].mean);
  EXPECT_NE(one.constraints[0].mean, other.constraints[0].mean);
  EXPECT_EQ(one.replications, 20);
}

TEST(Certificate, OfSeveralPointsAreThoseOfEach) {
  DiscProblem problem;
  const CertificateOptions options{.batches = 3, .replications = 10};
  const std::vector<std::vector<double>> points{{1, 1}, {2, 1}};
  const std::vector<Certificate> together = certificates(problem, points, options);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Certificate alone = certificate(problem, points[i], options);
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_EQ(together[i].constraints[j].upper, alone.constraints[j].upper);
      EXPECT_EQ(together[i].constraints[j].multiplier, alone.constraints[j].multiplier);
    }
  }
}

TEST(Certificate, OrdersEnds) {
  const auto at = [](double lower, double upper) {
    return Certificate{{{(lower + upper) / 2, lower, upper, 0, 0}, {-1, -2, -0.5, 0, 0}}, 0};
  };
  const Certificate met = at(-2, -1), open = at(-1, 1), violated = at(1, 3), far = at(2, 5);
  EXPECT_EQ(best_certified({1, 3, 2}, {open, met, met}), 2U);
  EXPECT_EQ(best_certified({1, 3, 2}, {violated, open, open}), 2U);
  EXPECT_EQ(best_certified({1, 3}, {far, violated}), 1U);
  EXPECT_THROW(best_certified({1}, {met, met}), std::invalid_argument);
}

// Of points drawn all over the box the best that is certified to be in the disc is taken, where the best of all lies
// outside (control). A bound misses with probability 0.05 at most for all together.
TEST(Certificate, ChoosesAmongStarts) {
  DiscProblem problem;
  std::vector<std::vector<double>> starts;
  const auto stay = [&](SearchRun& run) -> Search {
    starts.push_back(run.start());
    run.recommend(run.start());
    co_return;
  };
  const std::vector<double> found =
      run_searches(problem, [&](SearchRun& run) { return multistart(run, stay, {.starts = 64}); }, {-1, 0.5}, 640'000,
                   {1})
          .front()
          .x;
  ASSERT_EQ(starts.size(), 64U);
  EXPECT_LE(DiscProblem::violation(found), 0);
  EXPECT_LT(DiscProblem::value(found), DiscProblem::value({-1, 0.5}));
  const auto least = std::ranges::min_element(starts, {}, DiscProblem::value);
  EXPECT_GT(DiscProblem::violation(*least), 0);
  for (const std::vector<double>& start : starts) {
    // Of 10 000 replications the standard error of the objective is at most 10 / √3 / 100, that of the violation 0.02.
    if (DiscProblem::violation(start) >= -1) continue;
    EXPECT_GE(DiscProblem::value(start), DiscProblem::value(found) - 0.5);
  }
}

TEST(Certificate, RefusesWhatItCannotCertify) {
  DiscProblem problem;
  EXPECT_THROW(certificate(problem, {1}), std::invalid_argument);
  for (const CertificateOptions& options : std::vector<CertificateOptions>{
           {.batches = 1}, {.replications = 1}, {.confidence = 1}, {.confidence = 0}, {.skipped = -1}})
    EXPECT_THROW(certificate(problem, {1, 1}, options), std::invalid_argument);
  EXPECT_THROW(lagrangian_gap(problem, {1}, {1, 1}), std::invalid_argument);
  EXPECT_THROW(lagrangian_gap(problem, {1, -1}, {1, 1}), std::invalid_argument);
}

}  // namespace certificate_tests
}  // namespace sporos::test
