// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>

namespace sporos {

/// Lets another thread end an experiment of one process whose launch takes too long: it locks `mutex`, for good, and
/// asks `result`.
struct EarlyEnd {
  /// The experiment's own, but while it waits for a launch.
  std::timed_mutex mutex = {};
  /// What the launches before have given, stopped for the reason; nothing before the first one's end. Empty where no
  /// experiment runs.
  std::function<std::optional<ExperimentResult>(StopReason)> result = {};
};

/// How an experiment is kept while it runs, so that another can go on where it was killed.
struct Checkpoints {
  /// Where it goes on; without it, it begins.
  std::optional<ExperimentState> start = {};
  /// Called with the state after a launch, where `every` has passed; what it throws ends the experiment.
  std::function<void(const ExperimentState&)> save = {};
  /// Seconds since the start, or since the last call, before the next call; 0 calls after each launch.
  double every = std::numeric_limits<double>::infinity();
  /// How another thread may end it, where that is not null.
  EarlyEnd* early_end = nullptr;
};

/// Throws std::invalid_argument where `state` is not that of an experiment with so many design points, responses and
/// pairs of these, under `plan`.
void check_state(const ExperimentState& state, std::size_t points, std::size_t responses, std::size_t pairs,
                 const Plan& plan);

}  // namespace sporos
