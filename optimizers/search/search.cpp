// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/search/search.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace sporos {

std::vector<double> SearchRun::within_bounds(std::vector<double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto& [low, high, is_integer] = bounds()[i];
    x[i] = std::clamp(x[i], low, high);
    if (is_integer) x[i] = std::clamp(std::nearbyint(x[i]), std::ceil(low), std::floor(high));
  }
  return x;
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
