// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace sporos {

/// The replications of every design point that a launch runs.
struct ReplicationRange {
  std::int64_t first = 0;   ///< index of the first replication
  std::int64_t count = 0;   ///< number of replications
  std::int64_t run = 1;     ///< length of a run of consecutive indices
  std::int64_t stride = 1;  ///< distance between the first indices of two neighbouring runs

  /// Index of the replication at `place`, from 0 to count − 1.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t index(std::int64_t place) const {
    const std::int64_t before = run == 1 ? place : place / run;  // number of runs
    return first + before * stride + (place - before * run);
  }
};

}  // namespace sporos
