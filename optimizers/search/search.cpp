// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/search/search.hpp>

#include <stdexcept>
#include <string>

namespace sporos {

void SearchRun::check_only_bounds(std::string_view who) const {
  if (!m_problem.constraints().empty())
    throw std::invalid_argument(std::string("there is a constraint, expected only bounds for ").append(who));
}

SearchRun::Evaluation SearchRun::evaluate(std::vector<Sample> samples) {
  std::int64_t wanted = 0;
  for (Sample& sample : samples) {
    wanted += sample.count * (sample.has_gradient ? gradient_cost() : 1);
    sample.first += m_first;
  }
  if (wanted > left()) {
    throw std::logic_error("a solver requests " + std::to_string(wanted) + " replications, but only " +
                           std::to_string(left()) + " are left");
  }
  m_used += wanted;
  m_wanted = std::move(samples);
  return Evaluation(*this);
}

void refuse_constraints_on_means(const SearchRun& run) {
  const std::size_t constraints = run.problem().constraints_on_means();
  if (constraints == 0) return;
  throw std::invalid_argument("the problem has " + std::to_string(constraints) +
                              " constraints on means, which this solver ignores, expected random_search, "
                              "augmented_lagrangian, constraint_extrapolation, conditional_gradient or "
                              "cooperative_approximation");
}

}  // namespace sporos
