// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/linear_algebra/reserve.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/models/classification/feature_products.hpp>
#include <sporos/models/classification/row_parts.hpp>
#include <sporos/models/classification/row_selection.hpp>
#include <sporos/models/classification/sum_tree.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sporos::models {

namespace impl {

/// Features may overwrite sums after their last column, up to the next multiple of this number.
inline constexpr std::int64_t column_padding = 512;

/// Computes sums of a few columns over parts of the selected rows. The sum of column j over part p is at index p
/// `width` + j. The sum of the factors is at the end of the part.
template <class Handle>
struct ColumnAdder {
  Handle features;
  RowSelection rows;
  const double* factors;
  std::int64_t columns, columns_of_task, ranges, rows_of_part, width;
  double* parts;

  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t part = task / ranges, begin = task % ranges * columns_of_task;
    const std::int64_t first = part * rows_of_part, left = rows.count - first;
    const std::int64_t end = first + (left < rows_of_part ? left : rows_of_part);
    const std::int64_t stop = begin + columns_of_task < columns ? begin + columns_of_task : columns;
    double* const sums = parts + part * width;
    features.sum_rows(rows, first, end, factors, begin, stop, sums + begin);
    if (begin > 0) return;
    sums[width - 1] = sum_in_order(first, end, [&](std::int64_t i) { return factors[i]; });
  }
};

/// Adds up the nodes of a tree. The sum of column j in node i is at index i (`columns` + 1) + j. The sum of the factors
/// of a node follows its columns.
template <class ExecutionSpace, class Sums>
struct NodeAdder {
  // Number of columns of a task: a loop in vector registers on a host, one column for each thread on a device.
  static constexpr int width = runs_on_host<ExecutionSpace> ? 256 : 1;
  Sums sums;
  std::int64_t columns, nodes;
  double* out;

  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t first = task * width, count = columns - first < width ? columns - first : width;
    SumStack<width> found;
    sums.add_up(first, count, found);
    for (std::int64_t node = 0; node < nodes; ++node) {
      for (std::int64_t k = 0; k < count; ++k) out[node * (columns + 1) + first + k] = found.sums[node][k];
    }
    if (task > 0) return;
    SumStack<1> factors;
    sums.add_up_factors(factors);
    for (std::int64_t node = 0; node < nodes; ++node) out[node * (columns + 1) + columns] = factors.sums[node][0];
  }
};

}  // namespace impl

/// Computes Σᵢ rᵢ xᵢ over selected rows. The results are sums over parts of the rows, or nodes of their tree, which
/// kernels add up as they read them. Owns the memory for the sums. Results are bitwise identical for any number of
/// threads and processes, which no transposed product of Kokkos Kernels guarantees (docs/reference/dependencies.md has
/// the measured ratio and the command).
template <class ExecutionSpace>
class ColumnSums {
 public:
  /// The sums in the form for kernels.
  struct Handle {
    const double* leaves;   ///< leaf i begins at i `distance`; the sum of its factors is its last element
    std::int64_t distance;  ///< number of elements between the starts of leaves
    SumOrder order;         ///< order of the additions

    /// Adds up the sums of columns `first`, …, `first` + `size` − 1.
    template <int width>
    KOKKOS_INLINE_FUNCTION void add_up(std::int64_t first, std::int64_t size, SumStack<width>& sums) const {
      sums.add_up(order, leaves + first, distance, size);
    }
    /// Adds up the sums of the factors.
    KOKKOS_INLINE_FUNCTION void add_up_factors(SumStack<1>& sums) const { add_up(distance - 1, 1, sums); }
  };

  /// Divides rows into the parts over which they are summed.
  static RowParts parts_of(const RowSelection& rows, std::int64_t columns, Processes& processes) {
    return {rows, distance(columns), processes};
  }

  /// Sums the rows of `parts`, each multiplied by its factor. `parts` come from parts_of. `factors` has the factors of
  /// this process's rows, in memory that kernels can access. Collective over the processes of the parts; blocks if
  /// there are several.
  template <class Features>
  void add_up(const ExecutionSpace& space, const Features& features, const RowParts& parts, const double* factors);

  /// The sums for kernels. Valid until the next add_up.
  const Handle& handle() const { return m_handle; }

 private:
  static std::int64_t distance(std::int64_t columns) {
    constexpr std::int64_t padding = impl::column_padding;
    return (columns + padding - 1) / padding * padding + 1;
  }

  template <class Features>
  void add_parts(const ExecutionSpace& space, const Features& features, const RowParts& parts, const double* factors);
  void gather(const ExecutionSpace& space, std::int64_t columns, const RowParts& parts, const SumTree& own);

  Vector<ExecutionSpace> m_parts;
  Vector<ExecutionSpace> m_nodes, m_nodes_of_all;  // nodes of this process; nodes of all processes
  Handle m_handle{nullptr, 0, {}};
};

template <class ExecutionSpace>
template <class Features>
void ColumnSums<ExecutionSpace>::add_up(const ExecutionSpace& space, const Features& features, const RowParts& parts,
                                        const double* factors) {
  add_parts(space, features, parts, factors);
  const bool is_whole = parts.processes().count() == 1;
  SumTree tree = tree_of(parts.own());
  if (is_whole) tree.complete();
  m_handle = {m_parts.data(), distance(features.columns()), tree.order()};
  if (!is_whole) gather(space, features.columns(), parts, tree);
}

template <class ExecutionSpace>
template <class Features>
void ColumnSums<ExecutionSpace>::add_parts(const ExecutionSpace& space, const Features& features, const RowParts& parts,
                                           const double* factors) {
  using FeaturesHandle = decltype(features.handle());
  const std::int64_t columns = features.columns(), count = parts.own().count();
  // The number of columns of a task does not affect the result, not even its last bit. If there are enough parts, a
  // task takes all columns, which reads the rows in memory order.
  std::int64_t columns_of_task = FeaturesHandle::columns_of_thread;
  if (runs_on_host<ExecutionSpace>) {
    columns_of_task = count < 4 * space.concurrency() ? FeaturesHandle::columns_of_task : columns;
  }
  const std::int64_t ranges = (columns + columns_of_task - 1) / columns_of_task;
  reserve(m_parts, "sporos::classification::column_parts", count * distance(columns));
  const RowSelection rows = parts.rows_of(parts.own());
  // Sums of columns take twice as long as margins.
  const double of_all = 2 * impl::nanoseconds_of_rows(features, rows.count);
  for_each_index<Kokkos::Schedule<Kokkos::Dynamic>>(
      "sporos::classification::add_columns", space, count * ranges, of_all / static_cast<double>(count * ranges),
      impl::ColumnAdder<FeaturesHandle>{features.handle(), rows, factors, columns, columns_of_task, ranges,
                                        parts.rows_of_part(), distance(columns), m_parts.data()});
}

template <class ExecutionSpace>
void ColumnSums<ExecutionSpace>::gather(const ExecutionSpace& space, std::int64_t columns, const RowParts& parts,
                                        const SumTree& own) {
  SumTree whole;
  std::vector<std::int64_t> sizes;  // number of elements from each process
  for (int rank = 0; rank < parts.processes().count(); ++rank) {
    const SumTree of_process = tree_of(parts.of_process(rank));
    for (const PartRange& node : of_process.nodes()) whole.add(node);
    sizes.push_back(static_cast<std::int64_t>(of_process.nodes().size()) * (columns + 1));
  }
  whole.complete();
  const auto nodes = static_cast<std::int64_t>(own.nodes().size());
  using Adder = impl::NodeAdder<ExecutionSpace, Handle>;
  reserve(m_nodes, "sporos::classification::nodes", nodes * (columns + 1));
  Kokkos::parallel_for("sporos::classification::add_nodes",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
                           space, 0, nodes == 0 ? 0 : (columns + Adder::width - 1) / Adder::width),
                       Adder{m_handle, columns, nodes, m_nodes.data()});
  reserve(m_nodes_of_all, "sporos::classification::nodes_of_all", whole.order().count * (columns + 1));
  const auto mine = Kokkos::create_mirror_view(m_nodes), all = Kokkos::create_mirror_view(m_nodes_of_all);
  copy_elements(space, mine, m_nodes);
  space.fence();
  const auto size = static_cast<std::size_t>(nodes * (columns + 1));
  gather_into(all.data(), parts.processes(), std::span<const double>(mine.data(), size), std::move(sizes));
  copy_elements(space, m_nodes_of_all, all);
  m_handle = {m_nodes_of_all.data(), columns + 1, whole.order()};
}

}  // namespace sporos::models
