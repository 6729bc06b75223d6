// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/design_models.hpp>
#include <sporos/runtime/backend/parameter_values.hpp>

#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/likelihood_ratio.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/replication/pathwise.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/procedures/objective.hpp>
#include <sporos/procedures/simulated_objective.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace sporos::runtime {

/// How many derivatives a launch computes: as many as the model has parameters with derivatives, from 1 to 16.
template <class Model>
constexpr int directions_of() {
  int count = 0;
  if constexpr (DifferentiableModel<Model>) {
    using InDuals = ModelOver<Model, Dual<1>>;
    for_each_parameter<InDuals>(
        [&]<class Value>(const Parameter<InDuals, Value>&) { count += DualNumber<Value> ? 1 : 0; });
  }
  return std::clamp(count, 1, 16);
}

/// Makes the model a problem for searches. Its parameters have `values` unless they are decision variables. Throws the
/// same exceptions as SimulatedObjective and CaseObjective. A model whose data come from files, without members, does
/// not offer it.
struct ProblemTask {
  const ParameterValues& values;        ///< the model's parameters
  std::span<const Decision> decisions;  ///< the decision variables
  const Objective& objective;           ///< objective of the problem
  bool is_scored = false;               ///< whether gradients are likelihood ratios, for a ScoredModel

  using Result = std::unique_ptr<SampledProblem>;

  template <class ExecutionSpace, class Model>
  requires(!DescribedCase<Model> && !WideModel<Model>) std::unique_ptr<SampledProblem> run()
  const {
    if (!is_scored) return problem_of<ExecutionSpace, Model, PathwiseEstimator>();
    if constexpr (ScoredModel<Model>) return problem_of<ExecutionSpace, Model, LikelihoodRatioEstimator>();
    throw std::invalid_argument("the model has no likelihood ratios");
  }

  template <class ExecutionSpace, CaseWithMembers Case>
  std::unique_ptr<SampledProblem> run() const {
    if (is_scored) throw std::invalid_argument("the model has no likelihood ratios");
    const std::vector<double> members = member_values_of<Case>(values);
    return made_of_case<CaseObjective<Case, ExecutionSpace>, Case, ExecutionSpace>(values, decisions, objective,
                                                                                   std::span<const double>(members));
  }

 private:
  template <class ExecutionSpace, class Model, class Estimator>
  std::unique_ptr<SampledProblem> problem_of() const {
    return std::make_unique<SimulatedObjective<Model, ExecutionSpace, directions_of<Model>(), Estimator>>(
        ExecutionSpace(), model_of<Model>(values), decisions, objective);
  }
};

}  // namespace sporos::runtime
