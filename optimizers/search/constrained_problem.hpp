// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <span>
#include <utility>
#include <vector>

namespace sporos {

/// A problem restricted to the part of its box in which linear constraints hold. Its bounds are the tightest ones of
/// that part, so they are finite if the constraints make them so.
class ConstrainedProblem final : public ProblemOverProblem {
 public:
  /// Adds constraints to `problem`, which must outlive this object and have no constraints yet.
  /// @throws std::invalid_argument if
  /// - the number of weights differs from the dimension, or weights are not finite or all 0;
  /// - a total is not finite;
  /// - with several constraints, a coordinate with a weight has no finite lower bound;
  /// - the constraints leave no point, or only one value of a coordinate.
  ConstrainedProblem(SampledProblem& problem, std::vector<LinearConstraint> constraints);

  /// Adds one constraint.
  ConstrainedProblem(SampledProblem& problem, LinearConstraint constraint)
      : ConstrainedProblem(problem, std::vector<LinearConstraint>{std::move(constraint)}) {}

  std::span<const DecisionRange> bounds() const override { return m_bounds; }
  std::span<const LinearConstraint> constraints() const override { return m_constraints; }

 private:
  void check(const LinearConstraint& constraint) const;

  std::vector<LinearConstraint> m_constraints;
  std::vector<DecisionRange> m_bounds;
};

}  // namespace sporos
