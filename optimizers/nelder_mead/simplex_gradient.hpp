// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// A system of n linear equations A d = b for one thread, stored by rows, each followed by its entry of b.
/// KokkosBatched's LU does not fit, because it does not pivot: a simplex may be nearly flat, with any vertex first
/// (docs/reference/dependencies.md has the measured ratio and the command).
struct LinearEquations {
  double* entries;
  std::int32_t size, stride;

  KOKKOS_FUNCTION double& operator()(std::int32_t row, std::int32_t column) const {
    return entries[row * stride + column];
  }
  /// Unknown d_i, after solve().
  KOKKOS_FUNCTION double& solution(std::int32_t i) const { return (*this)(i, size); }

  /// Gaussian elimination with partial pivoting; d replaces b. d is infinite or NaN if A is singular.
  KOKKOS_FUNCTION void solve() const {
    for (std::int32_t k = 0; k < size; ++k) {
      exchange(k, pivot_row(k));
      for (std::int32_t row = k + 1; row < size; ++row) {
        const double factor = (*this)(row, k) / (*this)(k, k);
        for (std::int32_t j = k + 1; j <= size; ++j) (*this)(row, j) -= factor * (*this)(k, j);
      }
    }
    for (std::int32_t k = size - 1; k >= 0; --k) {
      for (std::int32_t j = k + 1; j < size; ++j) solution(k) -= (*this)(k, j) * solution(j);
      solution(k) /= (*this)(k, k);
    }
  }

 private:
  KOKKOS_FUNCTION std::int32_t pivot_row(std::int32_t k) const {
    std::int32_t largest = k;
    for (std::int32_t row = k + 1; row < size; ++row) {
      if (math::impl::absolute((*this)(row, k)) > math::impl::absolute((*this)(largest, k))) largest = row;
    }
    return largest;
  }
  KOKKOS_FUNCTION void exchange(std::int32_t a, std::int32_t b) const {
    for (std::int32_t j = 0; j <= size && a != b; ++j) {
      const double kept = (*this)(a, j);
      (*this)(a, j) = (*this)(b, j);
      (*this)(b, j) = kept;
    }
  }
};

/// Gradient D of the linear function through all vertices of a simplex, and the distances from its best vertex.
struct SimplexGradient {
  LinearEquations equations;  // D is their solution
  double* sizes;              // ‖D‖², smallest and largest distance

  KOKKOS_FUNCTION double component(std::int32_t i) const { return equations.solution(i); }
  KOKKOS_FUNCTION double& squared_norm() const { return sizes[0]; }
  KOKKOS_FUNCTION double& nearest() const { return sizes[1]; }
  KOKKOS_FUNCTION double& farthest() const { return sizes[2]; }

  /// Computes D from x_p − x_0 and f_p − f_0; `difference(p - 1, i)` returns the former for i < n, the latter for i =
  /// n. For one thread.
  template <class Difference>
  KOKKOS_FUNCTION void form(const Difference& difference) const {
    const std::int32_t n = equations.size;
    double least = math::impl::infinity, largest = 0;
    for (std::int32_t row = 0; row < n; ++row) {
      double squares = 0;
      for (std::int32_t i = 0; i <= n; ++i) equations(row, i) = difference(row, i);
      for (std::int32_t i = 0; i < n; ++i) squares += equations(row, i) * equations(row, i);
      least = squares < least ? squares : least;
      largest = squares > largest ? squares : largest;
    }
    equations.solve();
    nearest() = ::sqrt(least > 0 ? least : largest);
    farthest() = ::sqrt(largest);
    squared_norm() = 0;
    for (std::int32_t i = 0; i < n; ++i) squared_norm() += component(i) * component(i);
  }
};

}  // namespace sporos::impl
