// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/page/document.hpp>
#include <sporos/runtime/steady_state/request.hpp>
#include <sporos/runtime/steady_state/series_convergence.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/series_runs.hpp>
#include <sporos/procedures/steady_state/steady_state.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Steady-state means of a model and how they came about.
struct SteadyStateReport {
  const SteadyStateRequest& request;
  const SteadyStateResult& result;
  double seconds;   ///< that it took
  Machine machine;  ///< where
  /// Of each response, its mean where theory knows it and it was computed in time.
  std::vector<std::optional<double>> exact = {};

  /// That of response i.
  std::optional<double> exact_mean(std::size_t i) const { return exact.empty() ? std::nullopt : exact[i]; }
};

/// What theory knows of the steady-state means, which may take long.
std::vector<std::optional<double>> exact_means(const SteadyStateRequest& request);

/// For people.
std::string table_of(const SteadyStateReport& report);
/// {"sporos", "model", "parameters", "method", "confidence", "precision", "relative_precision", "runs", "seed",
/// "observations", "stopped_by", "responses": [{"name", "mean", "low", "high", "half_width", "warm_up", "used",
/// "batch_size", "batches", "degrees_of_freedom", "exact", "lack"}], "seconds", "machine"}: counts are in observations
/// of a run, "lack" says why there is no interval.
std::string json_of(const SteadyStateReport& report);
/// A line for each response.
std::string csv_of(const SteadyStateReport& report);

/// What kept the run from its precision; empty where nothing did.
std::string missed_precision(const SteadyStateRequest& request, const SteadyStateResult& result);

/// A script of gnuplot after Welch: of each series, averaged over the runs, the beginning, its moving average, the end
/// of the warm-up and the interval.
std::string picture_of(const SteadyStateReport& report, const SeriesRuns& runs);

/// The same, a picture for each series.
std::vector<PagePicture> page_pictures_of(const SteadyStateReport& report, const SeriesRuns& runs);

/// As a page; `json` is json_of(report).
Document document_of(const SteadyStateReport& report, const io::Json& json, const SeriesRuns& runs,
                     const std::optional<SeriesConvergence>& convergence);

}  // namespace sporos::runtime
