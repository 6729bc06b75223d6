// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <cstdint>

namespace sporos {

/// Where a model's uniforms come from.
enum class Sampling {
  random,     ///< independent uniforms
  antithetic  ///< replications in pairs: the second takes 1 − u where the first takes u
};

/// Names of the samplings.
template <>
struct ChoiceNames<Sampling> {
  static constexpr std::string_view what = "sampling";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<Sampling>>({{"random", Sampling::random}, {"antithetic", Sampling::antithetic}});
};

/// How often a replication draws from one input variable, as a model states it whose number of draws is known in
/// advance: `count` draws of each of `variables` random variables that take turns (draw i is variable i mod variables).
struct InputDraws {
  std::int64_t count;          ///< draws of each variable in a replication
  std::int64_t variables = 1;  ///< variables that share the input
};

/// Replications that depend on each other and so make one observation together, their average. Observations are
/// independent; moments and half-widths are formed over them.
constexpr int replications_per_observation(Sampling sampling) { return sampling == Sampling::antithetic ? 2 : 1; }

}  // namespace sporos
