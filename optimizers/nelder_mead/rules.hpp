// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/nelder_mead/options.hpp>
#include <sporos/optimizers/nelder_mead/result.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// The options that kernels use.
struct NelderMeadRules {
  NelderMeadCoefficients coefficients;
  double size_tolerance, value_tolerance, min_gain;
  std::int64_t evaluations, iterations, restarts, oriented_restarts, reevaluation_interval;
};

inline NelderMeadRules rules_of(const NelderMeadOptions& options) {
  return {options.coefficients, options.size_tolerance,    options.value_tolerance,
          options.min_gain,     options.evaluations,       options.iterations,
          options.restarts,     options.oriented_restarts, options.reevaluation_interval};
}

/// Whether coefficients depend on the dimension.
KOKKOS_INLINE_FUNCTION bool are_adaptive(NelderMeadCoefficients coefficients, std::int32_t dimension) {
  return coefficients == NelderMeadCoefficients::adaptive && dimension > 1;
}

/// Coefficient t of the point centroid + t (centroid − worst vertex) on the line through worst vertex and centroid.
KOKKOS_INLINE_FUNCTION double coefficient(NelderMeadCoefficients coefficients, std::int32_t dimension,
                                          NelderMeadPoint point) {
  const bool is_adaptive = are_adaptive(coefficients, dimension);
  const double n = dimension, contraction = is_adaptive ? 0.75 - 1 / (2 * n) : 0.5;
  if (point == NelderMeadPoint::expansion) return is_adaptive ? 1 + 2 / n : 2.0;
  if (point == NelderMeadPoint::outside_contraction) return contraction;
  return point == NelderMeadPoint::inside_contraction ? -contraction : 1.0;
}

/// Factor by which a simplex shrinks.
KOKKOS_INLINE_FUNCTION double shrinkage(NelderMeadCoefficients coefficients, std::int32_t dimension) {
  return are_adaptive(coefficients, dimension) ? 1 - 1.0 / dimension : 0.5;
}

}  // namespace sporos::impl
