// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimizes parameters of your own model: how fast should the saw and the press of a workshop be, if speed costs money?
// The model is a template over its number type and therefore has derivatives. The solver is your own, too.
#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/optimizers/search/astro_df.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/procedures/simulated_objective.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

template <class Real = double>
struct Workshop {
  Real mean_sawing, mean_pressing;  // minutes
  std::int64_t jobs;

  enum Input { sawing, pressing, input_count };
  static constexpr auto response_names = std::array{"last finish"};

  static constexpr auto parameters() {
    return std::tuple{
        sporos::Parameter<Workshop, Real>{"mean_sawing", &Workshop::mean_sawing, 1, "min", "", sporos::check_positive},
        sporos::Parameter<Workshop, Real>{"mean_pressing", &Workshop::mean_pressing, 1, "min", "",
                                          sporos::check_positive},
        sporos::Parameter<Workshop, std::int64_t>{"jobs", &Workshop::jobs, 100, "", "", nullptr}};
  }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 1> operator()(Inputs& inputs) const {
    Real sawn = 0, pressed = 0;
    for (std::int64_t job = 0; job < jobs; ++job) {
      sawn += sporos::exponential_by_mean(inputs(sawing), mean_sawing);
      pressed = sporos::math::max(sawn, pressed) +
                sporos::uniform(inputs(pressing), 0.5 * mean_pressing, 1.5 * mean_pressing);
    }
    return {{pressed}};
  }
};

// A coroutine that reads like the algorithm: steps against the gradient of 30 replications, with decreasing step sizes.
sporos::Search descend(sporos::SearchRun& run, double step) {
  std::vector<double> x = run.start();
  for (int k = 1; run.left() >= 30; ++k) {
    std::vector<sporos::Sample> samples;
    samples.push_back(run.fresh_sample(x, 30, true));
    const auto means = co_await run.evaluate(std::move(samples));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= step / k * means[0].gradient[i];
    x = run.within_region(x);
    run.recommend(x);
  }
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const std::vector<sporos::Decision> decisions{{"mean_sawing", 0.1, 5}, {"mean_pressing", 0.1, 5}};
  const sporos::CostOfDecisions cost_of_speed = [](std::span<const double> x, std::span<double> gradient) {
    constexpr double costs[] = {40, 60};
    double cost = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      cost += costs[i] / x[i];
      if (!gradient.empty()) gradient[i] = -costs[i] / (x[i] * x[i]);
    }
    return cost;
  };
  sporos::SimulatedObjective<Workshop<>, Kokkos::DefaultExecutionSpace, 2> problem(
      {}, Workshop<>{1, 1, 100}, decisions, sporos::weighted_sum({{"last finish", 1}}, cost_of_speed));

  const sporos::Solver own = [](sporos::SearchRun& run) { return descend(run, 0.02); };
  const sporos::Solver astro = [](sporos::SearchRun& run) { return sporos::astro_df(run, {}, true); };
  for (const auto& [name, solver] : {std::pair{"own", own}, std::pair{"astro", astro}}) {
    const auto found = sporos::run_searches(problem, solver, {1, 1}, 20'000, {1}).front();
    const auto mean = sporos::unseen_means(problem, {found.x}, 10'000, 1).front();
    std::printf("%-5s sawing %.2f, pressing %.2f minutes: cost %.1f after %d replications\n", name, found.x[0],
                found.x[1], mean.mean, static_cast<int>(found.replications));
  }
}
