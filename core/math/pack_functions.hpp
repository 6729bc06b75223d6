// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/math/pack.hpp>
#include <sporos/core/math/pow.hpp>
#include <sporos/core/math/python_numbers.hpp>
#include <sporos/core/math/trigonometric.hpp>

#include <Kokkos_Macros.hpp>

/// The functions of core/math, applied to each lane of a pack; results are bitwise identical to those for a double. A
/// function that has a form without branches uses vector instructions if all lanes are in the range of that form.
namespace sporos::math {

/// √x, correctly rounded.
KOKKOS_FORCEINLINE_FUNCTION Pack sqrt(const Pack& x) {
  // Compilers do not vectorize ::sqrt, because it may set errno. The instruction has a mask for all lanes, because g++
  // 12 warns that the version without a mask reads a variable that is not initialized.
#if defined(__AVX512F__) && !defined(__CUDACC__) && !defined(__HIPCC__)
  Pack root;
  root.parts[0] = _mm512_maskz_sqrt_pd(0xff, x.parts[0]);
  return root;
#elif defined(__AVX__) && !defined(__CUDACC__) && !defined(__HIPCC__)
  Pack root;
  for (int i = 0; i < Pack::part_count; ++i) root.parts[i] = _mm256_sqrt_pd(x.parts[i]);
  return root;
#else
  return impl::of_each_lane([](double lane) { return ::sqrt(lane); }, x);
#endif
}
/// |x|.
KOKKOS_FORCEINLINE_FUNCTION Pack abs(const Pack& x) {
  return impl::of_each_lane([](double lane) { return impl::absolute(lane); }, x);
}
/// The largest whole number that is not above x.
KOKKOS_FORCEINLINE_FUNCTION Pack floor(const Pack& x) {
  return impl::of_each_lane([](double lane) { return ::floor(lane); }, x);
}
/// x mod y, which has the sign of y, for a y ≠ 0 that is the same in every lane.
KOKKOS_INLINE_FUNCTION Pack modulo(const Pack& x, double y) {
  return impl::of_each_lane([=](double lane) { return modulo(lane, y); }, x);
}
/// eˣ.
KOKKOS_INLINE_FUNCTION Pack exp(const Pack& x) {
  return impl::of_each_lane([](double lane) { return exp(lane); }, x);
}
/// eˣ − 1.
KOKKOS_INLINE_FUNCTION Pack expm1(const Pack& x) {
  const PackMask is_moderate = (x < 40.0) & (x != 0.0);
  if (!any(!is_moderate)) return impl::of_each_lane([](double lane) { return impl::expm1_below_40(lane); }, x);
  return impl::of_each_lane([](double lane) { return expm1(lane); }, x);
}
/// ln x.
KOKKOS_INLINE_FUNCTION Pack log(const Pack& x) {
  const PackMask is_normal = (x >= impl::smallest_normal) & (x < impl::infinity);
  if (!any(!is_normal)) return impl::of_each_lane([](double lane) { return log_of_positive_normal(lane); }, x);
  return impl::of_each_lane([](double lane) { return log(lane); }, x);
}
/// ln(1 + x).
KOKKOS_INLINE_FUNCTION Pack log1p(const Pack& x) {
  return impl::of_each_lane([](double lane) { return log1p(lane); }, x);
}
/// The sine of x radians.
KOKKOS_INLINE_FUNCTION Pack sin(const Pack& x) {
  return impl::of_each_lane([](double lane) { return sin(lane); }, x);
}
/// The cosine of x radians.
KOKKOS_INLINE_FUNCTION Pack cos(const Pack& x) {
  return impl::of_each_lane([](double lane) { return cos(lane); }, x);
}
/// x^y for a y that is the same in every lane.
KOKKOS_INLINE_FUNCTION Pack pow(const Pack& x, double y) {
  return impl::of_each_lane([=](double lane) { return pow(lane, y); }, x);
}
/// Φ(x), the standard normal distribution function.
KOKKOS_INLINE_FUNCTION Pack normal_cdf(const Pack& x) {
  return impl::of_each_lane([](double lane) { return normal_cdf(lane); }, x);
}
/// Φ⁻¹(p), the standard normal quantile, for 0 < p < 1.
KOKKOS_INLINE_FUNCTION Pack normal_quantile(const Pack& p) {
  return impl::of_each_lane([](double lane) { return normal_quantile(lane); }, p);
}

}  // namespace sporos::math
