// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/frank_wolfe/vertex.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::impl {

/// Elements of a vector on the host, where kernels can read them: themselves where kernels run on the host, else a
/// copy. The vector must outlive the kernels.
template <class ExecutionSpace, class Element>
Kokkos::View<const Element*, typename ExecutionSpace::memory_space> where_kernels_read(
    const std::vector<Element>& elements) {
  using Device = Kokkos::View<Element*, typename ExecutionSpace::memory_space>;
  const Kokkos::View<const Element*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> host(elements.data(), elements.size());
  if constexpr (runs_on_host<ExecutionSpace>) {
    return host;
  } else {
    Device copy(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::frank_wolfe::elements"), elements.size());
    Kokkos::deep_copy(copy, host);
    return copy;
  }
}

/// gᵀ(x − s). Waits for it.
template <class ExecutionSpace>
double slope_from(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& g,
                  const ConstVector<ExecutionSpace>& x, const Vertex<ExecutionSpace>& s) {
  const std::int64_t dimension = g.extent_int(0);
  double slope = 0;
  if (s.dense.extent(0) > 0) {
    const ConstVector<ExecutionSpace> dense = s.dense;
    Kokkos::parallel_reduce(
        "sporos::frank_wolfe::slope", Kokkos::RangePolicy<ExecutionSpace>(space, 0, dimension),
        KOKKOS_LAMBDA(std::int64_t i, double& sum) { sum += g(i) * (x(i) - dense(i)); }, slope);
    return slope;
  }
  const auto entries = where_kernels_read<ExecutionSpace>(s.entries);
  const auto total = dimension + static_cast<std::int64_t>(s.entries.size());
  Kokkos::parallel_reduce(
      "sporos::frank_wolfe::slope", Kokkos::RangePolicy<ExecutionSpace>(space, 0, total),
      KOKKOS_LAMBDA(std::int64_t i, double& sum) {
        if (i < dimension) {
          sum += g(i) * x(i);
        } else {
          const VertexEntry& entry = entries(i - dimension);
          sum -= g(entry.index) * entry.value;
        }
      },
      slope);
  return slope;
}

/// out = b x.
template <class ExecutionSpace>
void set_scaled(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, double b,
                const ConstVector<ExecutionSpace>& x) {
  Kokkos::parallel_for(
      "sporos::frank_wolfe::scale", Kokkos::RangePolicy<ExecutionSpace>(space, 0, x.extent_int(0)),
      KOKKOS_LAMBDA(std::int64_t i) { out(i) = b * x(i); });
}

/// out = out + a s.
template <class ExecutionSpace>
void add_entries(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, double a,
                 const std::vector<VertexEntry>& s) {
  if (a == 0 || s.empty()) return;
  const auto entries = where_kernels_read<ExecutionSpace>(s);
  Kokkos::parallel_for(
      "sporos::frank_wolfe::add_entries",
      Kokkos::RangePolicy<ExecutionSpace>(space, 0, static_cast<std::int64_t>(s.size())),
      KOKKOS_LAMBDA(std::int64_t e) { out(entries(e).index) += a * entries(e).value; });
}

/// out = b x + a s.
template <class ExecutionSpace>
void set_combination(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, double b,
                     const ConstVector<ExecutionSpace>& x, double a, const Vertex<ExecutionSpace>& s) {
  if (s.dense.extent(0) == 0 || a == 0) {
    set_scaled(space, out, b, x);
    add_entries(space, out, a, s.entries);
    return;
  }
  const ConstVector<ExecutionSpace> dense = s.dense;
  Kokkos::parallel_for(
      "sporos::frank_wolfe::combine", Kokkos::RangePolicy<ExecutionSpace>(space, 0, x.extent_int(0)),
      KOKKOS_LAMBDA(std::int64_t i) { out(i) = b * x(i) + a * dense(i); });
}

/// The nonzero coordinates of s on the host.
template <class ExecutionSpace>
std::vector<VertexEntry> entries_of(const ExecutionSpace& space, const Vertex<ExecutionSpace>& s) {
  if (s.dense.extent(0) == 0) return s.entries;
  space.fence();
  const std::vector<double> values = to_host<ExecutionSpace>(s.dense);
  std::vector<VertexEntry> entries;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) entries.push_back({static_cast<std::int64_t>(i), values[i]});
  }
  return entries;
}

}  // namespace sporos::impl
