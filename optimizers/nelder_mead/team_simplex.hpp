// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/optimizers/nelder_mead/simplex_place.hpp>
#include <sporos/optimizers/nelder_mead/simplices.hpp>
#include <sporos/optimizers/nelder_mead/vertex_order.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace sporos::impl {

/// One simplex, processed by a team: each thread always processes the same coordinates. On a device the simplex is in
/// scratch memory, unless it is too large, and device memory is kept up to date.
template <class ExecutionSpace>
class TeamSimplex {
 public:
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  /// Scratch memory per team, in bytes. The size is 0 if the simplex is so large that it would slow down the kernel. It
  /// is also 0 on a host, whose caches hold the simplex.
  KOKKOS_FUNCTION static std::size_t scratch_bytes(const Simplices<ExecutionSpace>& all) {
    constexpr std::size_t most = 16384;
    const std::size_t bytes = NearSimplex::bytes(all.width());
    return runs_on_host<ExecutionSpace> || bytes > most ? 0 : bytes;
  }

  /// Requires `scratch` to have scratch_bytes() bytes.
  KOKKOS_FUNCTION TeamSimplex(const Team& team, const Simplices<ExecutionSpace>& all, std::int32_t simplex,
                              void* scratch)
      : m_team(team),
        m_far(all.place(simplex)),
        m_order{m_far, &all.value_evaluations(simplex, 0)},
        m_size(all.dimensions(simplex)) {
    if constexpr (!runs_on_host<ExecutionSpace>) {
      if (scratch_bytes(all) == 0) return;
      const NearSimplex near = NearSimplex::copied(team, m_far, m_size, static_cast<double*>(scratch));
      m_order.at = near.place;
      m_near_point = near.wanted;
    }
  }

  template <class Body>
  KOKKOS_FUNCTION void for_each(std::int32_t count, const Body& body) const {
    // The compiler would unroll the loop of Kokkos, which would then exceed a device's instruction cache.
    if constexpr (runs_on_host<ExecutionSpace>) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(m_team, count), body);
    } else {
      SPOROS_NOT_UNROLLED
      for (std::int32_t i = m_team.team_rank(); i < count; i += m_team.team_size()) body(i);
    }
  }
  template <class Body>
  KOKKOS_FUNCTION void for_coordinates(const Body& body) const {
    for_each(m_size, body);
  }
  template <class Body>
  KOKKOS_FUNCTION void on_one_lane(const Body& body) const {
    m_team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(m_team), body);
    m_team.team_barrier();
  }

  KOKKOS_FUNCTION std::int32_t vertex(std::int32_t position) const { return m_order.vertex(position); }
  KOKKOS_FUNCTION double& value_at(std::int32_t position) const { return m_order.value_at(position); }
  KOKKOS_FUNCTION double& coordinate_at(std::int32_t position, std::int32_t i) const {
    return m_order.coordinate_at(position, i);
  }

  KOKKOS_FUNCTION void set_coordinate(std::int32_t position, std::int32_t i, double x) const {
    coordinate_at(position, i) = x;
    if (is_near()) m_far.vertices[vertex(position) * m_far.stride + i] = x;
  }
  KOKKOS_FUNCTION void set_centroid(std::int32_t i, double x) const {
    m_order.at.centroid[i] = x;
    if (is_near()) m_far.centroid[i] = x;
  }

  KOKKOS_FUNCTION double trial(double t, std::int32_t i) const {
    const double center = m_order.at.centroid[i];
    return center + t * (center - coordinate_at(m_size, i));
  }

  /// Largest distance of a vertex from the best one in any coordinate. Distances that may be due to rounding count as
  /// 0.
  KOKKOS_FUNCTION double size() const {
    double found = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(m_team, m_size),
        [&](std::int32_t i, double& largest) {
          const double center = coordinate_at(0, i), least = rounding * math::impl::absolute(center);
          for (std::int32_t p = 1; p <= m_size; ++p) {
            const double distance = math::impl::absolute(coordinate_at(p, i) - center);
            if (distance > least && distance > largest) largest = distance;
          }
        },
        Kokkos::Max<double>(found));
    return found;
  }

  KOKKOS_FUNCTION void set_to_centroid() const {
    const double share = 1.0 / m_size;
    // A host keeps a thread's neighbouring coordinates in vector registers. A device reads several vertices at once, to
    // hide memory latency.
    constexpr std::int32_t width = runs_on_host<ExecutionSpace> ? 64 : 1, batch = runs_on_host<ExecutionSpace> ? 1 : 16;
    for_each((m_size + width - 1) / width, [&](std::int32_t block) {
      const std::int32_t first = block * width, left = m_size - first, count = left < width ? left : width;
      double sums[width];
      for (std::int32_t i = 0; i < count; ++i) sums[i] = coordinate_at(0, first + i);
      for (std::int32_t p = 1; p < m_size; p += batch) {
        double x[batch][width];
        for (std::int32_t j = 0; j < batch; ++j) {
          const double* const vertex = &coordinate_at(p + j < m_size ? p + j : m_size - 1, first);
          for (std::int32_t i = 0; i < count; ++i) x[j][i] = vertex[i];
        }
        for (std::int32_t j = 0; j < batch; ++j) {
          for (std::int32_t i = 0; i < count; ++i) sums[i] = p + j < m_size ? sums[i] + x[j][i] : sums[i];
        }
      }
      for (std::int32_t i = 0; i < count; ++i) set_centroid(first + i, sums[i] * share);
    });
  }

  /// Writes point(i) to `row`. Returns the address at which the team's threads read it fastest, after a barrier.
  template <class Point>
  KOKKOS_FUNCTION const double* write_point(double* row, const Point& point) const {
    for_coordinates([&](std::int32_t i) {
      const double x = point(i);
      row[i] = x;
      if (is_near()) m_near_point[i] = x;
    });
    return is_near() ? m_near_point : row;
  }

  /// Copies data that are only in scratch memory to device memory.
  KOKKOS_FUNCTION void write_back() const {
    if (!is_near()) return;
    for_each(m_size + 1, [&](std::int32_t p) {
      m_far.values[p] = m_order.at.values[p];
      m_far.order[p] = m_order.at.order[p];
    });
  }

 protected:
  static constexpr double rounding = 0x1p-50;  // relative

  KOKKOS_FUNCTION bool is_near() const { return !runs_on_host<ExecutionSpace> && m_near_point != nullptr; }

  const Team& m_team;
  SimplexPlace m_far;                   // in the memory of all simplices
  VertexOrder<ExecutionSpace> m_order;  // in the memory of all simplices or in scratch memory
  double* m_near_point = nullptr;       // in scratch memory
  std::int32_t m_size;
};

}  // namespace sporos::impl
