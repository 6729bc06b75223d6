// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks SimOpt's SAN-2, an activity network with constraints on mean times of two events, against its exact optimum.
#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/replication/pathwise.hpp>
#include <sporos/models/projects/activity_network.hpp>
#include <sporos/optimizers/constrained/augmented_lagrangian.hpp>
#include <sporos/optimizers/constrained/certificate.hpp>
#include <sporos/optimizers/constrained/constraint_extrapolation.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/procedures/simulated_objective.hpp>

#include <harness/binomial_band.hpp>
#include <harness/long_tests.hpp>
#include <harness/seeds.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace constrained_network_tests {

using Network = models::ActivityNetwork;

const std::vector<double> solution{0.7820041292, 1.4632290674, 1.3160363779, 0.8730689731, 1.5634992638,
                                   1.1759537051, 0.9876295486, 1.2671079532, 1.1866727042, 1.3335206442,
                                   1.2340336832, 1.2671079532, 1.2325159660};
constexpr std::array<double, 2> multipliers{0.5443403, 0.2121203};
constexpr double optimum = 18.5428993;

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const auto parameter : differentiable_parameters<Network>()) found.emplace_back(parameter);
  return found;
}

// Objective E[duration] + Σ 1 / mean, and constraints E[time of event 6] − 5 and E[time of event 8] − 5.
struct ExactValues {
  double objective;
  std::array<double, 2> constraints;
};

Network network_at(const std::vector<double>& x) {
  Network network{};
  std::size_t i = 0;
  for_each_parameter<Network>([&](const auto& parameter) { network.*parameter.member = x[i++]; });
  return network;
}

ExactValues exact(const std::vector<double>& x) {
  const auto times = exact_network_times(network_at(x));
  double cost = 0;
  for (const double mean : x) cost += 1 / mean;
  return {times[0] + cost, {times[1] - 5, times[2] - 5}};
}

// Times are means of maxima of sums of means times exponentials. Therefore the problem is convex, and a point that
// satisfies the Karush–Kuhn–Tucker conditions is the solution.
TEST(ConstrainedNetwork, HasThatSolution) {
  const std::vector<std::string> all = names();
  const auto times = exact_network_times(along<13>(network_at(solution), std::span<const std::string>(all)));
  for (std::size_t i = 0; i < 13; ++i) {
    const double residual = times[0].slope[i] - 1 / (solution[i] * solution[i]) + multipliers[0] * times[1].slope[i] +
                            multipliers[1] * times[2].slope[i];
    EXPECT_NEAR(residual, 0, 1e-6) << i;
  }
  const ExactValues there = exact(solution);
  EXPECT_NEAR(there.constraints[0], 0, 1e-6);
  EXPECT_NEAR(there.constraints[1], 0, 1e-6);
  EXPECT_NEAR(there.objective, optimum, 1e-6);
}

Objective san_2() {
  const auto one = [](std::size_t place, double offset) {
    return [place, offset](std::span<const double>, std::span<const double> means, std::span<double> by_decisions,
                           std::span<double> by_means) {
      std::ranges::fill(by_decisions, 0.0);
      for (std::size_t i = 0; i < by_means.size(); ++i) by_means[i] = i == place ? 1 : 0;
      return means[place] + offset;
    };
  };
  Objective objective = function_of_means({"duration", "time of event 6", "time of event 8"},
                                          [one](std::span<const double> x, std::span<const double> means,
                                                std::span<double> by_decisions, std::span<double> by_means) {
                                            double sum = one(0, 0)(x, means, by_decisions, by_means);
                                            for (std::size_t i = 0; i < x.size(); ++i) {
                                              sum += 1 / x[i];
                                              if (!by_decisions.empty()) by_decisions[i] = -1 / (x[i] * x[i]);
                                            }
                                            return sum;
                                          });
  objective.constraints = {one(1, -5), one(2, -5)};
  return objective;
}

// Standard deviations of the times of the two events in one replication, estimated from 4000 at the solution.
std::array<double, 2> deviations(SampledProblem& problem) {
  const SampleMean at = problem.evaluate(std::vector<Sample>{{solution, 999, 0, 4000}}).front();
  std::array<double, 2> found{};
  for (std::size_t j = 0; j < 2; ++j) found[j] = std::sqrt(at.constraints[j].squared_deviation / 3999);
  return found;
}

using Space = Kokkos::DefaultHostExecutionSpace;

SimulatedObjective<Network, Space, 13> simulated_san_2() {
  std::vector<Decision> decisions;
  for (const std::string& name : names()) decisions.push_back({name, 0.01, 100});
  return {Space(), default_model<Network>(), decisions, san_2()};
}

// More certificates than the band allows, among 20 at the solution (400 with SPOROS_LONG_TESTS), miss a multiplier with
// a probability below 10⁻⁵. The control: a quarter of the interval misses more often.
TEST(ConstrainedNetwork, HasIntervalsOfMultipliersThatCover) {
  const int count = runs_in_test(20, 400);
  const double most = binomial_band(count, 0.05).most;
  auto problem = simulated_san_2();
  for (std::size_t j = 0; j < 2; ++j) {
    int missed = 0, missed_by_quarter = 0;
    for (int seed = 1; seed <= count; ++seed) {
      const CertifiedConstraint found =
          certificate(problem, solution, {.replications = 100, .seed = static_cast<std::uint64_t>(seed)})
              .constraints[j];
      const double error = std::abs(found.multiplier - multipliers[j]);
      missed += error > found.multiplier_half_width ? 1 : 0;
      missed_by_quarter += error > found.multiplier_half_width / 4 ? 1 : 0;
    }
    EXPECT_LE(missed, most) << j;
    EXPECT_GT(missed_by_quarter, most) << j;
  }
}

// 12 runs of each solver, or 200 with SPOROS_LONG_TESTS. Bounds of confidence 0.95 miss more than 4 of 12 times, or 22
// of 200, with a probability below 10⁻³ (binomial). Mean gap and violation are at most those that ten standard errors
// of the constraints over all replications cause. Means used as bounds of the constraints miss more often (control).
TEST(ConstrainedNetwork, IsSolvedAndCertified) {
  const int count = runs_in_test(12, 200), most = runs_in_test(4, 22);
  constexpr std::int64_t budget = 20'000;
  auto problem = simulated_san_2();
  const std::array<double, 2> deviation = deviations(problem);
  const double ten = 10 / std::sqrt(static_cast<double>(budget));
  const std::vector<Solver> solvers{[](SearchRun& run) { return augmented_lagrangian(run, {}); },
                                    [](SearchRun& run) { return constraint_extrapolation(run, {}); }};
  for (std::size_t which = 0; which < solvers.size(); ++which) {
    double gap = 0, violation = 0;
    int missed = 0, missed_by_means = 0, missed_gaps = 0;
    const std::vector<std::uint64_t> all = seeds(static_cast<std::size_t>(count));
    const auto runs = run_searches(problem, solvers[which], std::vector<double>(13, 2.0), budget, all);
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const ExactValues there = exact(runs[r].x);
      gap += (there.objective - optimum) / count;
      violation += std::max({there.constraints[0], there.constraints[1], 0.0}) / count;
      const Certificate certified =
          certificate(problem, runs[r].x, {.batches = 20, .replications = 100, .seed = all[r]});
      const auto& [first, second] = std::pair(certified.constraints[0], certified.constraints[1]);
      missed += first.upper < there.constraints[0] || second.upper < there.constraints[1];
      missed_by_means += first.mean < there.constraints[0] || second.mean < there.constraints[1];
      const OptimalityGap bounded =
          lagrangian_gap(problem, {first.multiplier, second.multiplier}, runs[r].x, {},
                         {.batches = 5, .replications = 400, .seed = all[r], .evaluations = 60});
      missed_gaps += bounded.bound < there.objective - optimum;
    }
    EXPECT_LT(std::abs(gap), ten * (multipliers[0] * deviation[0] + multipliers[1] * deviation[1])) << which;
    EXPECT_LT(violation, ten * std::max(deviation[0], deviation[1])) << which;
    EXPECT_LE(missed, most) << which;
    EXPECT_GT(missed_by_means, most) << which;
    EXPECT_LE(missed_gaps, most) << which;
  }
}

}  // namespace constrained_network_tests
}  // namespace sporos::test
