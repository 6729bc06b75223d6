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

ConstrainedProblem::ConstrainedProblem(SampledProblem& problem, std::vector<LinearConstraint> constraints)
    : ProblemOverProblem(problem), m_constraints(std::move(constraints)) {
  for (const LinearConstraint& constraint : m_constraints) check(constraint);
  m_bounds = SearchRegion(problem.bounds(), m_constraints).tightened();
  const bool is_one = m_constraints.size() == 1;
  for (std::size_t i = 0; i < m_bounds.size(); ++i) {
    auto& [low, high, is_integer] = m_bounds[i];
    if (is_integer) {
      low = std::ceil(low);
      high = std::floor(high);
    }
    if (low < high) continue;
    if (!is_one && low > high)
      throw std::invalid_argument(
          "the constraints contradict each other within the bounds, expected constraints that leave a range");
    throw std::invalid_argument(
        std::string(is_one ? "the constraint leaves " : "the constraints leave ") + coordinate_name(i) + " " +
        (low == high ? "only the value " + impl::number_text(low) : std::string("no value")) + ", expected a range");
  }
}

void ConstrainedProblem::check(const LinearConstraint& constraint) const {
  const auto& [weights, total, is_equality] = constraint;
  impl::check_dimension("constraint", static_cast<std::int64_t>(weights.size()),
                        static_cast<std::int64_t>(m_problem.dimension()));
  impl::check_parameter(std::isfinite(total), "total of the constraint", total, "a finite number");
  if (std::ranges::all_of(weights, [](double weight) { return weight == 0; }))
    throw std::invalid_argument("all weights of the constraint are 0, expected at least one other than 0");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    impl::check_parameter(std::isfinite(weights[i]), "weight of " + coordinate_name(i), weights[i], "a finite number");
    const DecisionRange& range = m_problem.bounds()[i];
    if (weights[i] != 0 && m_constraints.size() > 1)
      impl::check_parameter(std::isfinite(range.low), "lower bound of " + coordinate_name(i), range.low,
                            "a finite number with several constraints");
  }
}

}  // namespace sporos
