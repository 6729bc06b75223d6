// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace sporos::impl {

/// Where the numbers of a simplex are. Vertices stay in their rows; `order` has their places from the best to the
/// worst.
struct SimplexPlace {
  double* vertices;  ///< a row of `stride` numbers each
  double* values;
  double* centroid;
  std::int32_t* order;
  std::int32_t stride;
};

/// A simplex in the scratch of a team: a move is a chain of numbers of which each says where the next one is, and a
/// device's memory is far away.
struct NearSimplex {
  SimplexPlace place;
  double* wanted;  ///< space for a point

  /// Bytes that one of `width` coordinates takes.
  KOKKOS_FUNCTION static std::size_t bytes(std::size_t width) {
    const std::size_t numbers = (width + 1) * width + (width + 1) + width + width;
    return sizeof(double) * numbers + sizeof(std::int32_t) * (width + 1);
  }

  /// That of `size` coordinates at `far`, in so many bytes. By all threads of a team, which then wait for each other.
  template <class Team>
  KOKKOS_FUNCTION static NearSimplex copied(const Team& team, const SimplexPlace& far, std::int32_t size,
                                            double* numbers) {
    const std::int32_t values = (size + 1) * far.stride, centroid = values + size + 1, end = centroid + size;
    auto* const order = reinterpret_cast<std::int32_t*>(numbers + end + size);
    const auto number = [&](std::int32_t i) {
      return i < values ? far.vertices[i] : (i < centroid ? far.values[i - values] : far.centroid[i - centroid]);
    };
    constexpr std::int32_t batch = 8;  // numbers of a thread that are under way at once
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
