// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <span>
#include <utility>
#include <vector>

namespace sporos {

/// A problem over the part of its box where linear constraints hold. Its bounds are the narrowest ones of that part, so
/// that they are finite where the constraints make them so.
class ConstrainedProblem final : public ProblemOverProblem {
 public:
  /// Of `problem`, which must outlive it and has no constraints yet. @throws std::invalid_argument for weights of
  /// another dimension, that are not finite or all 0, for a total that is not finite, for a coordinate with a weight
  /// that takes whole numbers alone, or in one of several constraints has no finite least value, and where the
  /// constraints leave nothing, or leave a coordinate but one value.
  ConstrainedProblem(SampledProblem& problem, std::vector<LinearConstraint> constraints);

  /// With one constraint.
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
