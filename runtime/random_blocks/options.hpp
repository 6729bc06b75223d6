// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/random/engine.hpp>
#include <sporos/core/random_blocks/fastest_options.hpp>
#include <sporos/core/random_blocks/model.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Everything that `sporos calibrate` is told.
struct CalibrateOptions {
  OptionTable table;
  std::vector<std::string> pictures;
  bool takes_stored = false, shows_progress = true;
};

/// What is to be measured.
struct CalibrationTask {
  Engine engine;
  BlockDemand demand;  ///< its work as the user asks for it
  BlockBounds bounds;
  std::optional<std::int64_t> block_size;  ///< the user's own, to be measured beside the others
  int rounds;                              ///< of every block size
};

/// Reads the arguments behind `sporos calibrate`. Throws Help where that is asked for, std::invalid_argument for what
/// is no option.
CalibrateOptions parse_calibrate_options(std::span<const std::string> arguments);

/// What the options ask for. Throws std::invalid_argument, naming option, value and what was expected.
CalibrationTask calibration_task(const OptionTable& table);

}  // namespace sporos::runtime
