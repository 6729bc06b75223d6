// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/exp.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::models {

/// Mixtures of k components as points of an unbounded space, for optimizers without bounds. The 3k − 1 coordinates are
/// ln(w_c / w_k) of the first k − 1 components, (μ_c − m) / s of all components, and ln((σ_c − floor) / s) of all
/// components. If all components have the same deviation, there are 2k coordinates, of which the last one is that of
/// the deviation.
struct MixtureCoordinates {
  double center;                      ///< m, centre of the sample
  double scale;                       ///< s > 0, deviation of the sample
  double floor;                       ///< at least 0; every deviation is larger
  bool has_equal_deviations = false;  ///< whether all components have the same deviation

  /// Number of coordinates for k components.
  static constexpr std::int64_t dimension(std::int64_t k) { return 3 * k - 1; }

  /// Writes the mixture at x as a row of a MixtureBatch: weights by softmax, means, and deviations above the floor.
  KOKKOS_FUNCTION void set_parameters(const double* x, std::int32_t k, double* parameters) const {
    const double largest = largest_logarithm(x, k);
    for (std::int32_t c = 0; c < k; ++c) set_component(x, k, c, largest, parameters);
    const double sum = sum_of(parameters, k);
    for (std::int32_t c = 0; c < k; ++c) parameters[c] /= sum;
  }

  /// Does the same with the threads of a team.
  template <class Team>
  KOKKOS_FUNCTION void set_parameters(const Team& team, const double* x, std::int32_t k, double* parameters) const {
    const double largest = largest_logarithm(x, k);
    const auto components = Kokkos::TeamThreadRange(team, k);
    double sum = 0;
    Kokkos::parallel_reduce(
        components,
        [&](std::int32_t c, double& own) {
          set_component(x, k, c, largest, parameters);
          own += parameters[c];
        },
        sum);
    Kokkos::parallel_for(components, [&](std::int32_t c) { parameters[c] /= sum; });
  }

  /// Coordinates of a mixture. Weights, and distances from the floor relative to the scale, are at least 1e-9 here.
  std::vector<double> of(const NormalMixture& mixture) const {
    constexpr double next_to_nothing = 1e-9;
    std::vector<double> x;
    const auto log_weight = [&](const NormalComponent& y) { return std::log(std::max(y.weight, next_to_nothing)); };
    for (std::size_t c = 0; c + 1 < mixture.size(); ++c)
      x.push_back(log_weight(mixture[c]) - log_weight(mixture.back()));
    for (const NormalComponent& y : mixture) x.push_back((y.mean - center) / scale);
    for (const NormalComponent& y : mixture) {
      x.push_back(std::log(std::max((y.deviation - floor) / scale, next_to_nothing)));
      if (has_equal_deviations) break;
    }
    return x;
  }

 private:
  // Largest ln(w_c / w_k), which is 0 for the last component.
  KOKKOS_FUNCTION static double largest_logarithm(const double* x, std::int32_t k) {
    double largest = 0;
    for (std::int32_t c = 0; c + 1 < k; ++c) largest = x[c] > largest ? x[c] : largest;
    return largest;
  }
  KOKKOS_FUNCTION void set_component(const double* x, std::int32_t k, std::int32_t c, double largest,
                                     double* parameters) const {
    parameters[c] = math::exp((c + 1 < k ? x[c] : 0) - largest);
    parameters[k + c] = center + scale * x[k - 1 + c];
    parameters[2 * k + c] = floor + scale * math::exp(x[2 * k - 1 + (has_equal_deviations ? 0 : c)]);
  }
  KOKKOS_FUNCTION static double sum_of(const double* parameters, std::int32_t k) {
    double sum = 0;
    for (std::int32_t c = 0; c < k; ++c) sum += parameters[c];
    return sum;
  }
};

}  // namespace sporos::models
