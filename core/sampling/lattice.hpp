// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/leaf_operations.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// A rank-1 lattice sequence (Cools, Kuo and Nuyens (2006), Constructing embedded lattice rules for multivariate
/// integration, SIAM Journal on Scientific Computing 28). Coordinate d of point j is the fractional part of φ(j) z_d,
/// where φ(j) is the radical inverse of j in base 2, and z_d is an odd number of lattice_generators. Any 2^m points
/// that follow a multiple of 2^m are a shifted lattice, of which each coordinate takes 2^m equally spaced values.
namespace sporos {

/// Coordinate of point `point` in the dimension of `generator`, in units of 2^-32.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t lattice_coordinate(std::uint32_t generator, std::uint32_t point) {
  return impl::reversed_bits(point) * generator;
}

}  // namespace sporos
