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

enum class ObjectiveRequirement { none, evaluate };

template <class Objective>
inline constexpr ObjectiveRequirement unmet_objective_requirement =
    BatchObjective<std::remove_reference_t<Objective>> ? ObjectiveRequirement::none : ObjectiveRequirement::evaluate;

inline void check_contract(Unmet<ObjectiveRequirement::none>) {}
SPOROS_REQUIREMENT(
    ObjectiveRequirement::evaluate,
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
/// simplex method for function minimization, Computer Journal 7, 1965), with the tie rules of Lagarias, Reeds, Wright
/// and Wright (SIAM J. Optim. 9, 1998). The worst vertex of a simplex is replaced by a better point on the line through
/// it and the centroid of the others. If no such point is found, the simplex shrinks towards its best vertex.
///
/// All simplices advance in lock-step and may differ in dimension. A step is one evaluation of the objective, at the
/// one point that each simplex requests, and one kernel that takes the values and computes the next points. All data
/// stay on the device except for a few numbers every 32 steps, or as often as the objective specifies (see
/// steps_of_round_for). Then the callback is called and stopped simplices are set aside.
///
/// The result of a simplex has the same bits whatever the other simplices, on every backend and with any number of
/// threads, provided that the objective does. Only `time_limit` and the callback make it depend on the machine.
///
/// The method may converge to a point that is not a minimum (McKinnon, SIAM J. Optim. 9, 1998); `restarts` and
/// `oriented_restarts` counter that.
///
/// Resumes from `states`, made by an earlier run; the result is bitwise identical to that of an uninterrupted run.
///
/// @throws std::invalid_argument if options, bounds or states are invalid.
template <class Objective>
std::vector<NelderMeadResult> nelder_mead(Objective&& objective, const std::vector<NelderMeadState>& states,
                                          const NelderMeadOptions& options = {},
                                          const NelderMeadCallback& callback = {}) {
  impl::check_contract(impl::Unmet<impl::unmet_objective_requirement<Objective>>());
  if constexpr (BatchObjective<std::remove_reference_t<Objective>>) {
    return impl::minimize_from(objective, states, options, callback);
  } else {
    return {};
  }
}

/// Starts from any simplices.
/// @throws std::invalid_argument if options, bounds or starts are invalid.
template <class Objective>
std::vector<NelderMeadResult> nelder_mead(Objective&& objective, const std::vector<SimplexStart>& starts,
                                          const NelderMeadOptions& options = {},
                                          const NelderMeadCallback& callback = {}) {
  impl::check_contract(impl::Unmet<impl::unmet_objective_requirement<Objective>>());
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

/// Starts from a list of simplices, such as
///
///     const std::vector<double> start = {0.2, 20};
///     const NelderMeadResult found = nelder_mead(objective, {{start, {0.1, 5}}}, options).front();
///
/// with one start and the edge lengths of the first simplex. Returns a result for each start, in order.
template <class Objective>
std::vector<NelderMeadResult> nelder_mead(Objective&& objective, std::initializer_list<SimplexStart> starts,
                                          const NelderMeadOptions& options = {},
                                          const NelderMeadCallback& callback = {}) {
  impl::check_contract(impl::Unmet<impl::unmet_objective_requirement<Objective>>());
  return nelder_mead(objective, std::vector<SimplexStart>(starts), options, callback);
}

}  // namespace sporos
