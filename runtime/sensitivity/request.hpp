// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/options.hpp>

#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/procedures/sensitivity/estimated_input.hpp>
#include <sporos/procedures/sensitivity/pick_freeze.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The options --sensitivity and --input of `sporos simulate MODEL` and what belongs to them.
std::vector<OptionEntry> sensitivity_entries();

/// A parameter that is not known for sure.
struct UncertainParameter {
  std::size_t place;                      ///< among the model's parameters
  std::string text;                       ///< as the user says what it may be
  DistributionChoice distribution = {};   ///< of --sensitivity
  InputStatistic statistic = {};          ///< of --input
  std::vector<double> observations = {};  ///< likewise
};

/// What `sporos simulate MODEL --sensitivity` or `--input` is told.
struct SensitivityRequest {
  const ModelDescription* model;               ///< of which
  ParameterValues values;                      ///< of its parameters; those from data are the estimates
  bool is_of_data;                             ///< whether --input is given, and not --sensitivity
  std::vector<UncertainParameter> parameters;  ///< the uncertain ones
  BasePlan base;                               ///< where the base points lie; of data, how many there are
  InputSampling sampling;                      ///< of data
  Plan plan;                                   ///< of the replications at each design point
  PickFreeze design;                           ///< which design points there are
  std::vector<ParameterValues> points;         ///< all of them; of one input from data the base points alone
  std::vector<std::string> notes;              ///< of how files were read
};

/// Whether the options ask for it.
bool asks_for_sensitivity(const OptionTable& options);

/// Throws std::invalid_argument where options of sensitivity are given, and neither --sensitivity nor --input is.
void refuse_without_sensitivity(const OptionTable& options);

/// What the options ask for. Throws std::invalid_argument, naming the option, for what cannot be carried out.
SensitivityRequest sensitivity_request(const SimulateOptions& options);

/// What the run is of: all that decides the result.
io::Json description_of(const SensitivityRequest& request);

}  // namespace sporos::runtime
