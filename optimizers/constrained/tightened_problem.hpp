// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sporos {

/// A problem whose constraints on means must hold with a margin: hⱼ + marginⱼ ≤ 0.
class TightenedProblem final : public ProblemOverProblem {
 public:
  /// Wraps `problem`, which must outlive this object, with a margin for each of its constraints.
  TightenedProblem(SampledProblem& problem, std::vector<double> margins)
      : ProblemOverProblem(problem), m_margins(std::move(margins)) {}

  double constraint_on_means(std::size_t j, std::span<const double> x, std::span<const double> means,
                             std::span<double> by_coordinates, std::span<double> by_means) const override {
    return m_problem.constraint_on_means(j, x, means, by_coordinates, by_means) + m_margins[j];
  }
  ConstraintBounds constraint_bounds(std::size_t j, std::span<const double> x, std::span<const SampleMoments> batches,
                                     double confidence) const override {
    const auto [mean, lower, upper, are_identical] = m_problem.constraint_bounds(j, x, batches, confidence);
    return {mean + m_margins[j], lower + m_margins[j], upper + m_margins[j], are_identical};
  }

 private:
  std::vector<double> m_margins;
};

}  // namespace sporos
