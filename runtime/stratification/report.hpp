// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/page/document.hpp>
#include <sporos/runtime/stratification/request.hpp>

#include <sporos/core/io/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Estimates the means on `backend`, which is started. Throws as stratified does.
StratifiedResult stratified_result_of(const StratifiedRequest& request, const Backend& backend);

/// Means from strata and how they came about. Responses that are ratios of means are left out.
struct StratifiedReport {
  const StratifiedRequest& request;
  const StratifiedResult& result;
  double seconds;   ///< that it took
  Machine machine;  ///< where
  std::vector<std::optional<double>> exact =
      {};                          ///< of each response, where theory knows it and it was computed in time
  std::string_view ended_by = {};  ///< "time limit" or "interrupted" where that ended it early
};

/// What theory knows of the means, which may take long.
std::vector<std::optional<double>> exact_mean(const StratifiedRequest& request);

/// What is done: "512 of 100000 replications".
std::string done_text(const StratifiedReport& report);

/// For people.
std::string table_of(const StratifiedReport& report);
/// {"sporos", "model", "parameters", "input", "strata", "replications", "neyman", "confidence", "seed", "responses":
/// [{"name", "mean", "half_width", "degrees_of_freedom", "variance_ratio", "exact", "means_of_strata",
/// "deviations_of_strata"}], "replications_of_strata", "notes", "stopped_by", "seconds", "machine"}.
std::string json_of(const StratifiedReport& report);
/// A line for each response.
std::string csv_of(const StratifiedReport& report);
/// As a page; `json` is json_of(report).
Document document_of(const StratifiedReport& report, const io::Json& json);

}  // namespace sporos::runtime
