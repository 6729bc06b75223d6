// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/host_view.hpp>
#include <sporos/core/random/stream.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace sporos {

/// One parameter set of an experiment and the seed of its random numbers.
template <class Model>
struct DesignPoint {
  Model model;         ///< the parameters
  std::uint64_t seed;  ///< of its streams
};

/// The design points of `models`: all with the same random numbers (`seed` itself), or each with streams of its own.
template <class Model>
std::vector<DesignPoint<Model>> design_points(std::span<const Model> models, std::uint64_t seed,
                                              bool common_random_numbers) {
  std::vector<DesignPoint<Model>> points;
  for (std::size_t point = 0; point < models.size(); ++point) {
    points.push_back({models[point], common_random_numbers ? seed : design_point_seed(seed, point)});
  }
  return points;
}

/// The design points that a launch runs, held where kernels of `ExecutionSpace` reach them.
template <class Model, class ExecutionSpace>
class Design {
 public:
  /// One design point: it travels with the kernel and costs no memory.
  Design(const Model& model, std::uint64_t seed) : m_first{model, seed}, m_count(1) {}

  /// Several design points, copied to the device. Throws std::invalid_argument where there are none.
  explicit Design(std::span<const DesignPoint<Model>> points)
      : m_first(first_of(points)), m_count(static_cast<std::int64_t>(points.size())) {
    if (m_count == 1) return;
    m_all = Points(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::design"), points.size());
    Kokkos::deep_copy(m_all, host_view(points));
  }

  /// Number of design points.
  KOKKOS_FUNCTION std::int64_t count() const { return m_count; }

  /// The model of the first design point, for the host.
  const Model& first_model() const { return m_first.model; }

  /// Design point `point`.
  KOKKOS_FORCEINLINE_FUNCTION const DesignPoint<Model>& operator[](std::int64_t point) const {
    return m_count == 1 ? m_first : m_all(point);
  }

 private:
  using Points = Kokkos::View<DesignPoint<Model>*, typename ExecutionSpace::memory_space>;

  static const DesignPoint<Model>& first_of(std::span<const DesignPoint<Model>> points) {
    if (points.empty()) throw std::invalid_argument("a design needs at least one design point");
    return points.front();
  }

  DesignPoint<Model> m_first;
  std::int64_t m_count;
  Points m_all;
};

}  // namespace sporos
