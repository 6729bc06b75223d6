// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/core/io/block_model_json.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/random_blocks/fastest_options.hpp>
#include <sporos/core/random_blocks/model.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Task of calibrating the model of pre-generated random numbers.
struct CalibrationTask {
  Engine engine;
  BlockDemand demand;  ///< demand of the consumers, with the work that the user requests
  BlockBounds bounds;
  std::optional<std::int64_t> block_size;  ///< additional block size to measure, if the user gives one
  int rounds;                              ///< number of measurements of every block size
};

/// Returns the usage of `sporos calibrate`.
Usage calibrate_usage();

/// Returns the task that the options specify. Throws std::invalid_argument, which names the option, its value and the
/// expected values, if an option is invalid.
CalibrationTask calibration_task(const OptionTable& table);

/// Predicted and measured time with blocks of one size.
struct MeasuredBlocks {
  BlockOptions options;
  double predicted;  ///< predicted time in seconds
  double measured;   ///< measured time in seconds, the smallest of the rounds
};

/// Report on a calibration: the constants of the model, and its predictions compared with measured times.
struct CalibrationReport {
  const CalibrationTask& task;
  const io::BlockModelKey& key;
  const BlockModel& model;
  double work;                        ///< measured time of a consumer for a draw with its work, in seconds
  BlockDemand demand;                 ///< demand of the task, with that work
  std::vector<MeasuredBlocks> sizes;  ///< measured sizes in ascending order, at least one
  std::size_t picked;                 ///< index of the size that the model picks
  std::string constants;              ///< path of the file with the constants
  bool is_stored;                     ///< whether the constants were read from that file
  double seconds;                     ///< duration of the calibration
  Machine machine;
};

/// Returns a script for io::PictureFile that draws predicted and measured time over block size.
std::string picture_of(const CalibrationReport& report);

/// Returns the result as data: each block size with its predicted and its measured time, and the constants of the
/// model.
ResultDocument document_of(const CalibrationReport& report);

}  // namespace sporos::runtime
