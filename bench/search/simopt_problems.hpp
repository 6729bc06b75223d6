// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "warm_queue.hpp"

#include <sporos/models/inventory/continuous_newsvendor.hpp>
#include <sporos/models/inventory/ss_inventory.hpp>
#include <sporos/models/projects/activity_network.hpp>
#include <sporos/models/queues/mm1_exact_means.hpp>
#include <sporos/procedures/simulated_objective.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Problems of SimOpt with their defaults: a model, decision variables, the objective, a starting point and the exact
/// objective. Random search needs a bounded region, from `random_low` to `random_high`.
namespace sporos::bench {

/// SAN-1: 13 mean durations of an activity network. The objective is the mean duration of the project plus Σ 1 / mean.
struct San1 {
  using Model = models::ActivityNetwork;
  static constexpr std::string_view name = "san-1";
  static constexpr int directions = 13;
  static constexpr double low = 0.01, random_low = 0.1, random_high = 10;

  static Model model() { return default_model<Model>(); }
  static std::vector<std::string> decided() {
    std::vector<std::string> names;
    for (const auto parameter : differentiable_parameters<Model>()) names.emplace_back(parameter);
    return names;
  }
  static std::vector<double> start() { return std::vector<double>(13, 8.0); }
  static double crash_cost(std::span<const double> x, std::span<double> gradient) {
    double cost = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      cost += 1 / x[i];
      if (!gradient.empty()) gradient[i] = -1 / (x[i] * x[i]);
    }
    return cost;
  }
  static Objective objective() { return weighted_sum({{"duration", 1}}, crash_cost); }
  static double exact(std::span<const double> x) {
    Model network{};
    std::size_t i = 0;
    for_each_parameter<Model>([&](const auto& parameter) { network.*parameter.member = x[i++]; });
    return exact_network_times(network)[0] + crash_cost(x, {});
  }
};

/// MM1-1: the service rate μ of a queue. The objective is the mean time in system of 200 customers after the first 50,
/// plus 0.1 μ².
struct Mm11 {
  using Model = WarmQueue;
  static constexpr std::string_view name = "mm1-1";
  static constexpr int directions = 1;
  static constexpr double low = 0.01, random_low = 0.1, random_high = 10;

  static Model model() { return default_model<Model>(); }
  static std::vector<std::string> decided() { return {"service_rate"}; }
  static std::vector<double> start() { return {5}; }
  static double service_cost(std::span<const double> x, std::span<double> gradient) {
    if (!gradient.empty()) gradient[0] = 0.2 * x[0];
    return 0.1 * x[0] * x[0];
  }
  static Objective objective() { return weighted_sum({{"time in system", 1}}, service_cost); }
  static double exact(std::span<const double> x) {
    const Model queue = model();
    const std::int64_t all = queue.warm_up + queue.customers;
    const auto total = [&](std::int64_t customers) {
      return static_cast<double>(customers) *
             models::mm1_means_of_customers(queue.arrival_rate, x[0], customers).value().time_in_system;
    };
    return (total(all) - total(queue.warm_up)) / static_cast<double>(queue.customers) + service_cost(x, {});
  }
};

/// CNTNEWS-1: the quantity of a newsvendor. SimOpt maximizes the mean profit; here its negative is minimized.
struct Cntnews1 {
  using Model = models::ContinuousNewsvendor;
  static constexpr std::string_view name = "cntnews-1";
  static constexpr int directions = 1;
  static constexpr double low = 0, random_low = 0, random_high = 5;

  static Model model() { return default_model<Model>(); }
  static std::vector<std::string> decided() { return {"quantity"}; }
  static std::vector<double> start() { return {0}; }
  static Objective objective() { return weighted_sum({{"profit", -1}}); }
  static double exact(std::span<const double> x) {
    Model newsvendor = model();
    newsvendor.quantity = x[0];
    return -newsvendor.exact_means()[0].value();
  }
};

/// SSCONT-1: s and S − s of an (s, S) inventory. The objective is the mean cost. There is no exact value; `exact`
/// returns the mean of 10⁵ replications.
struct Sscont1 {
  using Model = models::SsInventory;
  static constexpr std::string_view name = "sscont-1";
  static constexpr int directions = 1;
  static constexpr double low = 0, random_low = 0, random_high = 3000;

  static Model model() { return default_model<Model>(); }
  static std::vector<std::string> decided() { return {"reorder_point", "min_order"}; }
  static std::vector<double> start() { return {600, 600}; }
  static Objective objective() { return weighted_sum({{"total cost", 1}}); }
  static double exact(std::span<const double> x);
};

/// Returns the problem on `space`, with the bounds of random search if `is_bounded`, otherwise with those of SimOpt.
template <class Problem, class Space>
SimulatedObjective<typename Problem::Model, Space, Problem::directions> problem_on(const Space& space,
                                                                                   bool is_bounded) {
  std::vector<Decision> decisions;
  for (const std::string& name : Problem::decided()) {
    decisions.push_back({name, is_bounded ? Problem::random_low : Problem::low,
                         is_bounded ? Problem::random_high : std::numeric_limits<double>::infinity()});
  }
  return {space, Problem::model(), decisions, Problem::objective()};
}

/// Calls `visit` with an instance of each problem.
template <class Visit>
void for_each_problem(Visit&& visit) {
  visit(San1());
  visit(Mm11());
  visit(Cntnews1());
  visit(Sscont1());
}

inline double Sscont1::exact(std::span<const double> x) {
  auto problem = problem_on<Sscont1>(Kokkos::DefaultHostExecutionSpace(), false);
  const std::vector<Sample> samples{{{x.begin(), x.end()}, std::uint64_t{1} << 40, 0, 100'000}};
  return problem.evaluate(samples).front().mean;
}

}  // namespace sporos::bench
