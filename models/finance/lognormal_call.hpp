// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>

namespace sporos::models {

/// E (A − strike)⁺ if log A is normal with mean log `spot` + `drift` and standard deviation `spread` > 0: the formula
/// of Black and Scholes without discounting.
inline double mean_lognormal_call(double spot, double strike, double drift, double spread) {
  const auto cdf = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  const double mean = spot * std::exp(drift + spread * spread / 2);
  const double d = (std::log(spot / strike) + drift) / spread;
  return mean * cdf(d + spread) - strike * cdf(d);
}

}  // namespace sporos::models
