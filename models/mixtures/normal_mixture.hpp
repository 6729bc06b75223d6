// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::models {

/// A normal distribution and its weight in a mixture.
struct NormalComponent {
  double weight;     ///< w, from 0 to 1
  double mean;       ///< μ
  double deviation;  ///< σ, above 0
};

/// A mixture of k normal distributions on the host, by Cheng (2014), Massively parallel programming in statistical
/// optimization & simulation, (3) to (5). The density is f(y) = Σ_c w_c φ((y − μ_c) / σ_c) / σ_c.
using NormalMixture = std::vector<NormalComponent>;

/// Parameters of a mixture in the order of kernels: k weights, then k means, then k deviations.
inline std::vector<double> parameters_of(const NormalMixture& mixture) {
  std::vector<double> parameters;
  for (const NormalComponent& component : mixture) parameters.push_back(component.weight);
  for (const NormalComponent& component : mixture) parameters.push_back(component.mean);
  for (const NormalComponent& component : mixture) parameters.push_back(component.deviation);
  return parameters;
}

/// Mixture of k components with parameters in that order.
inline NormalMixture mixture_of(const double* parameters, std::size_t k) {
  NormalMixture mixture;
  for (std::size_t c = 0; c < k; ++c) mixture.push_back({parameters[c], parameters[k + c], parameters[2 * k + c]});
  return mixture;
}

/// Mixture with a common deviation, whose square is the weighted mean of the components' variances.
inline NormalMixture with_equal_deviations(NormalMixture mixture) {
  double variance = 0;
  for (const NormalComponent& component : mixture)
    variance += component.weight * component.deviation * component.deviation;
  for (NormalComponent& component : mixture) component.deviation = std::sqrt(variance);
  return mixture;
}

/// Sorts the components by their means.
inline void sort_by_mean(NormalMixture& mixture) {
  std::stable_sort(mixture.begin(), mixture.end(),
                   [](const NormalComponent& a, const NormalComponent& b) { return a.mean < b.mean; });
}

/// Whether a component's deviation is at the floor, the lower bound of a fit. The floor then determines how large the
/// likelihood is.
inline bool is_at_floor(const NormalMixture& mixture, double floor) {
  return std::any_of(mixture.begin(), mixture.end(),
                     [&](const NormalComponent& component) { return component.deviation <= floor; });
}

/// Largest number of components of a mixture whose likelihood can be evaluated.
inline constexpr std::int64_t max_components = 64;

/// Smallest deviation whose density is distinguishable from infinity, in double and in float.
template <class Real>
inline constexpr double smallest_deviation = sizeof(Real) == sizeof(double) ? 1e-290 : 1e-30;

/// Throws std::invalid_argument if a member is out of range, if the weights do not add up to 1 within 1e-9, or if there
/// is no component or more than max_components. The message names the component (from 1).
inline void check(const NormalMixture& mixture) {
  const auto count = static_cast<std::int64_t>(mixture.size());
  if (count < 1 || count > max_components) {
    sporos::impl::refuse_parameter("number of components", std::to_string(count), "a number from 1 to 64");
  }
  double sum = 0;
  for (std::size_t c = 0; c < mixture.size(); ++c) {
    const std::string of_component = std::string(" of component ").append(std::to_string(c + 1));
    check_probability(std::string("weight").append(of_component), mixture[c].weight);
    check_finite(std::string("mean").append(of_component), mixture[c].mean);
    check_positive(std::string("deviation").append(of_component), mixture[c].deviation);
    sum += mixture[c].weight;
  }
  sporos::impl::check_parameter(std::abs(sum - 1) <= 1e-9, "sum of the weights", sum, "1");
}

}  // namespace sporos::models
