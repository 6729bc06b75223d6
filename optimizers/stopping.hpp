// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <string_view>

namespace sporos {

/// What a callback wants.
enum class Continuation {
  go_on,  ///< the next iteration
  stop,   ///< the end
  pause   ///< the end for now: nothing is formed but the state to go on from
};

/// Why an optimization ended.
enum class StoppedBy {
  iterations,   ///< all iterations are done
  time,         ///< the time limit
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
                                                                       {"time", StoppedBy::time},
                                                                       {"gap", StoppedBy::gap},
                                                                       {"gradient", StoppedBy::gradient},
                                                                       {"callback", StoppedBy::callback},
                                                                       {"simplex", StoppedBy::simplex},
                                                                       {"evaluations", StoppedBy::evaluations},
                                                                       {"line-search", StoppedBy::line_search},
                                                                       {"not-finite", StoppedBy::not_finite}});
};

}  // namespace sporos
