// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace sporos {

/// The replications of every design point that a launch runs.
struct ReplicationRange {
  std::int64_t first = 0;  ///< index of the first replication
  std::int64_t count = 0;  ///< number of replications
};

}  // namespace sporos
