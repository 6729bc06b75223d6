// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/frank_wolfe/frank_wolfe_run.hpp>
#include <sporos/optimizers/frank_wolfe/options.hpp>
#include <sporos/optimizers/frank_wolfe/region.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>
#include <sporos/optimizers/frank_wolfe/start.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <vector>

namespace sporos {

/// Minimizes E[F(x, ξ)], a StochasticProblem, over an OptimizationRegion by Frank–Wolfe (conditional gradients) with
/// resampling: Algorithms 1 and 2 of He, Liu, Wu, Zheng, Zhu (2024), A preliminary study on accelerating simulation
/// optimization with GPU implementation.
///
/// Epoch k draws the sample of N_k replications that follows the sample of epoch k − 1. Each of its M iterations finds
/// the vertex s of the region with the smallest gᵀs, where g is the gradient over the sample. It then moves x along the
/// direction of the variant by the step of the step rule. The vectors stay on the device; the loop runs on the host.
///
/// Repeated runs on one backend with one number of threads give bit-identical results, except for `seconds` and the
/// point at which a time limit stops the run.
///
/// Resumes from `state`, made by an earlier run or convex_combination; the result is bitwise identical to that of an
/// uninterrupted run. Only the trajectory starts afresh.
///
/// @throws std::invalid_argument if an option is out of range, the problem does not support the step rule, sizes do not
/// match, or the point lies outside the region.
template <class Problem, class Region>
FrankWolfeResult frank_wolfe(Problem& problem, Region& region, const FrankWolfeState& state,
                             const FrankWolfeOptions& options = {}, const FrankWolfeCallback& callback = {}) {
  impl::check_contract(impl::Unmet<impl::unmet_problem_requirement<Problem>()>());
  if constexpr (StochasticProblem<Problem>) {
    using Space = typename Problem::execution_space;
    impl::check_contract(impl::Unmet<impl::unmet_region_requirement<Region, Space>()>());
    if constexpr (OptimizationRegion<Region, Space>) {
      check(options);
      impl::check_step_rule<Problem>(options.step_rule);
      impl::check_start(problem, region, state, options);
      return impl::FrankWolfeRun<Problem, Region>(problem, region, state, options, callback).run();
    }
  }
  return {};
}

/// Starts from any point of the region. Away-step and pairwise treat the start as a vertex, even if it is not one.
/// Theory guarantees their linear rate only if it is.
template <class Problem, class Region>
FrankWolfeResult frank_wolfe(Problem& problem, Region& region, const std::vector<double>& start,
                             const FrankWolfeOptions& options = {}, const FrankWolfeCallback& callback = {}) {
  FrankWolfeState state;
  state.solution = start;
  if (options.variant != FrankWolfeVariant::vanilla) state.active_set = {{impl::nonzero_entries(start), 1.0}};
  return frank_wolfe(problem, region, state, options, callback);
}

}  // namespace sporos
