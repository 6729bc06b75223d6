// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/nelder_mead/bounded_objective.hpp>
#include <sporos/optimizers/nelder_mead/nelder_mead_run.hpp>
#include <sporos/optimizers/nelder_mead/options.hpp>
#include <sporos/optimizers/nelder_mead/point_batch.hpp>
#include <sporos/optimizers/nelder_mead/result.hpp>
#include <sporos/optimizers/nelder_mead/start.hpp>

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace sporos {

namespace impl {

enum class ObjectiveLack { none, evaluate };

template <class Objective>
inline constexpr ObjectiveLack lack_of_objective =
    BatchObjective<std::remove_reference_t<Objective>> ? ObjectiveLack::none : ObjectiveLack::evaluate;

inline void check_contract(Lacks<ObjectiveLack::none>) {}
SPOROS_TELL(ObjectiveLack::evaluate,
            "Sporos: nelder_mead takes a HostObjective or PointwiseObjective of a function of a point, or a class with "
            "execution_space, execution() and void evaluate(const sporos::PointBatch<execution_space>& points, const "
            "sporos::Vector<execution_space>& values)");

template <BatchObjective Objective>
std::vector<NelderMeadResult> minimize_from(Objective& objective, const std::vector<NelderMeadState>& states,
                                            const NelderMeadOptions& options, const NelderMeadCallback& callback) {
  check(options);
  for (std::size_t s = 0; s < states.size(); ++s) check_state(states[s], s);
  if (options.bounds.empty()) return NelderMeadRun<Objective>(objective, states, options, callback).run();
  std::vector<std::size_t> dimensions;
  for (const NelderMeadState& state : states) dimensions.push_back(state.dimension());
  const std::vector<Bounds> bounds = bounds_of_each(options.bounds, dimensions);
  BoundedObjective<Objective> bounded(objective, bounds);
  auto found = NelderMeadRun<BoundedObjective<Objective>>(bounded, states, options, callback).run();
  for (std::size_t s = 0; s < found.size(); ++s) found[s].point = bounded_point(bounds[s], found[s].point);
  return found;
}

}  // namespace impl

/// Minimizes a function without derivatives from many starts at once, by the simplex method of Nelder and Mead (A
/// simplex method for function minimization, Computer Journal 7, 1965), with ties as Lagarias, Reeds, Wright and Wright
/// (SIAM J. Optim. 9, 1998) have them: the worst vertex of a simplex is replaced by a better point on the line through
/// it and the centroid of the others, or, where none is found, the simplex shrinks towards its best vertex.
///
/// All simplices go in lock-step: a step is one evaluation of the objective, at the one point that each of them wants,
/// and one kernel that tells each its value and finds its next point. Everything stays on the device but for a few
/// numbers every 32 steps, or as many as the objective asks for (see steps_of_round_for), when the callback is called
/// and the simplices that have stopped are put aside. They may differ in dimension. The result of a simplex is the same
/// bits whatever the others, on every backend and with any number of threads, as far as the objective is; only
/// `time_limit` and the callback depend on the machine.
///
/// The method may converge to a point that is no minimum (McKinnon, SIAM J. Optim. 9, 1998); `restarts` and
/// `oriented_restarts` are against that.
///
/// Goes on from `states`, which an earlier run has made: with the bits of a run that was never stopped.
///
/// @throws std::invalid_argument for options, bounds or states that are not as they should be.
template <class Objective>
std::vector<NelderMeadResult> nelder_mead(Objective&& objective, const std::vector<NelderMeadState>& states,
                                          const NelderMeadOptions& options = {},
                                          const NelderMeadCallback& callback = {}) {
  impl::check_contract(impl::Lacks<impl::lack_of_objective<Objective>>());
  if constexpr (BatchObjective<std::remove_reference_t<Objective>>) {
    return impl::minimize_from(objective, states, options, callback);
  } else {
    return {};
  }
}

/// The same from any simplices.
/// @throws std::invalid_argument for options, bounds or starts that are not as they should be.
template <class Objective>
std::vector<NelderMeadResult> nelder_mead(Objective&& objective, const std::vector<SimplexStart>& starts,
                                          const NelderMeadOptions& options = {},
                                          const NelderMeadCallback& callback = {}) {
  impl::check_contract(impl::Lacks<impl::lack_of_objective<Objective>>());
  std::vector<NelderMeadState> states;
  std::vector<std::size_t> dimensions;
  for (std::size_t s = 0; s < starts.size(); ++s) {
    states.push_back(impl::started(starts[s], s));
    dimensions.push_back(states.back().dimension());
  }
  if (!options.bounds.empty()) {
    const std::vector<Bounds> bounds = impl::bounds_of_each(options.bounds, dimensions);
    for (std::size_t s = 0; s < starts.size(); ++s) impl::unbind(bounds[s], s, states[s]);
  }
  return nelder_mead(objective, states, options, callback);
}

/// The same from simplices that are listed, such as
///
///     const std::vector<double> start = {0.2, 20};
///     const NelderMeadResult found = nelder_mead(objective, {{start, {0.1, 5}}}, options).front();
///
/// with one start and the lengths of the first simplex's edges. There is a result for each start, in order.
template <class Objective>
std::vector<NelderMeadResult> nelder_mead(Objective&& objective, std::initializer_list<SimplexStart> starts,
                                          const NelderMeadOptions& options = {},
                                          const NelderMeadCallback& callback = {}) {
  impl::check_contract(impl::Lacks<impl::lack_of_objective<Objective>>());
  return nelder_mead(objective, std::vector<SimplexStart>(starts), options, callback);
}

}  // namespace sporos
