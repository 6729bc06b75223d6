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
/// resampling: Algorithms 1 and 2 of He, Liu, Wu, Zheng, Zhu (A preliminary study on accelerating simulation
/// optimization with GPU implementation, 2024).
///
/// Epoch k draws the sample of N_k replications that follows that of epoch k − 1. Each of its M iterations takes the
/// vertex s of the region with the least gᵀs, g being the gradient over the sample, and moves x along the direction of
/// the variant by the step of the rule. The vectors stay on the device; the loop runs on the host.
///
/// From run to run on one backend, with one number of threads, the result is the same to the last bit, but for
/// `seconds` and for where a time limit stops it.
///
/// Goes on from `state`, which an earlier run or convex_combination has made: with the bits of a run that was never
/// stopped, except for a trajectory of its own.
///
/// @throws std::invalid_argument for options that cannot be carried out, a step rule for which the problem lacks what
/// it takes, sizes that do not fit each other, and a point outside the region.
template <class Problem, class Region>
FrankWolfeResult frank_wolfe(Problem& problem, Region& region, const FrankWolfeState& state,
                             const FrankWolfeOptions& options = {}, const FrankWolfeCallback& callback = {}) {
  impl::check_contract(impl::Lacks<impl::lack_of_problem<Problem>()>());
  if constexpr (StochasticProblem<Problem>) {
    using Space = typename Problem::execution_space;
    impl::check_contract(impl::Lacks<impl::lack_of_region<Region, Space>()>());
    if constexpr (OptimizationRegion<Region, Space>) {
      check(options);
      impl::check_step_rule<Problem>(options.step_rule);
      impl::check_start(problem, region, state, options);
      return impl::FrankWolfeRun<Problem, Region>(problem, region, state, options, callback).run();
    }
  }
  return {};
}

/// The same from any point of the region. Away-step and pairwise count it as a vertex, which it need not be; theory
/// promises their linear rate from a true one.
template <class Problem, class Region>
FrankWolfeResult frank_wolfe(Problem& problem, Region& region, const std::vector<double>& start,
                             const FrankWolfeOptions& options = {}, const FrankWolfeCallback& callback = {}) {
  FrankWolfeState state;
  state.solution = start;
  if (options.variant != FrankWolfeVariant::vanilla) state.active_set = {{impl::nonzero_entries(start), 1.0}};
  return frank_wolfe(problem, region, state, options, callback);
}

}  // namespace sporos
