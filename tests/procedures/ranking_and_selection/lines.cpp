// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares selections of the best line of three stations with the exact throughputs of all lines.
#include "line_grid.hpp"
#include "normal_systems.hpp"

#include <harness/long_tests.hpp>

#include <sporos/models/queues/tandem_line.hpp>
#include <sporos/models/queues/tandem_line_chain.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {
namespace lines_tests {

using models::TandemLine;
using normal_systems::Host;
using normal_systems::procedure;

TandemLine line_of(const SystemGrid& grid, std::int64_t system) {
  const auto values = grid.values_of(system);
  TandemLine line = default_model<TandemLine>();
  line.rate_1 = values[0];
  line.rate_2 = values[1];
  line.rate_3 = values[2];
  line.buffer_2 = static_cast<std::int64_t>(values[3]);
  line.buffer_3 = static_cast<std::int64_t>(values[4]);
  return line;
}

std::vector<double> exact_throughputs(const SystemGrid& grid) {
  std::vector<double> found;
  for (std::int64_t system = 0; system < grid.size(); ++system) {
    found.push_back(exact_throughput(line_of(grid, system)));
  }
  return found;
}

TEST(Lines, OfTwentyHaveTheKnownOptimum) {
  const SystemGrid grid = line_grid(20, 20);
  const auto exact = exact_throughputs(grid);
  const auto best = std::ranges::max_element(exact);
  EXPECT_NEAR(*best, 5.776, 5e-4);
  std::vector<std::vector<double>> optima;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (exact[i] > *best - 1e-9) optima.push_back(grid.values_of(static_cast<std::int64_t>(i)));
  }
  EXPECT_EQ(optima, (std::vector<std::vector<double>>{{6, 7, 7, 12, 8}, {7, 7, 6, 8, 12}})) << "its mirror image ties";
}

// A line and its mirror image have the same throughput but different orders of states: each solution checks the other.
TEST(Lines, OfTwentyAreWithinTheirBounds) {
  const SystemGrid grid = line_grid(20, 20);
  for (std::int64_t system = 0; system < grid.size(); system += 7) {
    const TandemLine line = line_of(grid, system);
    const double exact = exact_throughput(line);
    EXPECT_LE(exact, throughput_bound(line) * (1 + 1e-9));  // equal if one station never limits the line
    const TandemLine mirrored{line.rate_3, line.rate_2, line.rate_1, line.buffer_3, line.buffer_2, 0, 1};
    EXPECT_NEAR(exact, exact_throughput(mirrored), 1e-9 * exact);
  }
}

// Known optima, and numbers of lines within 0.1 of the best; only lines whose bound is not below that must be solved.
// The bounds of the million lines of total 128 take a second, so they need SPOROS_LONG_TESTS.
TEST(Lines, OfOtherTotalsHaveTheseOptima) {
  struct Known {
    int total;
    double best;
    std::vector<double> values;
    std::int64_t good;
  };
  std::vector<Known> all{{50, 15.6975848, {16, 17, 17, 29, 21}, 43}};
  if (are_tests_long()) all.push_back({128, 41.6582425, {42, 43, 43, 74, 54}, 97});
  for (const Known& known : all) {
    const SystemGrid grid = line_grid(known.total, known.total);
    const double least = known.best - 0.1;
    double best = 0;
    std::int64_t good = 0, solved = 0;
    std::vector<double> values;
    for (std::int64_t system = 0; system < grid.size(); ++system) {
      const TandemLine line = line_of(grid, system);
      if (throughput_bound(line) < least) continue;
      ++solved;
      const double exact = exact_throughput(line);
      good += exact >= least ? 1 : 0;
      if (exact > best + 1e-9) {
        best = exact;
        values = grid.values_of(system);
      }
    }
    EXPECT_NEAR(best, known.best, 1e-7);
    EXPECT_EQ(values, known.values);
    EXPECT_EQ(good, known.good);
    EXPECT_LT(solved, 1000) << known.total;
  }
}

// By how much the throughput of the selected line is below the best.
double loss(const SystemGrid& grid, std::int64_t warm_up, const char* name, const SelectionOptions& options,
            std::uint64_t seed) {
  TandemLine line = default_model<TandemLine>();
  line.warm_up = warm_up;
  auto systems = systems_of(Host(), line, grid, {1, false, seed, false});
  procedure(name).run(systems, options, {});
  const auto exact = exact_throughputs(grid);
  return *std::ranges::max_element(exact) - exact[static_cast<std::size_t>(systems.best(1).front().system)];
}

// Each of three selections is good with probability 0.99, so all of them are with probability 0.97 at least.
TEST(Lines, GoodOnesAreSelected) {
  SelectionOptions options;
  options.delta = 0.3;
  options.confidence = 0.99;
  options.first_stage = 10;
  options.rounds = 5;
  options.batch = 20;
  for (const auto* name : {"gsp", "kt", "kn"}) {
    EXPECT_LE(loss(line_grid(10, 10), 200, name, options, 1), options.delta) << name;
  }
}

TEST(Lines, AGoodOneOfThousandsIsSelected) {
  SelectionOptions options;
  options.delta = 1;
  options.confidence = 0.99;
  options.first_stage = 10;
  options.rounds = 5;
  options.batch = 10;
  EXPECT_LE(loss(line_grid(20, 20), 100, "gsp", options, 1), options.delta);
}

// Minimizes the time per job subject to a work in process of at most 3: time in line − 3 · time per job, whose exact
// mean is known, is at most 0. Each of two selections errs with probability 0.01.
TEST(Lines, TheBestUnderAConstraintIsSelected) {
  constexpr double most = 3;
  const SystemGrid grid = line_grid(8, 6);
  std::vector<double> times, excesses;
  for (std::int64_t system = 0; system < grid.size(); ++system) {
    const auto [throughput, jobs] = models::exact_equilibrium(line_of(grid, system));
    times.push_back(1 / throughput);
    excesses.push_back((jobs - most) / throughput);
  }
  SelectionOptions options;
  options.delta = 0.02;
  options.confidence = 0.99;
  options.first_stage = 20;
  options.tolerances = {0.05};
  double best = 1e9, shortest = 1e9;
  for (std::size_t i = 0; i < times.size(); ++i) {
    shortest = std::min(shortest, times[i]);
    if (excesses[i] <= -options.tolerances[0]) best = std::min(best, times[i]);
  }
  EXPECT_GT(best, shortest + 2 * options.delta) << "the constraint matters";
  TandemLine line = default_model<TandemLine>();
  line.warm_up = 200;
  for (const std::uint64_t seed : {1, 2}) {
    auto systems = systems_of(Host(), line, grid, {0, true, seed, false, {{{-most, 0, 1, 0}, 0}}});
    procedure("constrained-kn").run(systems, options, {});
    ASSERT_EQ(systems.survivors(), 1);
    const auto selected = static_cast<std::size_t>(systems.best(1).front().system);
    EXPECT_LT(excesses[selected], options.tolerances[0]);
    EXPECT_LT(times[selected], best + options.delta);
  }
}

// The ratio of 50 jobs to their time overestimates the throughput on average; the time per job has no such bias.
TEST(Lines, ThroughputOfAReplicationIsTooLargeOnAverage) {
  TandemLine line = default_model<TandemLine>();
  line.buffer_2 = 12;
  line.buffer_3 = 8;
  const double exact = exact_throughput(line);
  for (const int response : {0, 1}) {
    auto systems = systems_of(Host(), line, SystemGrid({{"warm_up", {1000, 1001}}}), {response, false, 1, false});
    systems.replicate({.fixed = 3000});
    const SystemEstimate estimate = systems.best(1).front();
    const double width = 4 * std::sqrt(estimate.variance / 3000);
    if (response == 0) {
      EXPECT_NEAR(estimate.mean, 1 / exact, width);
    } else {
      EXPECT_GT(estimate.mean, exact + width);
    }
  }
}

}  // namespace lines_tests
}  // namespace sporos::test
