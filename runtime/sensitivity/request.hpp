// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/question.hpp>

#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/procedures/sensitivity/estimated_input.hpp>
#include <sporos/procedures/sensitivity/pick_freeze.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

/// `sporos sensitivity`: Sobol's indices of parameters that are not known for sure.
extern const Question sensitivity_question;

/// `sporos input-uncertainty`: intervals that count that parameters are estimated from data.
extern const Question input_uncertainty_question;

/// A parameter that is not known for sure.
struct UncertainParameter {
  std::size_t place;                      ///< among the model's parameters
  std::string text;                       ///< as the user says what it may be
  DistributionChoice distribution = {};   ///< of `sporos sensitivity`
  InputStatistic statistic = {};          ///< of `sporos input-uncertainty`
  std::vector<double> observations = {};  ///< likewise
};

/// What the options of `sporos sensitivity` or `sporos input-uncertainty` ask for.
struct SensitivityRequest {
  const ModelDescription* model;               ///< of which
  ParameterValues values;                      ///< of its parameters; those from data are the estimates
  bool is_of_data;                             ///< whether the parameters are estimated from data
  std::vector<UncertainParameter> parameters;  ///< the uncertain ones
  BasePlan base;                               ///< where the base points lie; of data, how many there are
  InputSampling sampling;                      ///< of data
  Plan plan;                                   ///< of the replications at each design point
  PickFreeze design;                           ///< which design points there are
  std::vector<ParameterValues> points;         ///< all of them; of one input from data the base points alone
  std::vector<std::string> notes;              ///< of how files were read
};

/// What the options of `question`, one of the two, ask for. Throws std::invalid_argument, naming the option, for what
/// cannot be carried out.
SensitivityRequest sensitivity_request(const Question& question, const ModelOptions& options);

/// What the run is of: all that decides the result.
io::Json description_of(const SensitivityRequest& request);

}  // namespace sporos::runtime
