// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/design_models.hpp>
#include <sporos/runtime/backend/parameter_values.hpp>

#include <sporos/core/replication/series.hpp>
#include <sporos/core/replication/stored_series.hpp>

#include <cstdint>
#include <memory>

namespace sporos::runtime {

/// A case whose model provides long runs.
template <class Case>
concept SeriesCase = CaseWithMembers<Case> && StoredSeriesModel<typename Case::Model>;

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

  template <class ExecutionSpace, SeriesCase Case>
  std::unique_ptr<SegmentLauncher> run() const {
    using Launcher = StoredSeriesLauncher<typename Case::Model, ExecutionSpace>;
    using Tables = typename Case::template Tables<typename ExecutionSpace::memory_space>;
    const Case described = model_of<Case>(values);
    const auto data = described.long_run(loaded_of<Case>(values).data, member_values_of<Case>(values));
    const auto tables = std::make_shared<Tables>(data);
    return std::make_unique<Launcher>(
        ExecutionSpace(), case_model<Case>(values, *tables),
        typename Launcher::About{described.response_names(data), described.series_means(data),
                                 described.observation(data), described.station_names(data)},
        seed, runs, tables);
  }
};

}  // namespace sporos::runtime
