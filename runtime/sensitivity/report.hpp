// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/sensitivity/request.hpp>

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

/// Whether each design point has the two observations that an analysis needs.
bool has_enough(const ExperimentResult& result);

/// Indices of sensitivity, or intervals that count the inputs' uncertainty, and how they came about.
struct SensitivityReport {
  const SensitivityRequest& request;
  const std::vector<SensitivityResult>& results;
  StopReason stopped_by;  ///< of the design points
  double seconds;         ///< that it took
  Machine machine;        ///< where
};

/// The result as data.
ResultDocument document_of(const SensitivityReport& report);

/// How many design points there are, how they were chosen and replicated.
std::string design_text(const SensitivityRequest& request);

}  // namespace sporos::runtime
