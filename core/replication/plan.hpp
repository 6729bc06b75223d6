// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/sampling/uniform_source.hpp>

#include <cstdint>
#include <limits>

namespace sporos {

/// Target precision of a sequential experiment. A member that is 0 sets no target. If both are set, both must be
/// reached.
struct TargetPrecision {
  double half_width = 0;           ///< largest half-width, in units of the response
  double relative_half_width = 0;  ///< largest half-width as a share of the mean's magnitude

  /// Whether there is a target.
  bool is_set() const { return half_width > 0 || relative_half_width > 0; }
};

/// All settings of an experiment other than the model. They can change without a change of the model. Only `mapping`
/// and `time_limit` may depend on the machine; all other members determine the bits of the result.
struct Plan {
  /// Number of replications of each design point. With a target precision, it is the ceiling.
  std::int64_t replications = 1024;
  /// Target precision. If it is set, each design point stops after the first whole batch at which every response is
  /// precise enough.
  TargetPrecision precision = {};
  /// Number of replications between two checks of the target precision.
  std::int64_t batch = 256;
  /// Seed. Together with engine and sampling method, it determines the random numbers.
  std::uint64_t seed = 1;
  /// Engine, sampling method, and length of a run.
  UniformSource source = {};
  /// Mapping of a replication to hardware: thread or warp.
  Mapping mapping = Mapping::automatic;
  /// Confidence of the intervals, in (0, 1).
  double confidence = 0.95;
  /// Whether design points draw the same random numbers.
  bool common_random_numbers = true;
  /// Time limit in seconds. No further batch starts after it.
  double time_limit = std::numeric_limits<double>::infinity();
  /// Whether covariances between responses are estimated.
  bool covariances = false;
};

/// Throws std::invalid_argument if a plan is invalid. The message contains the member, its value and the expected
/// values.
void check_plan(const Plan& plan);

/// Throws std::invalid_argument on all processes if their plans would not give the same result. The message contains
/// the member that differs. Collective.
void check_same_plan(Processes& processes, const Plan& plan);

}  // namespace sporos
