// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/options.hpp>

#include <sporos/procedures/stratification/stratified_result.hpp>

#include <string>
#include <vector>

namespace sporos::runtime {

/// The options of `sporos simulate MODEL --stratify`.
std::vector<OptionEntry> stratification_entries();

/// What `sporos simulate MODEL --stratify` is told.
struct StratifiedRequest {
  const ModelDescription* model;  ///< of which
  ParameterValues values;         ///< of its parameters
  std::string input;              ///< the name of the input variable, or its number
  StratifiedOptions options;      ///< how it is stratified
  double time_limit;              ///< seconds
};

/// Throws std::invalid_argument where options of stratified sampling are given and --stratify is not.
void refuse_without_stratification(const OptionTable& options);

/// What the options ask for. Throws std::invalid_argument, naming the option, for what cannot be carried out.
StratifiedRequest stratified_request(const SimulateOptions& options);

}  // namespace sporos::runtime
