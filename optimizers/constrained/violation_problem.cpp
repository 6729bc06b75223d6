// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/constrained/violation_problem.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace sporos {

ViolationProblem::ViolationProblem(SampledProblem& problem, std::vector<double> sizes)
    : ProblemOverProblem(problem), m_sizes(std::move(sizes)) {
  impl::check_dimension("sizes", static_cast<std::int64_t>(m_sizes.size()),
                        static_cast<std::int64_t>(problem.constraints_on_means()));
  for (const double size : m_sizes) check_positive("size of a constraint", size);
}

double ViolationProblem::objective(std::span<const double> x, std::span<const double> means,
                                   std::span<double> by_coordinates, std::span<double> by_means) const {
  std::ranges::fill(by_coordinates, 0.0);
  std::ranges::fill(by_means, 0.0);
  std::vector<double> of_coordinates(by_coordinates.size()), of_means(by_means.size());
  double sum = 0;
  for (std::size_t j = 0; j < m_sizes.size(); ++j) {
    const double h = m_problem.constraint_on_means(j, x, means, of_coordinates, of_means);
    const double violation = std::max(0.0, h / m_sizes[j]), slope = violation / m_sizes[j];
    sum += violation * violation / 2;
    for (std::size_t i = 0; i < by_coordinates.size(); ++i) by_coordinates[i] += slope * of_coordinates[i];
    for (std::size_t i = 0; i < by_means.size(); ++i) by_means[i] += slope * of_means[i];
  }
  return sum;
}

}  // namespace sporos
