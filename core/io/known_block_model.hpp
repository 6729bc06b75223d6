// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/block_model_json.hpp>
#include <sporos/core/random_blocks/calibration.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace sporos::io {

/// Constants, and where they are from.
struct KnownBlockModel {
  BlockModel model;    ///< the constants
  std::string reason;  ///< why they were measured now, or could not be stored; empty where they were stored
};

/// The constants that block_model_path names for the engine `E`, which is called `engine`. Where there are none, or
/// those of something else, they are measured (calibrate_blocks with `options`) and stored; what cannot be stored is
/// still returned. Kokkos has been initialized.
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
    // no folder: said already
  }
  return known;
}

}  // namespace sporos::io
