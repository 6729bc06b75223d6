// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/execution/processes.hpp>

#include <array>
#include <functional>
#include <string_view>

namespace sporos {

/// Reply of a callback: how the run continues.
enum class Continuation {
  go_on,  ///< Continue with the next iteration.
  pause,  ///< Stop for now; only the state from which the run can resume is computed.
  stop    ///< Stop.
};

/// Function that is polled during a run; it returns true to request that the run stops.
using StopRequest = std::function<bool()>;

/// Combines the replies of cooperating processes, of which this one contributes `mine`. All stop if one requests it;
/// all pause if one requests that and none requests to stop. Collective.
inline Continuation agreed(Processes& processes, Continuation mine) { return greatest(processes, mine); }

/// Returns the processes over which a problem is distributed: those of `problem.processes()` if it exists, otherwise
/// only this process. All of them call the optimizer with the same arguments, and it takes the same steps on each. Time
/// limits are evaluated collectively.
template <class Problem>
Processes& processes_of([[maybe_unused]] Problem& problem) {
  if constexpr (requires { problem.processes(); }) {
    return problem.processes();
  } else {
    return single_process;
  }
}

/// Reason why an optimization ended.
enum class StoppedBy {
  iterations,   ///< All iterations are done.
  time_limit,   ///< The time limit was reached.
  gap,          ///< The duality gap is within its tolerance.
  gradient,     ///< The norm of the gradient is within its tolerance.
  callback,     ///< The callback or a stop request ended the run.
  simplex,      ///< The size of the simplex and the spread of its values are within their tolerances.
  evaluations,  ///< All evaluations are used.
  /// No step along the direction decreases the objective further, because of rounding or a wrong gradient.
  line_search,
  not_finite  ///< The objective or gradient was infinite or NaN.
};

/// Names of the reasons to stop.
template <>
struct ChoiceNames<StoppedBy> {
  static constexpr std::string_view what = "reason to stop";  ///< Noun for the choice in messages.
  /// Pairs of name and value.
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
