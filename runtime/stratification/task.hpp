// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/design_models.hpp>
#include <sporos/runtime/backend/parameter_values.hpp>
#include <sporos/runtime/backend/processes.hpp>

#include <sporos/core/replication/model.hpp>
#include <sporos/procedures/stratification/stratified.hpp>
#include <sporos/procedures/stratification/stratified_result.hpp>

#include <span>

namespace sporos::runtime {

/// Estimates the means of the responses from strata of an input variable, for models whose number of responses is known
/// at compile time. Throws the same exceptions as stratified.
struct StratifiedTask {
  ParameterValues values;          ///< the model's parameters
  StratifiedOptions options = {};  ///< how the input variable is stratified

  using Result = StratifiedResult;

  template <class ExecutionSpace, class Described,
            class Models = DesignModels<Described, typename ExecutionSpace::memory_space>>
  requires(!WideModel<typename Models::Model>) StratifiedResult run()
  const {
    const Models design(std::span(&values, 1));
    return stratified(ExecutionSpace(), design.models().front(), options, processes());
  }
};

}  // namespace sporos::runtime
