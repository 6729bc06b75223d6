// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/block_model_json.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/random_blocks/model.hpp>
#include <sporos/core/random_blocks/trial.hpp>

#include <functional>

namespace sporos::runtime {

/// Measurements of the blocks of an engine on this backend.
struct Calibrator {
  io::BlockModelKey key;                  ///< machine, backend and engine to which the constants apply
  std::function<BlockModel()> constants;  ///< measures the constants now
  /// work_that_takes: returns the work that takes the given seconds for each draw.
  std::function<ConsumerWork(double)> work;
  /// time_taking: measures the seconds that a consumer takes for a draw and its work, over the given number of rounds.
  std::function<double(const ConsumerWork&, int)> taking;
  /// time_consumers: measures the seconds until all consumers have finished.
  std::function<double(const BlockDemand&, const BlockOptions&, const ConsumerWork&)> seconds;
};

/// Request for the measurements of an engine's blocks.
struct CalibratorRequest {
  Engine engine;

  /// Type of the function that returns the measurements.
  using Runner = Calibrator(const CalibratorRequest&);
};

}  // namespace sporos::runtime
