// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/inventory/newsvendor.hpp>
#include <sporos/models/inventory/newsvendor_case.hpp>
#include <sporos/models/inventory/newsvendor_sample.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::bench {

namespace {

models::NewsvendorCase case_of(const FrankWolfeCase& of) {
  if (of.instance.empty()) return models::generated_newsvendor(of.seed, of.size, 1);
  models::NewsvendorCase made;
  made.products = {of.vector("k"), of.vector("h"), of.vector("v"), {}};
  const std::vector<double> means = of.vector("mu"), deviations = of.vector("sigma");
  for (std::size_t j = 0; j < means.size(); ++j) {
    made.products.demand.push_back({DistributionKind::normal, {means[j], deviations[j], 0}, {}, {}});
  }
  made.resources = {of.vector("C"), of.vector("a")};
  return made;
}

// Draws the uniforms of an epoch in blocks of products and counts those at most one half.
template <class ExecutionSpace>
struct UniformCounter {
  static constexpr std::int64_t width = runs_on_host<ExecutionSpace> ? 32 : 2;
  std::int64_t samples;

  KOKKOS_FUNCTION void operator()(std::int64_t block, std::int64_t& sum) const {
    Kokkos::Array<double, width> halves;
    Kokkos::Array<std::int64_t, width> counts;
    for (std::int64_t i = 0; i < width; ++i) halves[i] = 0.5;
    models::NewsvendorSample{{1, 0, samples}}.count(block * width, halves, counts);
    for (std::int64_t i = 0; i < width; ++i) sum += counts[i];
  }
};

template <class ExecutionSpace>
FrankWolfeOutcome timed_newsvendor(const ExecutionSpace& space, const FrankWolfeCase& of) {
  const models::NewsvendorCase instance = case_of(of);
  models::Newsvendor<ExecutionSpace, models::NormalDemand> problem(space, instance);
  Budget<ExecutionSpace> region(instance.resources.amounts, instance.resources.capacity.front());
  const auto [solution, seconds, iterations, certificate] = timed_frank_wolfe(problem, region, of);
  return {seconds, iterations, certificate, problem.exact_objective(to_device<ExecutionSpace>(solution))};
}

}  // namespace

void register_newsvendor(const FrankWolfeCase& of) {
  for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace& space) {
    register_case<ExecutionSpace>(
        of, [=] { return timed_newsvendor(space, of); },
        [=] { return seconds_of_draws<ExecutionSpace, UniformCounter<ExecutionSpace>, std::int64_t>(space, of); });
  });
}

}  // namespace sporos::bench
