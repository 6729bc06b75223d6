// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models {

/// What happens to the cells of a kind in a centre, counted since the beginning. At any time
/// cells = first + arrived + born + became − ceased − died − drained − shed.
enum CellTally : int {
  arrived,     ///< came from blood or saliva
  drained,     ///< went to the lymph
  shed,        ///< went to the saliva
  born,        ///< came into being as offspring
  died,        ///< are gone
  became,      ///< were of another kind
  ceased,      ///< are of another kind now
  tally_count  ///< how many tallies there are
};

/// Tallies by centre and kind. Whole numbers, so that it does not matter in which order they are added.
template <class Memory>
using CellTallies = Kokkos::View<std::int64_t** [tally_count], Kokkos::LayoutRight, Memory>;

}  // namespace sporos::models
