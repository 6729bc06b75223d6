// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/design_models.hpp>
#include <sporos/runtime/backend/parameter_values.hpp>

#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/procedures/case_members.hpp>
#include <sporos/procedures/ranking_and_selection/model_launcher.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <memory>

namespace sporos::runtime {

/// Makes the model the systems of a selection. Their parameters have `values` unless `grid` varies them. Throws the
/// same exceptions as ModelLauncher and CaseLauncher. A model whose data come from files, without members, does not
/// offer it.
struct SystemsTask {
  const ParameterValues& values;  ///< the model's parameters
  const SystemGrid& grid;         ///< parameters in which the systems differ
  const SystemResponse& which;    ///< the responses that are compared

  using Result = std::unique_ptr<SystemLauncher>;

  template <class ExecutionSpace, class Model>
  requires(!DescribedCase<Model> && !WideModel<Model>) std::unique_ptr<SystemLauncher> run()
  const {
    return std::make_unique<ModelLauncher<Model, ExecutionSpace>>(ExecutionSpace(), model_of<Model>(values), grid,
                                                                  which);
  }

  template <class ExecutionSpace, CaseWithMembers Case>
  std::unique_ptr<SystemLauncher> run() const {
    return made_of_case<CaseLauncher<Case, ExecutionSpace>, Case, ExecutionSpace>(values, grid, which);
  }
};

}  // namespace sporos::runtime
