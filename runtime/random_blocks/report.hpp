// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/random_blocks/options.hpp>

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
  double measured;   ///< seconds, the least of the rounds
};

/// Constants of blocks, and what they predict beside what was measured.
struct CalibrationReport {
  const CalibrationTask& task;
  const io::BlockModelKey& key;
  const BlockModel& model;
  double work;                        ///< seconds that a consumer takes for a draw with its work, measured
  BlockDemand demand;                 ///< the task's, with that work
  std::vector<MeasuredBlocks> sizes;  ///< in the order of their sizes, at least one
  std::size_t picked;                 ///< which of them the model picks
  std::string constants;              ///< the file that keeps them
  bool is_stored;                     ///< whether they were in it already
  double seconds;                     ///< of all of this
  Machine machine;
};

/// Which of the sizes took least.
std::size_t best_of(const CalibrationReport& report);

/// For people: the constants, each block size, the one that is picked beside the best.
std::string table_of(const CalibrationReport& report);

/// A line for each block size.
std::string csv_of(const CalibrationReport& report);

/// All there is:
///
///     {"sporos": version, "constants": {...}, "demand": {...}, "sizes": [...], "picked": {...}, "best": {...},
///      "over_best", "run": {"seconds", "machine": {...}}}
///
/// with the constants as io::json_of has them.
std::string json_of(const CalibrationReport& report);

/// A script for io::PictureFile: predicted and measured time against the size of blocks.
std::string picture_of(const CalibrationReport& report);

}  // namespace sporos::runtime
