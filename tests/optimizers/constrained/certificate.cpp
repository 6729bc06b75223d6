// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the certificate of a point on a problem whose solution and multipliers are known.
#include "disc_problem.hpp"

#include <sporos/optimizers/constrained/augmented_lagrangian.hpp>
#include <sporos/optimizers/constrained/certificate.hpp>
#include <sporos/optimizers/search/multistart.hpp>
#include <sporos/optimizers/search/run_searches.hpp>

#include <harness/long_tests.hpp>
#include <harness/seeds.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace sporos::test {
namespace certificate_tests {

// Numbers of certificates whose bound or interval misses the true value.
struct Misses {
  int upper = 0, lower = 0, multiplier = 0, gap = 0, mean_gap = 0;
};

// Coverage over 200 seeds (400 with SPOROS_LONG_TESTS): a bound misses with probability 0.05 at most, so more than 24
// misses of 200 or 40 of 400 have a probability below 10⁻⁴ (binomial). Means used as bounds miss half of the time
// (control). The multiplier's interval is two-sided. At the solution h is 0 and so is the gap.
TEST(Certificate, HoldsWithItsConfidence) {
  DiscProblem problem;
  const std::vector<double> x = DiscProblem::solution();
  Misses found;
  const int most = runs_in_test(24, 40);
  for (std::uint64_t seed = 1; seed <= runs_in_test(200u, 400u); ++seed) {
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
  EXPECT_LE(found.upper, most);
  EXPECT_LE(found.lower, most);
  EXPECT_LE(found.multiplier, most);
  EXPECT_LE(found.gap, most);
  EXPECT_GT(found.mean_gap, most);  // control: the mean is not a bound
}

// Each of 40 runs of a solver (200 with SPOROS_LONG_TESTS) has its own certificate and gap. Bounds of confidence 0.95
// miss more than 9 times (22 of 200) with a probability below 10⁻³ (binomial). The final point may violate the
// constraint, where its true gap is negative. The multiplier's interval is that at the final point; it applies to the
// solution because the search has far more replications than the certificate. Controls that miss more often: means,
// which are bounds of no width, and a quarter of the multiplier's interval.
TEST(Certificate, CoversTheEndsOfRuns) {
  const int runs = are_tests_long() ? 200 : 40, most = are_tests_long() ? 22 : 9;
  const auto all_seeds = seeds(static_cast<std::size_t>(runs));
  DiscProblem problem;
  const auto found = run_searches(
      problem, [](SearchRun& run) { return augmented_lagrangian(run, {}); }, {-1, 0.5}, 64'000, all_seeds);
  Misses missed, of_means;
  for (std::size_t r = 0; r < found.size(); ++r) {
    const std::vector<double>& x = found[r].x;
    const std::uint64_t seed = all_seeds[r];
    const CertifiedConstraint disc =
        certificate(problem, x, {.batches = 20, .replications = 50, .seed = seed}).constraints[0];
    const double wrong = DiscProblem::violation(x), worth = disc.multiplier - DiscProblem::multiplier();
    missed.upper += disc.upper < wrong;
    missed.lower += disc.lower > wrong;
    missed.multiplier += std::abs(worth) > disc.multiplier_half_width;
    of_means.upper += disc.mean < wrong;
    of_means.multiplier += std::abs(worth) > disc.multiplier_half_width / 4;
    const OptimalityGap gap =
        lagrangian_gap(problem, {disc.multiplier, 0}, x, {}, {.batches = 10, .replications = 48, .seed = seed});
    const double truth = DiscProblem::value(x) - DiscProblem::optimum();
    missed.gap += gap.bound < truth;
    of_means.gap += gap.mean < truth;
  }
  EXPECT_LE(missed.upper, most);
  EXPECT_LE(missed.lower, most);
  EXPECT_LE(missed.multiplier, most);
  EXPECT_LE(missed.gap, most);
  EXPECT_GT(of_means.upper, most);
  EXPECT_GT(of_means.multiplier, most);
  EXPECT_GT(of_means.gap, most);
}

// Wrong multipliers only widen the bound of the gap: it is never far below the true gap.
TEST(Certificate, BoundsTheGapByAnyMultipliers) {
  DiscProblem problem;
  const OptimalityGapOptions options{.batches = 10, .replications = 2000};
  const std::vector<double> x{1, 1};
  const double truth = DiscProblem::value(x) - DiscProblem::optimum();
  const OptimalityGap right = lagrangian_gap(problem, {DiscProblem::multiplier(), 0}, x, {}, options);
  // One replication has the variance 0.94 / 3 + 0.37, from the difference between x and the solution and from
  // λ Σ xᵢ² ζᵢ at the solution. With 20 000 replications the standard error is 0.0059; the tolerance is four of them.
  EXPECT_NEAR(right.mean, truth, 0.024);
  for (const double multiplier : {0.0, 0.1, 1.0})
    EXPECT_GT(lagrangian_gap(problem, {multiplier, 0.1}, x, {}, options).mean, right.mean) << multiplier;
}

TEST(Certificate, TellsFeasiblePointsFromOthers) {
  DiscProblem problem;
  EXPECT_EQ(certificate(problem, {1, 1}).feasibility(), Feasibility::feasible);
  EXPECT_EQ(certificate(problem, {2, 1}).feasibility(), Feasibility::infeasible);
  EXPECT_EQ(certificate(problem, DiscProblem::solution(), {.batches = 2, .replications = 10}).feasibility(),
            Feasibility::undecided);
  // Far inside the disc no constraint is active, so the multiplier is 0.
  EXPECT_EQ(certificate(problem, {0.5, 0.1}).constraints[0].multiplier, 0);
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
    const Certificate separate = certificate(problem, points[i], options);
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_EQ(together[i].constraints[j].upper, separate.constraints[j].upper);
      EXPECT_EQ(together[i].constraints[j].multiplier, separate.constraints[j].multiplier);
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

// From points drawn in the whole box, multistart returns the best that is certified to lie in the disc; the best of all
// points lies outside (control). A bound misses with probability 0.05 at most for all points together.
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
    // With 10 000 replications the objective has a standard error of at most 10 / √3 / 100, the violation one of 0.02.
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
