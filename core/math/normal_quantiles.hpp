// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/math/normal.hpp>

#include <Kokkos_Macros.hpp>

namespace sporos::math {

/// Replaces `count` uniforms by their standard normal quantiles, values[i] = Φ⁻¹(values[i]), with the same bits as
/// normal_quantile. The uniforms must be from 2^−54 to 1 − 2^−53.
///
/// On a host, applies the middle's formula to all values in two loops that vectorize and keep the polynomial's
/// coefficients in registers, and then the tail's formula to the two in a thousand that lie in the tails. This is
/// faster than normal_quantile_of_uniform in a loop (AVX-512, g++ 12: 3.5 against 5.7 ns). On a device, handles one
/// value at a time.
KOKKOS_INLINE_FUNCTION void replace_by_normal_quantiles(double* values, int count) {
  constexpr int block = sporos::impl::on_device() ? 1 : 64;
  for (; count > 0; values += block, count -= block) {
    const int size = count < block ? count : block;
    double uniforms[block], logs[block];
    int in_tails = 0;
    for (int i = 0; i < size; ++i) {
      const double u = values[i], product = u * (1.0 - u);
      uniforms[i] = u;
      logs[i] = log_of_positive_normal(4.0 * product);
      in_tails += product < impl::normal_tail_mass;  // counts a few values near the tails, too
    }
    for (int i = 0; i < size; ++i) {
      values[i] = impl::normal_quantile_by(impl::MiddleCoefficients{}, impl::middle_place(logs[i]),
                                           impl::distance_from_half(uniforms[i]));
    }
    if (in_tails == 0) continue;
    for (int i = 0; i < size; ++i) {
      const double u = uniforms[i];
      if (u < impl::normal_tail_mass || 1.0 - u < impl::normal_tail_mass) values[i] = impl::normal_quantile_of_tail(u);
    }
  }
}

}  // namespace sporos::math
