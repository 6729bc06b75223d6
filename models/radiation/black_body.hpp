// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/exp.hpp>

/// Emission of a black surface. Temperatures are in kelvin, wavelengths in micrometres.
namespace sporos::models {

/// Stefan–Boltzmann constant σ in W/(m² K⁴): a black surface of temperature T emits σT⁴ (CODATA 2018).
inline constexpr double stefan_boltzmann = 5.670374419e-8;

/// Second radiation constant hc/k in µm K (CODATA 2018).
inline constexpr double second_radiation_constant = 14387.76877;

/// Returns σT⁴ in W/m² for a temperature in K. It avoids std::pow, whose results differ between libraries.
inline double black_power(double temperature) {
  const double square = temperature * temperature;
  return stefan_boltzmann * (square * square);
}

/// Returns the fraction of σT⁴ emitted at wavelengths up to `wavelength`, that is, Planck's law integrated:
///
///     15/π⁴ ∫ t³/(eᵗ − 1) dt from x = hc/(kλT) to ∞.
///
/// It is computed to 10⁻¹⁵ as Σ exp(−nx) (x³/n + 3x²/n² + 6x/n³ + 6/n⁴), and for x < 1 from the series of the integral
/// from 0 to x. The result is 0 at 0 µm and for 0 K, and 1 for an infinite wavelength.
inline double black_share(double wavelength, double temperature) {
  if (!(wavelength > 0 && temperature > 0)) return 0;
  constexpr double of_all = 0.15398973382026504;  // 15/π⁴
  const double x = second_radiation_constant / (wavelength * temperature), square = x * x;
  if (x < 1) {
    // Bernoulli numbers B₂ₖ divided by (2k)! (2k + 3), the last first.
    constexpr double terms[] = {-1.784422e-14,
                                7.872080494863e-13,
                                -3.522793425791654e-11,
                                1.6059043836821613e-9,
                                -1.0 / 13305600,
                                1.0 / 272160,
                                -1.0 / 5040,
                                1.0 / 60};
    double sum = 0;
    for (const double term : terms) sum = sum * square + term;
    return 1 - of_all * x * square * (1.0 / 3 - x / 8 + sum * square);
  }
  double sum = 0;
  for (int n = 1; (n - 1) * x < 40; ++n) {
    const double y = n * x;
    sum += math::exp(-y) * (y * y * y + 3 * y * y + 6 * y + 6) / (double(n) * n * n * n);
  }
  return of_all * sum;
}

}  // namespace sporos::models
