// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/constrained_problem.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace sporos {

ConstrainedProblem::ConstrainedProblem(SampledProblem& problem, LinearConstraint constraint)
    : ProblemOverProblem(problem), m_constraint(std::move(constraint)) {
  const auto& [weights, total, is_equality] = m_constraint;
  impl::check_dimension("constraint", static_cast<std::int64_t>(weights.size()),
                        static_cast<std::int64_t>(problem.dimension()));
  impl::check_parameter(std::isfinite(total), "total of the constraint", total, "a finite number");
  if (std::ranges::all_of(weights, [](double weight) { return weight == 0; }))
    throw std::invalid_argument("the constraint holds no coordinate, expected a weight that is not 0");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    impl::check_parameter(std::isfinite(weights[i]), "weight of " + coordinate_name(i), weights[i], "a finite number");
    if (weights[i] != 0 && problem.bounds()[i].is_integer)
      throw std::invalid_argument(coordinate_name(i) + " takes whole numbers, expected real ones in a constraint");
  }
  m_bounds = SearchRegion(problem.bounds(), &m_constraint).tightened();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto& [low, high, is_integer] = m_bounds[i];
    if (low < high) continue;
    throw std::invalid_argument("the constraint leaves " + coordinate_name(i) + " " +
                                (low == high ? "nothing but " + impl::number_text(low) : std::string("no value")) +
                                ", expected a range");
  }
}

}  // namespace sporos
