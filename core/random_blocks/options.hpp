// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace sporos {

/// How blocks of random numbers are produced. Consumers see the same numbers whatever these are, but for `lanes`: each
/// is a work item of a kernel, and another number of them is another sequence. Engines without a state have no lanes.
struct BlockOptions {
  std::int64_t block_size = 1 << 16;  ///< draws of a block, rounded up to what an engine computes at once
  int buffers = 3;                    ///< blocks of a consumer that are in memory at a time, at least 2
  int producers = 0;                  ///< threads that produce; 0: one on a host, two for a device
  std::int64_t lanes = 4096;          ///< streams of an engine with a state, from which a consumer's draws come in turn
};

}  // namespace sporos
