// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <type_traits>

namespace sporos {

/// Hardware unit that runs one replication. The result does not depend on it, not even in its last bit.
///
/// A host has no warps: for models that request it (`WarpsOnHosts`), a team of one thread runs the `warp` kernel and
/// computes the random numbers of all 32 lanes. All other models on hosts use `thread` instead of `warp`, and so do
/// models with too many inputs for the memory of a warp. Results then name `thread`.
enum class Mapping {
  automatic,  ///< the faster of the two, estimated from the number of replications and the device; `thread` on hosts
  thread,     ///< one hardware thread per replication (RangePolicy)
  warp        ///< one warp per replication; its lanes prepare the random numbers together (TeamPolicy)
};

/// Mapping::thread as a compile-time constant, so that no kernel for warps is compiled.
inline constexpr std::integral_constant<Mapping, Mapping::thread> by_threads;

/// Mapping published by Passerat-Palmbach et al. (2011), Warp-level parallelism: enabling multiple replications in
/// parallel on GPU, selected at compile time. The first lane of a warp runs a replication, and the other 31 lanes wait.
/// Use it only for comparisons: Mapping::warp gives work to all lanes. On a host, a team of one thread runs it.
struct OneLane {
  /// Hardware unit that runs a replication.
  constexpr operator Mapping() const { return Mapping::warp; }
};
/// Value to pass as a mapping.
inline constexpr OneLane by_one_lane;

/// Names of the mappings.
template <>
struct ChoiceNames<Mapping> {
  static constexpr std::string_view what = "mapping";  ///< name of the choice
  /// name and value of each mapping
  static constexpr auto values = std::to_array<NamedValue<Mapping>>(
      {{"automatic", Mapping::automatic}, {"thread", Mapping::thread}, {"warp", Mapping::warp}});
};

/// Function that a model applies to most of its draws; the lanes of a warp share this work.
enum class DrawTransform { none, logarithm, quantile };

}  // namespace sporos
