// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace sporos {

/// Stages of a block of random numbers, in their order.
enum class BlockStage {
  computing,  ///< a producer starts to compute it
  copying,    ///< it is computed, and the copy to the consumer's memory starts
  ready,      ///< the copy is complete
  consuming,  ///< the consumer has it
  returned    ///< the consumer has used all its draws, or ends
};

/// Receives a call whenever a block reaches a stage, from the thread that works on it.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  /// Block `block` of consumer `consumer` reaches a stage. Several threads may call this at the same time. Must not
  /// throw.
  virtual void reaches(BlockStage stage, std::uint64_t consumer, std::int64_t block) = 0;
};

/// Options for producing blocks of random numbers. Consumers get the same numbers for all options, except for `lanes`.
/// Each lane is a work item of a kernel, and another number of lanes gives another sequence. Engines without a state
/// have no lanes.
struct BlockOptions {
  std::int64_t block_size = 1 << 16;  ///< draws of a block, rounded up to a multiple of what an engine computes at once
  int buffers = 3;                    ///< blocks of a consumer that are in memory at a time, at least 2
  int producers = 0;                  ///< number of producing threads; 0: one on a host, two for a device
  /// Streams of an engine with a state, from which a consumer's draws come in turn: a multiple of 16 up to 65536.
  std::int64_t lanes = 4096;
  int group_size = 0;                 ///< work items of a work group on a device, up to 1024; 0: chosen by Kokkos
  BlockObserver* observer = nullptr;  ///< receives the stages of all blocks; must outlive the consumers
};

}  // namespace sporos
