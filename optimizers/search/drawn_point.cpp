// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/search/drawn_point.hpp>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace sporos::impl {

void check_finite_bounds(const SearchRun& run, std::string_view who) {
  for (const DecisionRange& bounds : run.bounds()) {
    if (std::isinf(bounds.low) || std::isinf(bounds.high))
      throw std::invalid_argument(std::string("a bound is infinite, expected finite ones for ").append(who));
  }
}

std::vector<double> drawn_point(const SearchRun& run, SearchUniforms& uniforms) {
  std::vector<double> x;
  for (const auto& [low, high, is_integer] : run.bounds()) {
    const double u = uniforms();
    x.push_back(is_integer ? std::ceil(low) + std::floor(u * (std::floor(high) - std::ceil(low) + 1))
                           : low + (high - low) * u);
  }
  return run.within_region(std::move(x));
}

}  // namespace sporos::impl
