// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/optimizers/stopping.hpp>

#include <algorithm>

namespace sporos::runtime {

/// Optimizes in segments. If `callback` requests a pause, `keep` gets the state, and `optimize(state, options,
/// callback)` continues from it with the time that is left. The callback receives seconds since the first start. If the
/// problem is distributed over `processes`, they pause together, and all fail if one cannot keep the state.
template <class State, class Options, class Callback, class Keep, class Optimize>
auto optimized_in_segments(Processes& processes, const State& start, const Options& options, const Callback& callback,
                           const Keep& keep, const Optimize& optimize) {
  const auto began = Clock::now();
  double before = 0;                // seconds of earlier segments
  auto last = Continuation::go_on;  // last reply of the callback
  const Callback watch = [&](auto point) {
    point.seconds += before;
    return last = callback(point);
  };
  auto result = optimize(start, options, watch);
  while (result.stopped_by == StoppedBy::callback && agreed(processes, last) == Continuation::pause) {
    together(processes, [&] { keep(result.state); });
    constexpr double min_time = 1e-9;  // smallest time limit, since 0 means no limit
    before = greatest(processes, seconds_since(began));
    Options rest = options;
    rest.time_limit = std::max(options.time_limit - before, min_time);
    last = Continuation::go_on;
    result = optimize(result.state, rest, watch);
  }
  return result;
}

}  // namespace sporos::runtime
