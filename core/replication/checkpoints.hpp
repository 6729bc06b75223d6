// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>

#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>

namespace sporos {

/// Lets another thread end an experiment of a single process if a launch takes too long. That thread locks `mutex`,
/// keeps it locked, and calls `result`.
struct EarlyEnd {
  /// Mutex that the experiment holds except while it waits for a launch.
  std::timed_mutex mutex = {};
  /// Returns the result of the completed launches, with the given reason for the stop; std::nullopt if no launch has
  /// completed. The function is empty while no experiment runs.
  std::function<std::optional<ExperimentResult>(StopReason)> result = {};
};

/// How the state of an experiment is restored and saved, so that an experiment that was killed can continue.
struct Checkpoints {
  /// State from which the experiment continues; if empty, the experiment starts from the beginning.
  std::optional<ExperimentState> start = {};
  /// Called with the state after a launch if `every` seconds have passed. An exception from it ends the experiment.
  std::function<void(const ExperimentState&)> save = {};
  /// Smallest number of seconds from the start, or from the last call of `save`, to the next call. With 0, `save` is
  /// called after each launch.
  double every = std::numeric_limits<double>::infinity();
  /// Access for another thread that may end the experiment; null if there is none.
  EarlyEnd* early_end = nullptr;
};

/// Throws std::invalid_argument if `state` cannot belong to an experiment under `plan` with `points` design points,
/// `responses` responses and `pairs` pairs of responses.
void check_state(const ExperimentState& state, std::size_t points, std::size_t responses, std::size_t pairs,
                 const Plan& plan);

}  // namespace sporos
