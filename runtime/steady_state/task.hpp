// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/model_of.hpp>
#include <sporos/runtime/backend/parameter_values.hpp>

#include <sporos/core/replication/series.hpp>

#include <cstdint>
#include <memory>

namespace sporos::runtime {

/// Makes long runs of the model, for steady_state; for models that offer series. Throws the same exceptions as
/// SeriesLauncher.
struct SeriesTask {
  const ParameterValues& values;  ///< the model's parameters
  std::uint64_t seed;             ///< seed of the random numbers
  std::int64_t runs;              ///< number of runs

  using Result = std::unique_ptr<SegmentLauncher>;

  template <class ExecutionSpace, SeriesModel Model>
  std::unique_ptr<SegmentLauncher> run() const {
    return std::make_unique<SeriesLauncher<Model, ExecutionSpace>>(ExecutionSpace(), model_of<Model>(values), seed,
                                                                   runs);
  }
};

}  // namespace sporos::runtime
