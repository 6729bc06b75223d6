// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/input_processes/cholesky.hpp>
#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace sporos {

/// Normal vector of d numbers with given means and covariances, for kernels: mean + L z, where L Lᵀ is the covariance
/// and z are d independent standard normal numbers. Trivially copyable; it stores d (d + 3) / 2 numbers.
template <int d>
class MultivariateNormal {
 public:
  /// Takes the means and the d × d covariance. @throws std::invalid_argument if a mean is not finite, or if the
  /// covariance does not have d rows, is not symmetric or is not positive definite.
  MultivariateNormal(const Kokkos::Array<double, d>& mean, const SquareMatrix& covariance) : m_mean(mean) {
    if (covariance.size() != d) {
      impl::refuse_parameter("number of rows of the covariance", std::to_string(covariance.size()), std::to_string(d));
    }
    const SquareMatrix factor = impl::definite_factor(covariance, "covariance");
    for (int i = 0; i < d; ++i) {
      check_finite("mean[" + std::to_string(i) + "]", mean[i]);
      for (int j = 0; j <= i; ++j) {
        m_factor[i * (i + 1) / 2 + j] = factor(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
      }
    }
  }

  /// Normal vector for the standard normal numbers z.
  KOKKOS_FUNCTION Kokkos::Array<double, d> of(const Kokkos::Array<double, d>& z) const {
    Kokkos::Array<double, d> x{};
    for (int i = 0; i < d; ++i) {
      double sum = m_mean[i];
      for (int j = 0; j <= i; ++j) sum += m_factor[i * (i + 1) / 2 + j] * z[j];
      x[i] = sum;
    }
    return x;
  }

  /// Normal vector from the next d draws of input variable `variable`.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, d> operator()(Inputs& inputs, int variable) const {
    Kokkos::Array<double, d> z{};
    for (int i = 0; i < d; ++i) z[i] = standard_variate<StandardNormal>(inputs(variable));
    return of(z);
  }

 private:
  Kokkos::Array<double, d> m_mean;
  Kokkos::Array<double, d*(d + 1) / 2> m_factor;  // L, stored by rows
};

}  // namespace sporos
