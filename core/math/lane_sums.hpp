// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/pack.hpp>

#include <Kokkos_Macros.hpp>

#include <cstring>

/// Sums of the numbers in eight lanes, in the order ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)), which takes few
/// instructions with vector registers of any width.
namespace sporos::impl {

/// Adds up eight numbers.
KOKKOS_FORCEINLINE_FUNCTION double sum_of_lanes(const double* x) {
  return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

#if defined(__AVX__) && defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)

typedef double Quad __attribute__((vector_size(4 * sizeof(double))));

/// Adds lanes 4 to 7 of a pack to its lanes 0 to 3.
KOKKOS_FORCEINLINE_FUNCTION Quad sum_of_halves(const Pack& x) {
#ifdef __AVX512F__
  const PackPart all = x.parts[0];
  return __builtin_shufflevector(all, all, 0, 1, 2, 3) + __builtin_shufflevector(all, all, 4, 5, 6, 7);
#else
  return x.parts[0] + x.parts[1];
#endif
}

/// Adds up the lanes of each of four packs. With AVX-512, this takes a quarter of the time of four single sums.
KOKKOS_FORCEINLINE_FUNCTION void sums_of_lanes(const Pack (&x)[4], double (&sums)[4]) {
  const Quad a = sum_of_halves(x[0]), b = sum_of_halves(x[1]), c = sum_of_halves(x[2]), d = sum_of_halves(x[3]);
  const Quad ab = __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
  const Quad cd = __builtin_shufflevector(c, d, 0, 1, 4, 5) + __builtin_shufflevector(c, d, 2, 3, 6, 7);
  const Quad total = __builtin_shufflevector(ab, cd, 0, 2, 4, 6) + __builtin_shufflevector(ab, cd, 1, 3, 5, 7);
  std::memcpy(sums, &total, sizeof total);
}

#else

/// Adds up the lanes of each of four packs.
KOKKOS_FORCEINLINE_FUNCTION void sums_of_lanes(const Pack (&x)[4], double (&sums)[4]) {
  for (int k = 0; k < 4; ++k) {
    double lanes[Pack::lanes];
    x[k].store(lanes);
    sums[k] = sum_of_lanes(lanes);
  }
}

#endif

}  // namespace sporos::impl
