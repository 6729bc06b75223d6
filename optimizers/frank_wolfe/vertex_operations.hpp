// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/frank_wolfe/vertex.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::impl {

/// Makes elements of a host vector readable by kernels: a view of the vector if kernels run on the host, else a copy.
/// The vector must outlive the kernels.
template <class ExecutionSpace, class Element>
auto where_kernels_read(const ExecutionSpace& space, const std::vector<Element>& elements) {
  using Memory = typename ExecutionSpace::memory_space;
  if constexpr (runs_on_host<ExecutionSpace>) {
    return Kokkos::View<const Element*, Memory>(elements.data(), elements.size());
  } else {
    Kokkos::View<Element*, Memory> copy(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::frank_wolfe::elements"), elements.size());
    copy_elements(space, copy, elements);
    return Kokkos::View<const Element*, Memory>(copy);
  }
}

/// Entries of a vertex for a kernel. A few entries are passed in the kernel's arguments, which avoids a separate copy.
template <class ExecutionSpace>
class KernelEntries {
 public:
  /// The entries must outlive the kernel.
  KernelEntries(const ExecutionSpace& space, const std::vector<VertexEntry>& entries)
      : m_count(static_cast<std::int64_t>(entries.size())) {
    if (m_count > most_few) {
      m_many = where_kernels_read(space, entries);
    } else {
      for (std::int64_t e = 0; e < m_count; ++e) m_few[e] = entries[static_cast<std::size_t>(e)];
    }
  }

  /// Number of entries.
  KOKKOS_FUNCTION std::int64_t count() const { return m_count; }
  /// Entry number e.
  KOKKOS_FUNCTION const VertexEntry& operator()(std::int64_t e) const {
    return m_count > most_few ? m_many(e) : m_few[e];
  }

 private:
  static constexpr std::int64_t most_few = 4;
  std::int64_t m_count;
  Kokkos::Array<VertexEntry, most_few> m_few = {};
  Kokkos::View<const VertexEntry*, typename ExecutionSpace::memory_space> m_many;
};

/// Computes gᵀ(x − s). Blocks until it is available.
template <class ExecutionSpace>
double slope_from(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g,
                  const ConstVector<ExecutionSpace>& x, const Vertex<ExecutionSpace>& s) {
  const std::int64_t dimension = g.extent_int(0);
  double slope = 0;
  if (s.dense.extent(0) > 0) {
    const ConstVector<ExecutionSpace> dense = s.dense;
    const auto add = KOKKOS_LAMBDA(std::int64_t i, double& sum) { sum += g(i) * (x(i) - dense(i)); };
    over_indices(space, dimension, [&](const auto& policy) {
      Kokkos::parallel_reduce("sporos::frank_wolfe::slope", policy, add, slope);
    });
    return slope;
  }
  const KernelEntries<ExecutionSpace> entries(space, s.entries);
  const auto add = KOKKOS_LAMBDA(std::int64_t i, double& sum) {
    if (i < dimension) {
      sum += g(i) * x(i);
    } else {
      const VertexEntry& entry = entries(i - dimension);
      sum -= g(entry.index) * entry.value;
    }
  };
  over_indices(space, dimension + entries.count(),
               [&](const auto& policy) { Kokkos::parallel_reduce("sporos::frank_wolfe::slope", policy, add, slope); });
  return slope;
}

/// Sets out = b x.
template <class ExecutionSpace>
void set_scaled(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, double b,
                const ConstVector<ExecutionSpace>& x) {
  for_each_index(
      "sporos::frank_wolfe::scale", space, x.extent_int(0), nanoseconds_of_element,
      KOKKOS_LAMBDA(std::int64_t i) { out(i) = b * x(i); });
}

/// Sets out = out + a s. On a host it uses no kernel, because a launch takes longer than the few additions.
template <class ExecutionSpace>
void add_entries(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, double a,
                 const std::vector<VertexEntry>& s) {
  if (a == 0 || s.empty()) return;
  if constexpr (runs_on_host<ExecutionSpace>) {
    space.fence();
    for (const VertexEntry& entry : s) out(entry.index) += a * entry.value;
    return;
  }
  const KernelEntries<ExecutionSpace> entries(space, s);
  Kokkos::parallel_for(
      "sporos::frank_wolfe::add_entries", Kokkos::RangePolicy<ExecutionSpace>(space, 0, entries.count()),
      KOKKOS_LAMBDA(std::int64_t e) { out(entries(e).index) += a * entries(e).value; });
}

/// Sets out = b x + a s.
template <class ExecutionSpace>
void set_combination(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, double b,
                     const ConstVector<ExecutionSpace>& x, double a, const Vertex<ExecutionSpace>& s) {
  if (s.dense.extent(0) == 0 || a == 0) {
    set_scaled(space, out, b, x);
    add_entries(space, out, a, s.entries);
    return;
  }
  const ConstVector<ExecutionSpace> dense = s.dense;
  for_each_index(
      "sporos::frank_wolfe::combine", space, x.extent_int(0), nanoseconds_of_element,
      KOKKOS_LAMBDA(std::int64_t i) { out(i) = b * x(i) + a * dense(i); });
}

/// Returns the nonzero coordinates of s on the host.
template <class ExecutionSpace>
std::vector<VertexEntry> entries_of(const ExecutionSpace& space, const Vertex<ExecutionSpace>& s) {
  if (s.dense.extent(0) == 0) return s.entries;
  const std::vector<double> values = to_host<ExecutionSpace>(space, s.dense);
  std::vector<VertexEntry> entries;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) entries.push_back({static_cast<std::int64_t>(i), values[i]});
  }
  return entries;
}

}  // namespace sporos::impl
