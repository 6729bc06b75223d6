// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace sporos {

/// Options for producing blocks of random numbers. Consumers get the same numbers for all options, except for `lanes`.
/// Each lane is a work item of a kernel, and another number of lanes gives another sequence. Engines without a state
/// have no lanes.
struct BlockOptions {
  std::int64_t block_size = 1 << 16;  ///< draws of a block, rounded up to a multiple of what an engine computes at once
  int buffers = 3;                    ///< blocks of a consumer that are in memory at a time, at least 2
  int producers = 0;                  ///< number of producing threads; 0: one on a host, two for a device
  /// Streams of an engine with a state, from which a consumer's draws come in turn: a multiple of 16 up to 65536.
  std::int64_t lanes = 4096;
};

}  // namespace sporos
