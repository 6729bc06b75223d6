// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/block_model_json.hpp>
#include <sporos/core/random_blocks/calibration.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace sporos::io {

/// Constants of a BlockModel and their origin.
struct KnownBlockModel {
  BlockModel model;    ///< the constants
  std::string reason;  ///< why they were measured now or could not be stored; empty if they were read from a file
};

/// Reads the constants for the engine `E`, which is called `engine`, from the file block_model_path. If the file is
/// missing, damaged or for another key, measures the constants (calibrate_blocks with `options`) and stores them.
/// Returns them even if they cannot be stored. Requires an initialized Kokkos.
template <class ExecutionSpace, class E>
KnownBlockModel known_block_model(std::string_view engine, const BlockCalibrationOptions& options = {}) {
  const BlockModelKey key = block_model_key<ExecutionSpace>(engine);
  KnownBlockModel known;
  try {
    return {load_block_model(block_model_path(key), key), ""};
  } catch (const std::invalid_argument& error) {
    known.reason = error.what();
  }
  known.model = calibrate_blocks<ExecutionSpace, E>(options);
  try {
    save_block_model(known.model, key);
  } catch (const std::runtime_error& error) {
    known.reason = error.what();
  } catch (const std::invalid_argument&) {
    // there is no cache folder, as `reason` already says
  }
  return known;
}

}  // namespace sporos::io
