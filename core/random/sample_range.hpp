// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace sporos {

/// A sample: replications `first` to `first + size - 1` under `seed`. Code that draws it must make replication r depend
/// only on (seed, r). Then two samples without a common replication are independent, and a sample can be drawn again
/// instead of being stored.
struct SampleRange {
  std::uint64_t seed = 1;   ///< seed of all random numbers
  std::uint64_t first = 0;  ///< index of the first replication
  std::int64_t size = 0;    ///< number of replications, at least 1

  /// The sample of `count` replications that follows this one.
  SampleRange next(std::int64_t count) const { return {seed, first + static_cast<std::uint64_t>(size), count}; }
};

}  // namespace sporos
