// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/reserve.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/procedures/objective_kernels.hpp>
#include <sporos/procedures/sample_groups.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sporos::impl {

/// Rows of a simulated objective's quantities and their derivatives, and the moments of these rows.
template <class ExecutionSpace>
class QuantityMoments {
 public:
  using Rows = Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>;

  explicit QuantityMoments(const ExecutionSpace& space) : m_space(space) {}

  /// Returns rows with these columns for a launch of `replications` replications at each of `points` points.
  const Rows& rows(const MomentColumns& columns, std::int64_t points, std::int64_t replications);

  /// Reduces the rows of the launch. If `has_values`, also copies the rows to the host.
  void reduce(bool has_values);

  /// Sets the moments of the samples of `group` in `found`. The launch has `passes` points for each sample, one after
  /// the other; each pass has derivatives up to order `orders` along `directions` coordinates.
  void find(std::span<const Sample> samples, const SampleGroup& group, std::int64_t passes, int orders, int directions,
            std::vector<SampleMoments>& found);

 private:
  // Sets `found`, which is empty, to the moments of a point of `dimension` coordinates. Its passes begin at point
  // `first` of the launch. If `has_values`, includes single replications.
  void set(SampleMoments& found, std::int64_t first, int orders, int directions, std::size_t dimension,
           bool has_values) const;

  // If a mean is not finite, replaces a point's moments by the number of its failed replications. The point's rows are
  // those of point `first` of the launch.
  void mark_failed(SampleMoments& moments, std::int64_t first);
  void copy_rows();
  double moment(std::int64_t point, std::int64_t moment) const { return m_host_moments(moment * m_points + point); }
  void set_values(SampleMoments& found, std::int64_t point) const;
  void append_column(std::vector<double>& values, std::int64_t point, std::int64_t column) const;

  ExecutionSpace m_space;
  Rows m_rows;
  HostMirrorOf<Rows> m_host_rows;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> m_blocks, m_moments;
  HostMirrorOf<Kokkos::View<double*, typename ExecutionSpace::memory_space>> m_host_moments;
  MomentColumns m_columns{};  // columns of the last launch
  std::int64_t m_rows_of_point = 0, m_points = 0;
  bool m_has_host_rows = false;  // whether the last launch's rows were copied
};

template <class ExecutionSpace>
auto QuantityMoments<ExecutionSpace>::rows(const MomentColumns& columns, std::int64_t points, std::int64_t replications)
    -> const Rows& {
  m_columns = columns;
  m_points = points;
  m_rows_of_point = replications;
  const auto rows = static_cast<std::size_t>(points * replications);
  const auto width = static_cast<std::size_t>(columns.means());
  if (m_rows.extent(0) < rows || m_rows.extent(1) < width) {
    m_rows = {};
    m_rows = Rows(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::simulated_objective::rows"), rows, width);
  }
  return m_rows;
}

// If a point has a single block, the block's moments are the point's.
template <class ExecutionSpace>
void QuantityMoments<ExecutionSpace>::reduce(bool has_values) {
  BlockMoments<ExecutionSpace> blocks{m_rows, {}, m_columns, m_rows_of_point, m_points};
  const std::int64_t moments = m_points * m_columns.count();
  if (static_cast<std::int64_t>(m_moments.extent(0)) < moments) {
    reserve(m_moments, "sporos::simulated_objective::moments", moments);
    m_host_moments = Kokkos::create_mirror_view(m_moments);
  }
  if (blocks.blocks_of_point() == 1) {
    blocks.moments = m_moments;
    for_each_moment(m_space, blocks);
  } else {
    reserve(m_blocks, "sporos::simulated_objective::blocks", blocks.count());
    blocks.moments = m_blocks;
    for_each_moment(m_space, blocks);
    for_each_moment(m_space, PointMoments<ExecutionSpace>{blocks, m_moments});
  }
  // Copy the whole view: copying a part made Adam's steps take 1.4 times as long with Kokkos 3.4. On a host both views
  // share one allocation.
  if constexpr (!runs_on_host<ExecutionSpace>) copy_elements(m_space, m_host_moments, m_moments);
  m_has_host_rows = false;
  if (has_values) copy_rows();
  m_space.fence();
}

template <class ExecutionSpace>
void QuantityMoments<ExecutionSpace>::find(std::span<const Sample> samples, const SampleGroup& group,
                                           std::int64_t passes, int orders, int directions,
                                           std::vector<SampleMoments>& found) {
  std::int64_t first = 0;
  for (const std::size_t first_of_row : group.samples) {
    for (std::size_t i = first_of_row; i < first_of_row + group.row; ++i) {
      set(found[i], first, orders, directions, samples[i].x.size(), samples[i].has_values);
      mark_failed(found[i], first);
      first += passes;
    }
  }
}

template <class ExecutionSpace>
void QuantityMoments<ExecutionSpace>::copy_rows() {
  m_host_rows = Kokkos::create_mirror_view(m_rows);
  copy_elements(m_space, m_host_rows, m_rows);
  m_has_host_rows = true;
}

template <class ExecutionSpace>
void QuantityMoments<ExecutionSpace>::mark_failed(SampleMoments& moments, std::int64_t first) {
  const auto is_finite = [](double number) { return std::isfinite(number); };
  if (std::all_of(moments.means.begin(), moments.means.end(), is_finite)) return;
  if (!m_has_host_rows) {
    copy_rows();
    m_space.fence();
  }
  SampleMoments none;
  for (std::int64_t row = first * m_rows_of_point; row < (first + 1) * m_rows_of_point; ++row) {
    for (int i = 0; i < m_columns.quantities; ++i) {
      const double value = m_host_rows(row, std::int64_t{i} * m_columns.of_quantity);
      if (is_finite(value)) continue;
      if (none.failed++ == 0) none.failure = failure_marked_by(value);
      break;
    }
  }
  moments = std::move(none);
}

// Sets the moments without derivatives and single replications.
template <class ExecutionSpace>
void QuantityMoments<ExecutionSpace>::set_values(SampleMoments& found, std::int64_t point) const {
  const int k = m_columns.quantities;
  const auto count = static_cast<std::size_t>(k);
  found.count = m_rows_of_point;
  found.means.resize(count);
  found.products.resize(count * count);
  for (int i = 0; i < k; ++i) {
    found.means[static_cast<std::size_t>(i)] = moment(point, std::int64_t{i} * m_columns.of_quantity);
    for (int j = i; j < k; ++j) {
      const double product = moment(point, m_columns.product(i, j));
      found.products[static_cast<std::size_t>(i * k + j)] = product;
      found.products[static_cast<std::size_t>(j * k + i)] = product;
    }
  }
}

template <class ExecutionSpace>
void QuantityMoments<ExecutionSpace>::set(SampleMoments& found, std::int64_t first, int orders, int directions,
                                          std::size_t dimension, bool has_values) const {
  const auto width = static_cast<std::size_t>(directions);
  set_values(found, first);
  for (int i = 0; i < m_columns.quantities; ++i) {
    const std::int64_t column = std::int64_t{i} * m_columns.of_quantity;
    if (has_values) append_column(found.values, first, column);
    for (int order = 0; order < orders; ++order) {
      std::vector<double>& derivatives = order == 0 ? found.slopes : found.curvatures;
      derivatives.reserve(static_cast<std::size_t>(m_columns.quantities) * dimension);
      for (std::size_t j = 0; j < dimension; ++j) {
        const std::int64_t pass = first + static_cast<std::int64_t>(j / width);
        const std::int64_t derivative = column + 1 + order * directions + static_cast<std::int64_t>(j % width);
        derivatives.push_back(moment(pass, derivative));
        if (has_values) append_column(found.values, pass, derivative);
      }
    }
  }
}

template <class ExecutionSpace>
void QuantityMoments<ExecutionSpace>::append_column(std::vector<double>& values, std::int64_t point,
                                                    std::int64_t column) const {
  const double* const first = &m_host_rows(point * m_rows_of_point, column);
  values.insert(values.end(), first, first + m_rows_of_point);
}

}  // namespace sporos::impl
