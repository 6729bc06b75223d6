// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace sporos::impl {

/// Addresses of a simplex's numbers. Vertices stay in their rows; `order` lists the rows from the best to the worst.
struct SimplexPlace {
  double* vertices;  ///< Vertices, in rows of `stride` numbers.
  double* values;
  double* centroid;
  std::int32_t* order;
  std::int32_t stride;
};

/// A simplex in the scratch memory of a team. A move is a chain of dependent reads, for which device memory is too
/// slow.
struct NearSimplex {
  SimplexPlace place;
  double* wanted;  ///< Space for a point.

  /// Size in bytes for `width` coordinates.
  KOKKOS_FUNCTION static std::size_t bytes(std::size_t width) {
    const std::size_t numbers = (width + 1) * width + (width + 1) + width + width;
    return sizeof(double) * numbers + sizeof(std::int32_t) * (width + 1);
  }

  /// Copies the simplex of `size` coordinates at `far` to `numbers`, which has space for it. Called by all threads of a
  /// team, with a barrier at the end.
  template <class Team>
  KOKKOS_FUNCTION static NearSimplex copied(const Team& team, const SimplexPlace& far, std::int32_t size,
                                            double* numbers) {
    const std::int32_t values = (size + 1) * far.stride, centroid = values + size + 1, end = centroid + size;
    auto* const order = reinterpret_cast<std::int32_t*>(numbers + end + size);
    const auto number = [&](std::int32_t i) {
      return i < values ? far.vertices[i] : (i < centroid ? far.values[i - values] : far.centroid[i - centroid]);
    };
    constexpr std::int32_t batch = 8;  // numbers that a thread has in flight at once
    const std::int32_t threads = team.team_size();
    SPOROS_NOT_UNROLLED
    for (std::int32_t first = team.team_rank(); first < end; first += batch * threads) {
      double x[batch];
      const std::int32_t vertex = far.order[first <= size ? first : size];
      for (std::int32_t j = 0; j < batch; ++j) {
        x[j] = number(first + j * threads < end ? first + j * threads : end - 1);
      }
      if (first <= size) order[first] = vertex;
      for (std::int32_t j = 0; j < batch; ++j) {
        if (first + j * threads < end) numbers[first + j * threads] = x[j];
      }
    }
    team.team_barrier();
    return {{numbers, numbers + values, numbers + centroid, order, far.stride}, numbers + end};
  }
};

}  // namespace sporos::impl
