// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <type_traits>

namespace sporos {

/// Which hardware runs one replication. The bits of the result do not depend on it.
///
/// A host has no warps: a team of one thread runs the kernel of `warp` and computes the random numbers of all 32 lanes,
/// for models that ask for that kernel (`WarpsOnHosts`). For all other models on hosts, and for a model with so many
/// inputs that a warp has no room for their numbers, `thread` takes the place of `warp`, and results name `thread`.
enum class Mapping {
  automatic,  ///< the faster of the two, judged by the number of replications and the device; `thread` on hosts
  thread,     ///< one hardware thread a replication (RangePolicy)
  warp        ///< one warp a replication, its lanes preparing the random numbers together (TeamPolicy)
};

/// Mapping::thread, known to the compiler: it then makes no kernel for warps.
inline constexpr std::integral_constant<Mapping, Mapping::thread> by_threads;

/// The mapping published by Passerat-Palmbach and others (2011), selected at compile time: the first lane of a warp
/// runs a replication, and the other 31 lanes wait. Mapping::warp gives work to all lanes; use this one for
/// comparisons. On a host a team of one thread runs a replication.
struct OneLane {
  /// The unit that runs a replication.
  constexpr operator Mapping() const { return Mapping::warp; }
};
/// The value to pass as a mapping.
inline constexpr OneLane by_one_lane;

/// Names of the mappings.
template <>
struct ChoiceNames<Mapping> {
  static constexpr std::string_view what = "mapping";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<Mapping>>(
      {{"automatic", Mapping::automatic}, {"thread", Mapping::thread}, {"warp", Mapping::warp}});
};

/// What a model makes of most of its draws: work that the lanes of a warp share.
enum class DrawTransform { none, logarithm, quantile };

}  // namespace sporos
