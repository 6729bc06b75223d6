// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/block_model_json.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/random_blocks/model.hpp>
#include <sporos/core/random_blocks/trial.hpp>

#include <functional>

namespace sporos::runtime {

/// Functions that measure blocks of pre-generated random numbers for one engine on this backend.
struct Calibrator {
  io::BlockModelKey key;                  ///< machine, backend and engine to which the constants apply
  std::function<BlockModel()> constants;  ///< measures the constants of the BlockModel
  /// Returns consumer work that takes about the given number of seconds for each draw (work_that_takes).
  std::function<ConsumerWork(double)> work;
  /// Measures the seconds in which a consumer takes one draw from a block that is ready and does its work for it.
  /// Returns the smallest value of the given number of rounds (time_taking).
  std::function<double(const ConsumerWork&, int)> taking;
  /// Measures the seconds from the start of the first consumer to the last draw of the last one (time_consumers).
  std::function<double(const BlockDemand&, const BlockOptions&, const ConsumerWork&)> seconds;
};

/// Request for the Calibrator of an engine.
struct CalibratorRequest {
  Engine engine;

  /// Type of the function that returns the Calibrator.
  using Runner = Calibrator(const CalibratorRequest&);
};

}  // namespace sporos::runtime
