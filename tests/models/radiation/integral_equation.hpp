// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/math/special_functions/expint.hpp>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos::test {

/// Radiative equilibrium between black plates; the lower plate has σT⁴ = 1 and the upper is cold.
struct SlabEquilibrium {
  double flux;                 ///< in units of the lower plate's σT⁴
  std::vector<double> powers;  ///< σT⁴ of each slice, in the same units
};

/// Solves a x = b for a diagonally dominant matrix.
inline std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

/// Solves the integral equation 2Φ(t) = E₂(t) + ∫ E₁(|t − t'|) Φ(t') dt' for Φ = σT⁴ by Galerkin's method, with a Φ
/// that is constant on each slice; all integrals are differences of E₃. `faces` are the optical heights of the slices'
/// faces. The solution is exact for a medium of slices that have one temperature each. As slices get thinner, the flux
/// converges to that of the continuous medium with the square of their thickness.
inline SlabEquilibrium slab_equilibrium(const std::vector<double>& faces) {
  const std::size_t n = faces.size() - 1;
  std::vector<std::vector<double>> e3(n + 1, std::vector<double>(n + 1, 0.5));
  for (std::size_t i = 0; i <= n; ++i) {
    for (std::size_t j = 0; j < i; ++j) e3[i][j] = e3[j][i] = boost::math::expint(3, faces[i] - faces[j]);
  }
  // Energy that a slice receives from another one with σT⁴ = 1: 2 (E₃ differences of both slices' faces).
  std::vector<std::vector<double>> a(n, std::vector<double>(n));
  std::vector<double> from_plate(n);
  for (std::size_t i = 0; i < n; ++i) {
    from_plate[i] = 2 * (e3[0][i] - e3[0][i + 1]);
    for (std::size_t j = 0; j < n; ++j) {
      const double exchange = 2 * std::abs(e3[i + 1][j] - e3[i + 1][j + 1] - e3[i][j] + e3[i][j + 1]);
      a[i][j] = i == j ? 2 * (1 - 2 * e3[i][i + 1]) : -exchange;
    }
  }
  SlabEquilibrium equilibrium{1, solved(std::move(a), from_plate)};
  for (std::size_t i = 0; i < n; ++i) equilibrium.flux -= from_plate[i] * equilibrium.powers[i];
  return equilibrium;
}

/// Faces of n slices of equal thickness.
inline std::vector<double> even_faces(double optical_thickness, int n) {
  std::vector<double> faces;
  for (int i = 0; i <= n; ++i) faces.push_back(optical_thickness * i / n);
  return faces;
}

/// Flux of the continuous medium to about 10^−6, extrapolated from slices that are thinner near the plates.
inline double continuous_flux(double optical_thickness) {
  const auto flux_of = [&](int n) {
    std::vector<double> faces;
    for (int i = 0; i <= n; ++i) faces.push_back(optical_thickness * (0.5 - 0.5 * std::cos(M_PI * i / n)));
    faces.back() = optical_thickness;
    return slab_equilibrium(faces).flux;
  };
  const double coarse = flux_of(80), fine = flux_of(160);
  return fine - (coarse - fine) / 3;
}

}  // namespace sporos::test
