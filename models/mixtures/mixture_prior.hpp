// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models {

/// Prior distribution of a mixture. The weights have a Dirichlet distribution with all parameters α. For each of k
/// components, σ² has an inverse gamma distribution with shape ν/2 and scale ς²/(2k²) and, given σ, μ has a normal
/// distribution with mean m and variance σ²/κ. This is the conjugate prior of Fraley and Raftery 2007, J.
/// Classification 24, 155–181, who use α = 1, m and ς² of the sample, κ = 0.01 and ν = 3. All components may have a
/// common σ, whose density then counts once.
struct MixturePrior {
  double concentration = 1;  ///< α, at least 1
  double mean = 0;           ///< m, the mean of every μ
  double mean_strength = 0;  ///< κ, in observations, at least 0; with 0 the prior of μ is flat
  double squared_scale = 0;  ///< ς², at least 0, for a single component
  double shape = -2;         ///< ν, at least −2; ν = −2 with ς² = 0 and κ = 0 gives a flat prior of ln σ
  bool has_equal_deviations = false;  ///< whether all components have the same σ

  /// Prior that Fraley and Raftery propose for a sample with this mean and variance.
  static MixturePrior of_sample(double mean, double variance) { return {1, mean, 0.01, variance, 3}; }

  /// ς²/k², or the part per component of a common σ.
  KOKKOS_FUNCTION double squared_scale_of(std::int32_t k) const {
    return part(squared_scale / (static_cast<double>(k) * static_cast<double>(k)), k);
  }

  /// The power of 1/σ in the density, or the part per component of a common σ.
  KOKKOS_FUNCTION double deviation_power(std::int32_t k) const {
    return part(shape + 2, k) + (mean_strength > 0 ? 1 : 0);
  }

  /// Whether the prior is flat, with density 1.
  KOKKOS_FUNCTION bool is_flat() const {
    return concentration == 1 && mean_strength == 0 && squared_scale == 0 && shape == -2;
  }

  /// ln of the density in (w, μ, σ²), up to a constant, of k components that are a row of a MixtureBatch.
  KOKKOS_FUNCTION double log_density(const double* parameters, std::int32_t k) const {
    if (is_flat()) return 0;
    double sum = 0;
    for (std::int32_t c = 0; c < k; ++c) sum += log_density(parameters, k, c);
    return sum;
  }

  /// Computes the same with a team. All threads get the value.
  template <class Team>
  KOKKOS_FUNCTION double log_density(const Team& team, const double* parameters, std::int32_t k) const {
    if (is_flat()) return 0;
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, k), [&](std::int32_t c, double& own) { own += log_density(parameters, k, c); },
        sum);
    return sum;
  }

 private:
  // The part per component of a term that counts once for all components with a common σ.
  KOKKOS_FUNCTION double part(double whole, std::int32_t k) const {
    return has_equal_deviations ? whole / static_cast<double>(k) : whole;
  }
  KOKKOS_FUNCTION double log_density(const double* parameters, std::int32_t k, std::int32_t c) const {
    const double deviation = parameters[2 * k + c], distance = (parameters[k + c] - mean) / deviation;
    const double scale = squared_scale_of(k);
    const double of_weight = concentration == 1 ? 0 : (concentration - 1) * math::log(parameters[c]);
    const double of_deviation = -deviation_power(k) * math::log(deviation) - 0.5 * scale / (deviation * deviation);
    return of_weight + of_deviation - 0.5 * mean_strength * distance * distance;
  }
};

/// ln of the prior density of a mixture, on the host.
inline double log_density(const MixturePrior& prior, const NormalMixture& mixture) {
  return prior.log_density(parameters_of(mixture).data(), static_cast<std::int32_t>(mixture.size()));
}

/// Throws std::invalid_argument with the name of the number if a member is out of range.
inline void check(const MixturePrior& prior) {
  using sporos::impl::check_parameter;
  check_parameter(prior.concentration >= 1, "concentration of the prior", prior.concentration, "at least 1");
  check_finite("mean of the prior", prior.mean);
  check_non_negative("strength of the prior's mean", prior.mean_strength);
  check_non_negative("squared scale of the prior", prior.squared_scale);
  check_parameter(prior.shape >= -2, "shape of the prior", prior.shape, "at least -2");
}

}  // namespace sporos::models
