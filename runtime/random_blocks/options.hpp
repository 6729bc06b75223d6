// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>

#include <sporos/core/random/engine.hpp>
#include <sporos/core/random_blocks/fastest_options.hpp>
#include <sporos/core/random_blocks/model.hpp>

#include <cstdint>
#include <optional>

namespace sporos::runtime {

/// What is to be measured.
struct CalibrationTask {
  Engine engine;
  BlockDemand demand;  ///< its work as the user asks for it
  BlockBounds bounds;
  std::optional<std::int64_t> block_size;  ///< the user's own, to be measured beside the others
  int rounds;                              ///< of every block size
};

/// `sporos calibrate`.
Usage calibrate_usage();

/// What the options ask for. Throws std::invalid_argument, naming option, value and what was expected.
CalibrationTask calibration_task(const OptionTable& table);

}  // namespace sporos::runtime
