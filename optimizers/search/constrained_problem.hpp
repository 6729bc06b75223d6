// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <span>
#include <vector>

namespace sporos {

/// A problem over the part of its box where a linear constraint holds. Its bounds are the narrowest ones of that part,
/// so that they are finite where the constraint makes them so.
class ConstrainedProblem final : public ProblemOverProblem {
 public:
  /// Of `problem`, which must outlive it and has no constraint yet. @throws std::invalid_argument for weights of
  /// another dimension, that are not finite or all 0, for a total that is not finite, for a coordinate with a weight
  /// that takes whole numbers alone, and where the constraint leaves nothing, or leaves a coordinate but one value.
  ConstrainedProblem(SampledProblem& problem, LinearConstraint constraint);

  std::span<const DecisionRange> bounds() const override { return m_bounds; }
  const LinearConstraint* constraint() const override { return &m_constraint; }

 private:
  LinearConstraint m_constraint;
  std::vector<DecisionRange> m_bounds;
};

}  // namespace sporos
