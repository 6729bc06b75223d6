// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/sampling/uniform_source.hpp>

#include <cstdint>
#include <limits>

namespace sporos {

/// How precise a sequential experiment has to become. Zero asks for nothing; with both given both must hold.
struct TargetPrecision {
  double half_width = 0;           ///< largest half-width, in units of the response
  double relative_half_width = 0;  ///< largest half-width as a share of the mean's magnitude

  /// Whether any precision is asked for.
  bool is_set() const { return half_width > 0 || relative_half_width > 0; }
};

/// Everything about an experiment that is not the model: chosen outside it, changeable without touching it. Only
/// `mapping` and `time_limit` may depend on the machine; all other members decide the bits of the result.
struct Plan {
  /// Replications of each design point; with a target precision, the ceiling.
  std::int64_t replications = 1024;
  /// Where set, each design point stops at the first whole batch at which every response is precise enough.
  TargetPrecision precision = {};
  /// Replications between two looks at the target precision.
  std::int64_t batch = 256;
  /// Names the random numbers, with engine and sampling.
  std::uint64_t seed = 1;
  /// Engine, sampling, and what makes a run.
  UniformSource source = {};
  /// Which hardware runs one replication.
  Mapping mapping = Mapping::automatic;
  /// Confidence of the intervals, in (0, 1).
  double confidence = 0.95;
  /// Whether design points draw the same random numbers.
  bool common_random_numbers = true;
  /// Seconds after which no further batch is begun.
  double time_limit = std::numeric_limits<double>::infinity();
  /// Whether covariances between responses are estimated too.
  bool covariances = false;
};

/// Throws std::invalid_argument, naming member, value and what was expected, where a plan cannot be carried out.
void check_plan(const Plan& plan);

/// Throws std::invalid_argument on all processes, naming the member, where their plans would not give the same result.
/// Collective.
void check_same_plan(Processes& processes, const Plan& plan);

}  // namespace sporos
