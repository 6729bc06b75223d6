// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/random/stream.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace sporos {

/// A parameter set of an experiment and the seed of its random numbers.
template <class Model>
struct DesignPoint {
  Model model;         ///< the parameters
  std::uint64_t seed;  ///< seed of its random number streams
};

/// Seed of design point `point` of an experiment with `seed`: `seed` itself with common random numbers, otherwise a
/// seed with separate streams.
inline std::uint64_t seed_of_point(std::uint64_t seed, std::size_t point, bool common_random_numbers) {
  return common_random_numbers ? seed : design_point_seed(seed, point);
}

/// Returns the design points of `models`: all with `seed` for common random numbers, otherwise each with separate
/// streams.
template <class Model>
std::vector<DesignPoint<Model>> design_points(std::span<const Model> models, std::uint64_t seed,
                                              bool common_random_numbers) {
  std::vector<DesignPoint<Model>> points;
  for (std::size_t point = 0; point < models.size(); ++point) {
    points.push_back({models[point], seed_of_point(seed, point, common_random_numbers)});
  }
  return points;
}

namespace impl {

// Whether replications need memory whose size depends on the model's parameters.
template <class Model>
concept NeedsStorage = requires(const Model& model) {
  { model.storage_bytes() } -> std::same_as<std::int64_t>;
};

// Whether replications keep a part of this memory in scratch memory.
template <class Model>
concept UsesScratch = NeedsStorage<Model> && requires(const Model& model) {
  { model.scratch_bytes() } -> std::same_as<std::int64_t>;
};

}  // namespace impl

/// Bytes that each replication of models with storage gets. They are 0 for other models.
struct ReplicationMemory {
  std::int64_t storage = 0;  ///< size of the storage
  std::int64_t scratch = 0;  ///< size of its part in scratch memory, on a device

  /// Raises the sizes to those that `model` needs.
  template <class Model>
  void fit([[maybe_unused]] const Model& model) {
    if constexpr (impl::NeedsStorage<Model>) storage = std::max(storage, model.storage_bytes());
    if constexpr (impl::UsesScratch<Model>) scratch = std::max(scratch, model.scratch_bytes());
  }
};

/// The design points that a launch runs, in memory that kernels of `ExecutionSpace` can access.
template <class Model, class ExecutionSpace>
class Design {
 public:
  /// A single design point. It is passed with the kernel and takes no device memory.
  Design(const Model& model, std::uint64_t seed) : m_first{model, seed}, m_count(1) { m_memory.fit(model); }

  /// Several design points, which are copied to the device. Throws std::invalid_argument if there are none.
  explicit Design(std::span<const DesignPoint<Model>> points)
      : m_first(first_of(points)), m_count(static_cast<std::int64_t>(points.size())) {
    for (const auto& point : points) m_memory.fit(point.model);
    if (m_count == 1) return;
    const std::span<const std::byte> bytes = std::as_bytes(points);
    m_all = Bytes(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::design"), bytes.size());
    copy_elements(m_all, bytes);
  }

  /// Number of design points.
  KOKKOS_FUNCTION std::int64_t count() const { return m_count; }

  /// Memory that each replication of a model with storage gets: enough for all design points.
  const ReplicationMemory& memory() const { return m_memory; }

  /// The model of the first design point, for the host.
  const Model& first_model() const { return m_first.model; }

  /// Design point `point`.
  KOKKOS_FORCEINLINE_FUNCTION const DesignPoint<Model>& operator[](std::int64_t point) const {
    return m_count == 1 ? m_first : reinterpret_cast<const DesignPoint<Model>*>(m_all.data())[point];
  }

  /// Whether design points have the same seed, as far as the first two show.
  KOKKOS_FORCEINLINE_FUNCTION bool has_common_random_numbers() const {
    return m_count > 1 && (*this)[0].seed == (*this)[1].seed;
  }

 private:
  // The same type for all models, because copies of Views take long to compile.
  using Bytes = Kokkos::View<std::byte*, typename ExecutionSpace::memory_space>;

  static const DesignPoint<Model>& first_of(std::span<const DesignPoint<Model>> points) {
    if (points.empty()) throw std::invalid_argument("a design needs at least one design point");
    return points.front();
  }

  DesignPoint<Model> m_first;
  std::int64_t m_count;
  ReplicationMemory m_memory;
  Bytes m_all;
};

}  // namespace sporos
