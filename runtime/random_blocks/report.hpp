// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/random_blocks/options.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/core/io/block_model_json.hpp>
#include <sporos/core/random_blocks/fastest_options.hpp>
#include <sporos/core/random_blocks/model.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Blocks of one size.
struct MeasuredBlocks {
  BlockOptions options;
  double predicted;  ///< seconds
  double measured;   ///< seconds, the smallest of the rounds
};

/// Constants of blocks, and the times that they predict next to the times that were measured.
struct CalibrationReport {
  const CalibrationTask& task;
  const io::BlockModelKey& key;
  const BlockModel& model;
  double work;                        ///< seconds that a consumer takes for a draw with its work, measured
  BlockDemand demand;                 ///< the task's, with that work
  std::vector<MeasuredBlocks> sizes;  ///< in the order of their sizes, at least one
  std::size_t picked;                 ///< index of the size that the model picks
  std::string constants;              ///< the file with the constants
  bool is_stored;                     ///< whether they were read from it
  double seconds;                     ///< of all of this
  Machine machine;
};

/// A script for io::PictureFile: predicted and measured time against the size of blocks.
std::string picture_of(const CalibrationReport& report);

/// The result: each block size with its predicted and its measured time, and the constants of the model.
ResultDocument document_of(const CalibrationReport& report);

}  // namespace sporos::runtime
