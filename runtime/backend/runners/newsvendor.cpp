// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/runners/run_frank_wolfe.hpp>
#include <sporos/runtime/backend/tasks.hpp>
#include <sporos/runtime/optimization/tasks.hpp>

#include <sporos/models/inventory/newsvendor.hpp>
#include <sporos/models/inventory/newsvendor_optimum.hpp>
#include <sporos/procedures/newsvendor_region.hpp>

#include <cstddef>
#include <utility>

namespace sporos::runtime {

namespace {

using Space = SPOROS_BACKEND;

// Whether the optimum is known: there is a single budget, and cost + holding > 0 for every product, so that ordering
// more is not always better.
bool has_reference(const models::NewsvendorCase& instance) {
  const auto& [cost, holding, price, demand] = instance.products;
  for (std::size_t j = 0; j < cost.size(); ++j) {
    if (!(cost[j] + holding[j] > 0)) return false;
  }
  return is_budget(instance.resources);
}

template <class Demand>
OptimizationOutcome optimized_under(const models::NewsvendorCase& instance, const OptimizationRun& run) {
  const Space space;
  models::Newsvendor<Space, Demand> problem(space, instance);
  if (instance.resources.size() == 0) {
    FrankWolfeResult result;
    result.solution = result.state.solution = models::newsvendor_quantiles(instance.products);
    const double least = problem.exact_objective(to_device<Space>(result.solution));
    result.trajectory.emplace_back().objective = least;
    return {std::move(result), least, least};
  }
  auto outcome = is_budget(instance.resources)
                     ? impl::run_frank_wolfe(problem, budget_of<Space>(instance.resources), run)
                     : impl::run_frank_wolfe(problem, resources_of(space, instance.resources), run);
  if (has_reference(instance)) {
    outcome.optimum = problem.exact_objective(to_device<Space>(models::newsvendor_optimum(instance).quantities));
  }
  return outcome;
}

OptimizationOutcome optimized_newsvendor(const NewsvendorTask& task, const OptimizationRun& run) {
  return task.instance.products.all_normal() ? optimized_under<models::NormalDemand>(task.instance, run)
                                             : optimized_under<models::AnyDemand>(task.instance, run);
}

}  // namespace

template <>
std::any task_runner<NewsvendorTask>() {
  return &optimized_newsvendor;
}

}  // namespace sporos::runtime
