// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/search/search.hpp>

#include <stdexcept>
#include <string>

namespace sporos {

void SearchRun::check_bounds_alone(std::string_view who) const {
  if (!m_problem.constraints().empty())
    throw std::invalid_argument(std::string("there is a constraint, expected bounds alone for ").append(who));
}

SearchRun::Evaluation SearchRun::evaluate(std::vector<Sample> samples) {
  std::int64_t wanted = 0;
  for (Sample& sample : samples) {
    wanted += sample.count * (sample.has_gradient ? gradient_cost() : 1);
    sample.first += m_first;
  }
  if (wanted > left()) {
    throw std::logic_error("a solver asks for " + std::to_string(wanted) + " replications where " +
                           std::to_string(left()) + " are left");
  }
  m_used += wanted;
  m_wanted = std::move(samples);
  return Evaluation(*this);
}

}  // namespace sporos
