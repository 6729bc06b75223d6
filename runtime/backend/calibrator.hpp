// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/block_model_json.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/random_blocks/model.hpp>
#include <sporos/core/random_blocks/trial.hpp>

#include <functional>

namespace sporos::runtime {

/// What blocks of an engine are measured by.
struct Calibrator {
  io::BlockModelKey key;                  ///< what their constants are of
  std::function<BlockModel()> constants;  ///< measured now
  /// work_that_takes so many seconds.
  std::function<ConsumerWork(double)> work;
  /// time_taking, of so many rounds.
  std::function<double(const ConsumerWork&, int)> taking;
  /// time_consumers of them.
  std::function<double(const BlockDemand&, const BlockOptions&, const ConsumerWork&)> seconds;
};

/// The engine whose blocks are to be measured.
struct CalibratorRequest {
  Engine engine;

  /// Gives what to measure them by.
  using Runner = Calibrator(const CalibratorRequest&);
};

}  // namespace sporos::runtime
