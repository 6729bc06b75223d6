// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/page/document.hpp>
#include <sporos/runtime/sensitivity/request.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/statistics/estimate_steps.hpp>
#include <sporos/procedures/sensitivity/input_uncertainty.hpp>
#include <sporos/procedures/sensitivity/sobol_indices.hpp>

#include <string>
#include <vector>

namespace sporos::runtime {

/// What came of one response.
struct SensitivityResult {
  std::string name;                      ///< of the response
  SobolIndices indices;                  ///< of the uncertain parameters; of one input from data none
  InputUncertainty uncertainty;          ///< of --input
  std::vector<EstimateStep> steps = {};  ///< likewise, how its interval came about over the outer samples
};

/// Those of all responses. Throws as sobol_indices and input_uncertainty do.
std::vector<SensitivityResult> sensitivity_results(const SensitivityRequest& request, const ExperimentResult& result);

/// Indices of sensitivity, or intervals that count the inputs' uncertainty, and how they came about.
struct SensitivityReport {
  const SensitivityRequest& request;
  const std::vector<SensitivityResult>& results;
  double seconds;   ///< that it took
  Machine machine;  ///< where
};

/// For people.
std::string table_of(const SensitivityReport& report);
/// {"sporos", "model", "parameters", "plan", "inputs": [{"parameter", "text", "observations", "estimate"}],
/// "base_points", "base_sampling" or "outer_samples", "input_sampling", "design_points", "responses": [{"name", "mean",
/// "variance", "noise", "low", "high", "simulation_half_width", "input_variance", "simulation_variance", "ratio",
/// "ratio_low", "ratio_high", "indices": [{"parameter", "first", "first_half_width", "total", "total_half_width"}]}],
/// "notes", "seconds", "machine"}; what --sensitivity does not tell is left out.
std::string json_of(const SensitivityReport& report);
/// A line for each uncertain parameter of each response.
std::string csv_of(const SensitivityReport& report);
/// As a page; `json` is json_of(report).
Document document_of(const SensitivityReport& report, const io::Json& json);

/// How many design points there are, how they were chosen and replicated.
std::string design_text(const SensitivityRequest& request);

}  // namespace sporos::runtime
