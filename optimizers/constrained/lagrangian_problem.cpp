// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/constrained/lagrangian_problem.hpp>

#include <algorithm>
#include <cstdint>

namespace sporos {

namespace {

// Term of a constraint in the Lagrangian, and its derivative by h.
struct Term {
  double value, slope;
};

Term term_of(const Multiplier& multiplier, double h) {
  const auto& [lambda, rho] = multiplier;
  if (rho == 0) return {lambda * h, lambda};
  const double slope = std::max(0.0, lambda + rho * h);
  return {(slope * slope - lambda * lambda) / (2 * rho), slope};
}

}  // namespace

LagrangianProblem::LagrangianProblem(SampledProblem& problem, std::vector<Multiplier> multipliers)
    : ProblemOverProblem(problem) {
  set(std::move(multipliers));
}

void LagrangianProblem::set(std::vector<Multiplier> multipliers) {
  impl::check_dimension("multipliers", static_cast<std::int64_t>(multipliers.size()),
                        static_cast<std::int64_t>(m_problem.constraints_on_means()));
  for (const auto& [value, penalty] : multipliers) {
    check_non_negative("multiplier", value);
    check_non_negative("penalty", penalty);
  }
  m_multipliers = std::move(multipliers);
}

double LagrangianProblem::objective(std::span<const double> x, std::span<const double> means,
                                    std::span<double> by_coordinates, std::span<double> by_means) const {
  double value = m_problem.objective(x, means, by_coordinates, by_means);
  std::vector<double> of_coordinates(by_coordinates.size()), of_means(by_means.size());
  for (std::size_t j = 0; j < m_multipliers.size(); ++j) {
    const double h = m_problem.constraint_on_means(j, x, means, of_coordinates, of_means);
    const auto [term, slope] = term_of(m_multipliers[j], h);
    value += term;
    for (std::size_t i = 0; i < by_coordinates.size(); ++i) by_coordinates[i] += slope * of_coordinates[i];
    for (std::size_t i = 0; i < by_means.size(); ++i) by_means[i] += slope * of_means[i];
  }
  return value;
}

}  // namespace sporos
