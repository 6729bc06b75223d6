// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

/// Single operations for which nvcc needs a named instruction to be as fast as the plain C++ on a host. Both
/// implementations of an operation give the same bits. Only this folder tests for which device the compiler compiles.
namespace sporos::impl {

#ifdef __CUDA_ARCH__

/// Type in which 32-bit words are multiplied. The registers of a GPU have 32 bits, and for 64-bit products nvcc emits
/// one more addition per multiplication.
using ProductWord = std::uint32_t;

/// Upper 32 bits of a b.
KOKKOS_FORCEINLINE_FUNCTION ProductWord high_product(std::uint32_t a, ProductWord b) { return __umulhi(a, b); }

/// Lower 32 bits of a b.
KOKKOS_FORCEINLINE_FUNCTION ProductWord low_product(std::uint32_t a, ProductWord b) { return a * b; }

/// Upper 64 bits of a b.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t high_product_of_64(std::uint64_t a, std::uint64_t b) {
  return __umul64hi(a, b);
}

/// The word x with its bits in reverse order.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t reversed_bits(std::uint32_t x) { return __brev(x); }

/// Double in [1, 2) whose fraction is the upper 52 bits of `bits`. Takes two shifts of 32-bit registers; for the host's
/// implementation nvcc emits five operations.
KOKKOS_FORCEINLINE_FUNCTION double one_and_fraction(std::uint64_t bits) {
  const auto high = static_cast<std::uint32_t>(bits >> 32), low = static_cast<std::uint32_t>(bits);
  const auto one_and_high = __funnelshift_r(high, 0x3ffu, 12);
  return __hiloint2double(static_cast<int>(one_and_high), static_cast<int>(__funnelshift_r(low, high, 12)));
}

/// Returns x if it is above 0, otherwise 0. For the host's implementation nvcc emits seven instructions.
KOKKOS_FORCEINLINE_FUNCTION double positive_part(double x) { return __double2hiint(x) < 0 ? 0.0 : x; }

/// Returns x & mask in one instruction. For the plain expression, nvcc moves the scaling of an address before the mask
/// and adds the address in a separate instruction.
template <std::uint32_t mask>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t masked(std::uint32_t x) {
  std::uint32_t result;
  asm("and.b32 %0, %1, %2;" : "=r"(result) : "r"(x), "n"(mask));
  return result;
}

/// Returns a / b, correctly rounded as `/` is, for |b| and, unless a = 0, |a| and |a / b| from 2^−900 to 2^900.
///
/// For `/`, nvcc emits the same Newton steps and, for operands near overflow and underflow, a branch to a function. The
/// branch costs as much as two steps, and nothing is interleaved across it.
KOKKOS_FORCEINLINE_FUNCTION double quotient(double a, double b) {
  double y;  // 1 / b: first to at least 20 bits, then to all but the last bit, then rounded
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(b));
  const double e = __fma_rn(-b, y, 1.0);
  y = __fma_rn(y, __fma_rn(e, e, e), y);
  y = __fma_rn(y, __fma_rn(-b, y, 1.0), y);
  const double q = a * y;
  return __fma_rn(y, __fma_rn(-b, q, a), q);
}

#else

using ProductWord = std::uint64_t;

KOKKOS_FORCEINLINE_FUNCTION ProductWord product_of_32(std::uint32_t a, ProductWord b) {
  return std::uint64_t{a} * static_cast<std::uint32_t>(b);
}

KOKKOS_FORCEINLINE_FUNCTION ProductWord high_product(std::uint32_t a, ProductWord b) {
  return product_of_32(a, b) >> 32;
}

KOKKOS_FORCEINLINE_FUNCTION ProductWord low_product(std::uint32_t a, ProductWord b) {
  return static_cast<std::uint32_t>(product_of_32(a, b));
}

KOKKOS_FORCEINLINE_FUNCTION std::uint64_t high_product_of_64(std::uint64_t a, std::uint64_t b) {
  __extension__ typedef unsigned __int128 Product;  // nvcc does not accept `using` here
  return static_cast<std::uint64_t>(Product{a} * b >> 64);
}

KOKKOS_FORCEINLINE_FUNCTION std::uint32_t reversed_bits(std::uint32_t x) {
  x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
  x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
#if defined(__GNUC__) && !defined(__HIP_DEVICE_COMPILE__)
  return __builtin_bswap32(x);  // one instruction, also in vector code
#else
  x = (x & 0x00ff00ffu) << 8 | (x >> 8 & 0x00ff00ffu);
  return x << 16 | x >> 16;
#endif
}

KOKKOS_FORCEINLINE_FUNCTION double one_and_fraction(std::uint64_t bits) {
  return __builtin_bit_cast(double, bits >> 12 | 0x3ff0000000000000u);
}

KOKKOS_FORCEINLINE_FUNCTION double positive_part(double x) { return x > 0.0 ? x : 0.0; }

template <std::uint32_t mask>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t masked(std::uint32_t x) {
  return x & mask;
}

KOKKOS_FORCEINLINE_FUNCTION double quotient(double a, double b) { return a / b; }

#endif

}  // namespace sporos::impl
