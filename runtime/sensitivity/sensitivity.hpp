// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/simulation/question.hpp>

#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/statistics/estimate_steps.hpp>
#include <sporos/procedures/sensitivity/estimated_input.hpp>
#include <sporos/procedures/sensitivity/input_uncertainty.hpp>
#include <sporos/procedures/sensitivity/pick_freeze.hpp>
#include <sporos/procedures/sensitivity/sobol_indices.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

/// `sporos sensitivity`: Sobol's indices of uncertain parameters.
extern const Question sensitivity_question;

/// `sporos input-uncertainty`: intervals that include the uncertainty of parameters estimated from data.
extern const Question input_uncertainty_question;

/// An uncertain parameter.
struct UncertainParameter {
  std::size_t place;                      ///< index among the model's parameters
  std::string text;                       ///< range, distribution or statistic, as the user writes it
  DistributionChoice distribution = {};   ///< distribution, for `sporos sensitivity`
  InputStatistic statistic = {};          ///< statistic that estimates it, for `sporos input-uncertainty`
  std::vector<double> observations = {};  ///< data of the statistic, for `sporos input-uncertainty`
};

/// Parsed options of `sporos sensitivity` or `sporos input-uncertainty`.
struct SensitivityRequest {
  const ModelDescription* model;               ///< the model
  ParameterValues values;                      ///< values of its parameters; estimates for those from data
  bool is_of_data;                             ///< whether the parameters are estimated from data
  std::vector<UncertainParameter> parameters;  ///< uncertain parameters
  BasePlan base;                               ///< plan of the base points; for data, only number and seed matter
  InputSampling sampling;                      ///< sampling of parameters estimated from data
  Plan plan;                                   ///< plan of the replications at each design point
  PickFreeze design;                           ///< pick-freeze design
  std::vector<ParameterValues> points;  ///< all design points; for a single input from data, only the base points
  std::vector<std::string> notes;       ///< human-readable notes, such as on how files were read
};

/// Parses the options of `question`, which is one of the two questions above. Throws std::invalid_argument, naming the
/// option, if the request cannot be carried out.
SensitivityRequest sensitivity_request(const Question& question, const ModelOptions& options);

/// Returns a description of the run, with everything that determines its result.
io::Json description_of(const SensitivityRequest& request);

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
