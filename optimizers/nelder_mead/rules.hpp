// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/nelder_mead/options.hpp>
#include <sporos/optimizers/nelder_mead/result.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// What kernels need of the options.
struct NelderMeadRules {
  NelderMeadCoefficients coefficients;
  double size_tolerance, value_tolerance, least_gain;
  std::int64_t evaluations, iterations, restarts, oriented_restarts, reevaluation_interval;
};

inline NelderMeadRules rules_of(const NelderMeadOptions& options) {
  return {options.coefficients, options.size_tolerance,    options.value_tolerance,
          options.least_gain,   options.evaluations,       options.iterations,
          options.restarts,     options.oriented_restarts, options.reevaluation_interval};
}

/// Whether coefficients depend on the dimension.
KOKKOS_INLINE_FUNCTION bool are_adaptive(NelderMeadCoefficients coefficients, std::int32_t dimension) {
  return coefficients == NelderMeadCoefficients::adaptive && dimension > 1;
}

/// The t of a point on the line from the worst vertex through the centroid: centroid + t (centroid − worst vertex).
KOKKOS_INLINE_FUNCTION double coefficient(NelderMeadCoefficients coefficients, std::int32_t dimension,
                                          NelderMeadPoint point) {
  const bool is_adaptive = are_adaptive(coefficients, dimension);
  const double n = dimension, contraction = is_adaptive ? 0.75 - 1 / (2 * n) : 0.5;
  if (point == NelderMeadPoint::expansion) return is_adaptive ? 1 + 2 / n : 2.0;
  if (point == NelderMeadPoint::outside_contraction) return contraction;
  return point == NelderMeadPoint::inside_contraction ? -contraction : 1.0;
}

/// What is left of a simplex that shrinks.
KOKKOS_INLINE_FUNCTION double shrinkage(NelderMeadCoefficients coefficients, std::int32_t dimension) {
  return are_adaptive(coefficients, dimension) ? 1 - 1.0 / dimension : 0.5;
}

}  // namespace sporos::impl
