// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks on a problem with many local optima what several starts find, what one start misses, and what is reported.
#include "bakery.hpp"

#include <sporos/optimizers/search/chord_check.hpp>
#include <sporos/optimizers/search/multistart.hpp>
#include <sporos/optimizers/search/neighbour_probe.hpp>
#include <sporos/optimizers/search/r_spline.hpp>
#include <sporos/optimizers/search/random_search.hpp>
#include <sporos/optimizers/search/run_searches.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace bakery_tests {

const Solver spline = [](SearchRun& run) { return r_spline(run, {}); };
const Solver random_points = [](SearchRun& run) { return random_search(run, {}); };

Solver from_starts(const Solver& solver, std::int64_t starts) {
  return [=](SearchRun& run) { return multistart(run, solver, {.starts = starts}); };
}

constexpr std::int64_t budget = 10'000;

// From one start all runs end at batches that fill the number of trays with which they began (control). From the
// default number of starts most find the best of more than ten local maxima, and nearly all have it as a candidate.
TEST(Bakery, TheBestIsFoundFromSeveralStarts) {
  NoisyProblem problem = Bakery::problem();
  const std::vector<double> best = Bakery::best();
  const std::int64_t starts = default_starts(problem, budget);
  EXPECT_EQ(best, (std::vector<double>{36, 24}));
  EXPECT_EQ(starts, 8);
  int found = 0, known = 0;
  for (const SearchResult& result : run_searches(problem, from_starts(spline, starts), {8, 8}, budget, seeds(20))) {
    EXPECT_EQ(result.starts, 8);
    EXPECT_LE(result.replications, budget);
    EXPECT_FALSE(result.end.is_at_start);
    found += result.x == best;
    known += std::ranges::find(result.candidates, best) != result.candidates.end();
  }
  EXPECT_GE(found, 17);
  EXPECT_GE(known, 18);
  for (const SearchResult& result : run_searches(problem, spline, {8, 8}, budget, seeds(20))) {
    EXPECT_EQ(result.starts, 1);
    EXPECT_EQ(result.x, (std::vector<double>{12, 12}));
  }
}

TEST(Bakery, SmallBudgetsAndRealDecisionsHaveOneStart) {
  NoisyProblem problem = Bakery::problem(), real = noisy_quadratic(2, false);
  NoisyProblem endless({{0, std::numeric_limits<double>::infinity(), true}}, false,
                       [](std::span<const double> x, const std::function<double()>& u, auto) { return x[0] + u(); });
  EXPECT_EQ(default_starts(problem, 100), 1);
  EXPECT_EQ(default_starts(problem, 300), 2);
  EXPECT_EQ(default_starts(problem, 1000), 7);
  EXPECT_EQ(default_starts(real, budget), 1);
  EXPECT_EQ(default_starts(endless, budget), 1);
}

// A convex objective is declared not convex with probability 0.001 at most, so more than twice in 200 with probability
// 0.0011. One with two wells nearly always is.
TEST(ChordCheck, ShowsThatAnObjectiveIsNotConvex) {
  NoisyProblem convex = noisy_quadratic(2, false),
               linear = {{{0, 1}, {0, 1}}, false, [](std::span<const double> x, const std::function<double()>&u, auto) {
                           return x[0] - 2 * x[1] + u() * x[0];
                         }};
  NoisyProblem wells({{-2, 2}}, false, [](std::span<const double> x, const std::function<double()>& u, auto) {
    return (x[0] * x[0] - 1) * (x[0] * x[0] - 1) + u();
  });
  int of_convex = 0, of_linear = 0, of_wells = 0;
  for (const std::uint64_t seed : seeds(200)) {
    const ChordCheckOptions options{.replications = 20, .seed = seed};
    of_convex += is_shown_not_convex(convex, {0, 0}, options);
    of_linear += is_shown_not_convex(linear, {0, 0}, options);
    of_wells += is_shown_not_convex(wells, {0}, options);
  }
  EXPECT_LE(of_convex, 2);
  EXPECT_LE(of_linear, 2);
  EXPECT_GE(of_wells, 180);
  EXPECT_THROW(is_shown_not_convex(wells, {0}, {.chords = 0}), std::invalid_argument);
  EXPECT_THROW(is_shown_not_convex(wells, {0}, {.replications = 1}), std::invalid_argument);
  EXPECT_THROW(is_shown_not_convex(wells, {0}, {.error_probability = 0}), std::invalid_argument);
}

TEST(EndOfSearch, SaysWhereItLies) {
  NoisyProblem problem = Bakery::problem();
  const SearchResult stuck = run_searches(problem, spline, {12, 24}, budget, {1}).front();
  EXPECT_TRUE(stuck.end.is_at_start);
  EXPECT_TRUE(stuck.end.at_low.empty() && stuck.end.at_high.empty());
  NoisyProblem slope(
      {{0, 9, true}, {-2, 3, true}}, false,
      [](std::span<const double> x, const std::function<double()>& u, auto) { return x[0] - x[1] + u(); });
  const SearchResult corner = run_searches(slope, spline, {5, 0}, 2000, {1}).front();
  EXPECT_FALSE(corner.end.is_at_start);
  EXPECT_EQ(corner.end.at_low, std::vector<std::size_t>{0});
  EXPECT_EQ(corner.end.at_high, std::vector<std::size_t>{1});
  const SearchResult tried = run_searches(problem, random_points, {8, 8}, 1000, {1}).front();
  EXPECT_EQ(tried.tried_points, 100);
  EXPECT_EQ(corner.tried_points, 0);
}

std::string refusal_of(const Solver& solver, const DecisionRange& range, double start) {
  NoisyProblem problem({{0, 9}, range}, false,
                       [](std::span<const double> x, const std::function<double()>& u, auto) { return x[1] + u(); });
  try {
    run_searches(problem, solver, {1.5, start}, 100, {1});
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "searched";
}

// Checks all solvers that accept integer variables, also from several starts.
TEST(WholeNumbers, AreWhatStartsAndBoundsMustBe) {
  const std::string expected = ", expected a whole number, because the coordinate takes only whole numbers";
  for (const Solver& solver : {spline, random_points, from_starts(spline, 3), from_starts(random_points, 3)}) {
    EXPECT_EQ(refusal_of(solver, {0, 30, true}, 20), "searched");
    EXPECT_EQ(refusal_of(solver, {0, 30, true}, 20.5), "start of coordinate 1 is 20.5" + expected);
    EXPECT_EQ(refusal_of(solver, {0.5, 30, true}, 20), "lower bound of coordinate 1 is 0.5" + expected);
    EXPECT_EQ(refusal_of(solver, {0, 30.25, true}, 20), "upper bound of coordinate 1 is 30.25" + expected);
    EXPECT_EQ(refusal_of(solver, {0.5, 30.25}, 20.5), "searched");  // a real coordinate
  }
  EXPECT_EQ(refusal_of(spline, {0, std::numeric_limits<double>::infinity(), true}, 20), "searched");
}

NeighbourProbe probe(SampledProblem& problem, const std::vector<double>& x, std::int64_t replications,
                     std::uint64_t seed = 1) {
  return probe_neighbours(problem, x, x.size(), {.replications = replications, .seed = seed});
}

TEST(NeighbourProbe, FindsBetterNeighbours) {
  NoisyProblem problem = noisy_quadratic(3, false);
  const NeighbourProbe found = probe(problem, {1, 1.25, 6}, 1000);
  EXPECT_EQ(found.neighbours, 12);
  EXPECT_EQ(found.replications, 76);
  ASSERT_EQ(found.better.size(), 1U);
  EXPECT_EQ(found.better.front().coordinate, 2U);
  EXPECT_DOUBLE_EQ(found.better.front().step, -2.4);
  const double improvement = 4.5 * 4.5 - 2.1 * 2.1;  // difference of squared distances from 1.5
  EXPECT_NEAR(found.better.front().improvement, improvement, found.better.front().half_width);
  NoisyProblem bakery = Bakery::problem();
  ASSERT_EQ(probe(bakery, {12, 20}, 1000).better.size(), 1U);
  EXPECT_EQ(probe(bakery, {12, 20}, 1000).better.front().step, 4);
}

// At a minimum the probe finds something with probability 0.05 at most, so in more than 23 of 200 probes with
// probability 0.0001. Half a step away it nearly always finds something (control).
TEST(NeighbourProbe, FindsNothingAtAMinimum) {
  NoisyProblem problem = noisy_quadratic(2, false);
  int at_minimum = 0, away = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    at_minimum += !probe(problem, {1, 1.25}, 200, seed).better.empty();
    away += !probe(problem, {1, 2.5}, 200, seed).better.empty();
  }
  EXPECT_LE(at_minimum, 23);
  EXPECT_GE(away, 190);
}

TEST(NeighbourProbe, KeepsWithinRegionAndBudget) {
  NoisyProblem problem = noisy_quadratic(2, false, 0, 4);
  EXPECT_EQ(probe(problem, {0, 4}, 1000).neighbours, 4);  // one side of each coordinate
  EXPECT_EQ(probe(problem, {1, 1}, 50).neighbours, 4);    // only the shorter steps
  EXPECT_EQ(probe(problem, {1, 1}, 30).neighbours, 0);
  const std::int64_t before = problem.replications;
  const NeighbourProbe found = probe(problem, {1, 1}, 1000);
  EXPECT_EQ(found.replications, 1000 / (1 + found.neighbours));
  EXPECT_GT(found.confirmed_by, found.replications);
  EXPECT_LE(problem.replications - before, 3 * 1000);
  problem.makes_model = [](std::span<const double> x) { return x[0] > 1; };
  EXPECT_EQ(probe(problem, {1, 1}, 1000).neighbours, 0);  // x is infeasible
  EXPECT_EQ(probe(problem, {1.01, 4}, 1000).better.size(), 1U);
  EXPECT_THROW(probe_neighbours(problem, {1}, 1, {}), std::invalid_argument);
}

}  // namespace bakery_tests
}  // namespace sporos::test
