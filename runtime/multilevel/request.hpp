// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/options.hpp>

#include <sporos/procedures/multilevel/multilevel_result.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The options of `sporos simulate MODEL --multilevel`.
std::vector<OptionEntry> multilevel_entries();

/// What `sporos simulate MODEL --multilevel` is told.
struct MultilevelRequest {
  const ModelDescription* model;  ///< one whose responses have levels
  ParameterValues values;         ///< of its parameters
  std::size_t response;           ///< which one
  std::string name;               ///< of the response
  MultilevelOptions options;      ///< how precise its mean has to be
  double time_limit;              ///< seconds
};

/// Throws std::invalid_argument where options of multilevel means are given and --multilevel is not.
void refuse_without_multilevel(const OptionTable& options);

/// What the options ask for. Throws std::invalid_argument, naming the option, for what cannot be carried out.
MultilevelRequest multilevel_request(const SimulateOptions& options);

}  // namespace sporos::runtime
