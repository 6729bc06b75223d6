// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models {

/// Counts of what has happened to the cells of a kind in a centre since the beginning. At any time cells = first +
/// arrived + born + became − ceased − died − drained − shed.
enum CellTally : int {
  arrived,     ///< came from blood or saliva
  drained,     ///< left with the lymph
  shed,        ///< left with the saliva
  born,        ///< came into being as offspring
  died,        ///< died
  became,      ///< became this kind from another
  ceased,      ///< became another kind
  tally_count  ///< number of tallies
};

/// Tallies by centre and kind. They are integers, so the order in which they are added does not matter.
template <class Memory>
using CellTallies = Kokkos::View<std::int64_t** [tally_count], Kokkos::LayoutRight, Memory>;

}  // namespace sporos::models
