// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>

#include <sporos/core/random/engine.hpp>
#include <sporos/core/random_blocks/fastest_options.hpp>
#include <sporos/core/random_blocks/model.hpp>

#include <cstdint>
#include <optional>

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

}  // namespace sporos::runtime
