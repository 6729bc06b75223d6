// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/execution/processes.hpp>

#include <array>
#include <functional>
#include <string_view>

namespace sporos {

/// What a callback wants.
enum class Continuation {
  go_on,  ///< the next iteration
  pause,  ///< the end for now: nothing is formed but the state to go on from
  stop    ///< the end
};

/// Whether whoever waits for the end wants it now.
using StopRequest = std::function<bool()>;

/// What processes do that work together, of which this one wants `mine`: all stop where one wants it, and pause where
/// one does and none wants to stop. Collective.
inline Continuation agreed(Processes& processes, Continuation mine) { return greatest(processes, mine); }

/// The processes over which a problem is spread: those that `problem.processes()` gives, or this one alone. An
/// optimizer is then called by all of them with the same arguments, does the same on each, and looks at the clock
/// together.
template <class Problem>
Processes& processes_of([[maybe_unused]] Problem& problem) {
  if constexpr (requires { problem.processes(); }) {
    return problem.processes();
  } else {
    return alone;
  }
}

/// Why an optimization ended.
enum class StoppedBy {
  iterations,   ///< all iterations are done
  time_limit,   ///< the time is used up
  gap,          ///< the duality gap is within its tolerance
  gradient,     ///< the gradient's norm is within its tolerance
  callback,     ///< the callback wanted it
  simplex,      ///< the simplex is as small, and its values as close together, as its tolerances ask for
  evaluations,  ///< all evaluations are done
  line_search,  ///< no step along the direction lowers the objective further: rounding, or a wrong gradient
  not_finite    ///< objective or gradient were infinite or NaN
};

/// Names of the reasons.
template <>
struct ChoiceNames<StoppedBy> {
  static constexpr std::string_view what = "reason to stop";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<StoppedBy>>({{"iterations", StoppedBy::iterations},
                                                                       {"time limit", StoppedBy::time_limit},
                                                                       {"gap", StoppedBy::gap},
                                                                       {"gradient", StoppedBy::gradient},
                                                                       {"interrupted", StoppedBy::callback},
                                                                       {"simplex", StoppedBy::simplex},
                                                                       {"evaluations", StoppedBy::evaluations},
                                                                       {"line-search", StoppedBy::line_search},
                                                                       {"not-finite", StoppedBy::not_finite}});
};

}  // namespace sporos
