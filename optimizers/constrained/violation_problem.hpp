// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace sporos {

/// A problem that keeps only the constraints on means of another one: it minimizes Σ max(0, hⱼ / sizeⱼ)² / 2.
class ViolationProblem final : public ProblemOverProblem {
 public:
  /// Wraps `problem`, which must outlive this object, with the size of each of its constraints.
  /// @throws std::invalid_argument if the number of sizes is wrong or a size is not positive.
  ViolationProblem(SampledProblem& problem, std::vector<double> sizes);

  std::size_t constraints_on_means() const override { return 0; }
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override;

 private:
  std::vector<double> m_sizes;
};

}  // namespace sporos
