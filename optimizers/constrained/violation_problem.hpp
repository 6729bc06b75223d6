// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace sporos {

/// What is left of a problem where only its constraints on means count: Σ max(0, hⱼ / sizeⱼ)² / 2 is minimized.
class ViolationProblem final : public ProblemOverProblem {
 public:
  /// Of `problem`, which must outlive it, with the size of each of its constraints. @throws
  /// std::invalid_argument for another number of them, and for one that is not positive.
  ViolationProblem(SampledProblem& problem, std::vector<double> sizes);

  std::size_t constraints_on_means() const override { return 0; }
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override;

 private:
  std::vector<double> m_sizes;
};

}  // namespace sporos
