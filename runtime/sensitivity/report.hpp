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

/// Result for one response.
struct SensitivityResult {
  std::string name;                      ///< name of the response
  SobolIndices indices;                  ///< indices of the uncertain parameters; empty for a single input from data
  InputUncertainty uncertainty;          ///< uncertainty due to inputs from data; unused by `sporos sensitivity`
  std::vector<EstimateStep> steps = {};  ///< history of that interval over the outer samples
};

/// Returns the results for all responses. Throws the same exceptions as sobol_indices and input_uncertainty.
std::vector<SensitivityResult> sensitivity_results(const SensitivityRequest& request, const ExperimentResult& result);

/// Whether each design point has the two observations that an analysis requires.
bool has_enough(const ExperimentResult& result);

/// Report on sensitivity indices, or on intervals that include the inputs' uncertainty.
struct SensitivityReport {
  const SensitivityRequest& request;
  const std::vector<SensitivityResult>& results;
  StopReason stopped_by;  ///< reason why the simulation of the design points ended
  double seconds;         ///< duration of the run
  Machine machine;        ///< machine of the run
};

/// Returns the result as data.
ResultDocument document_of(const SensitivityReport& report);

/// Returns the number of design points, their sampling and their replications as text.
std::string design_text(const SensitivityRequest& request);

}  // namespace sporos::runtime
