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

/// A normal distribution and its share in a mixture.
struct NormalComponent {
  double weight;     ///< w, from 0 to 1
  double mean;       ///< μ
  double deviation;  ///< σ, above 0
};

/// The mixture of k normal distributions (paper 000, (3) to (5)), on the host: the density is
/// f(y) = Σ_c w_c φ((y − μ_c) / σ_c) / σ_c.
using NormalMixture = std::vector<NormalComponent>;

/// The numbers of a mixture in the order of kernels: its k weights, then its k means, then its k deviations.
inline std::vector<double> parameters_of(const NormalMixture& mixture) {
  std::vector<double> parameters;
  for (const NormalComponent& component : mixture) parameters.push_back(component.weight);
  for (const NormalComponent& component : mixture) parameters.push_back(component.mean);
  for (const NormalComponent& component : mixture) parameters.push_back(component.deviation);
  return parameters;
}

/// The mixture of k components that has these.
inline NormalMixture mixture_of(const double* parameters, std::size_t k) {
  NormalMixture mixture;
  for (std::size_t c = 0; c < k; ++c) mixture.push_back({parameters[c], parameters[k + c], parameters[2 * k + c]});
  return mixture;
}

/// The mixture with the same deviation in all components, whose square is the mean of theirs.
inline NormalMixture with_equal_deviations(NormalMixture mixture) {
  double variance = 0;
  for (const NormalComponent& component : mixture)
    variance += component.weight * component.deviation * component.deviation;
  for (NormalComponent& component : mixture) component.deviation = std::sqrt(variance);
  return mixture;
}

/// Puts the components in the order of their means.
inline void sort_by_mean(NormalMixture& mixture) {
  std::stable_sort(mixture.begin(), mixture.end(),
                   [](const NormalComponent& a, const NormalComponent& b) { return a.mean < b.mean; });
}

/// Whether some component's deviation is the floor, below which a fit lets none go: the floor then decides how large
/// the likelihood is.
inline bool is_at_floor(const NormalMixture& mixture, double floor) {
  return std::any_of(mixture.begin(), mixture.end(),
                     [&](const NormalComponent& component) { return component.deviation <= floor; });
}

/// Most components of a mixture whose likelihood can be had.
inline constexpr std::int64_t most_components = 64;

/// The smallest deviation whose density can be told from infinity, in double and in float.
template <class Real>
inline constexpr double smallest_deviation = sizeof(Real) == sizeof(double) ? 1e-290 : 1e-30;

/// Throws std::invalid_argument, naming the component (from 1), for one that is not as its members say, for weights
/// that do not add up to 1 within 1e-9, and for none or more than most_components.
inline void check(const NormalMixture& mixture) {
  const auto count = static_cast<std::int64_t>(mixture.size());
  if (count < 1 || count > most_components) {
    sporos::impl::refuse_parameter("number of components", std::to_string(count), "from 1 to 64");
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
