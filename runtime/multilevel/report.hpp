// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/multilevel/request.hpp>
#include <sporos/runtime/page/document.hpp>

#include <sporos/core/io/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// Estimates the mean on `backend`, which is started. Throws as multilevel does.
MultilevelResult multilevel_result_of(const MultilevelRequest& request, const Backend& backend);

/// A mean over levels and how it came about.
struct MultilevelReport {
  const MultilevelRequest& request;
  const MultilevelResult& result;
  double seconds;                    ///< that it took
  Machine machine;                   ///< where
  std::optional<double> exact = {};  ///< the limit of the means, where theory knows it and it was computed in time
  std::string_view ended_by = {};    ///< "time limit" or "interrupted" where that ended it early
};

/// What theory knows of the mean, which may take long.
std::optional<double> exact_mean(const MultilevelRequest& request);

/// What is done: "3 levels".
std::string done_text(const MultilevelReport& report);
/// The reason why the run missed its goal; empty if it reached the goal.
std::string missed_rmse(const MultilevelReport& report);

/// For people.
std::string table_of(const MultilevelReport& report);
/// {"sporos", "model", "parameters", "response", "rmse", "confidence", "seed", "sampling", "randomizations", "mean",
/// "half_width", "bias", "exact", "alpha", "beta", "gamma", "cost", "levels": [{"level", "replications", "mean",
/// "variance", "fine_mean", "fine_variance", "cost"}], "stopped_by", "seconds", "machine"}.
std::string json_of(const MultilevelReport& report);
/// A line for each level.
std::string csv_of(const MultilevelReport& report);
/// As a page; `json` is json_of(report).
Document document_of(const MultilevelReport& report, const io::Json& json);

}  // namespace sporos::runtime
