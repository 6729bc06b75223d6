// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/row_matrix.hpp>
#include <sporos/optimizers/nelder_mead/result.hpp>
#include <sporos/optimizers/nelder_mead/simplex_place.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sporos::impl {

/// Simplices side by side, accessible to kernels of `ExecutionSpace`.
template <class ExecutionSpace>
struct Simplices {
  using memory_space = typename ExecutionSpace::memory_space;
  using Cube = Kokkos::View<double***, Kokkos::LayoutRight, memory_space>;

  Cube vertices;                     // index: simplex, vertex, coordinate
  RowMatrix<ExecutionSpace> values;  // index: simplex, vertex
  Kokkos::View<std::int64_t**, Kokkos::LayoutRight, memory_space> value_evaluations;  // index: simplex, vertex
  Kokkos::View<std::int32_t**, Kokkos::LayoutRight, memory_space> order;              // index: simplex, position
  RowMatrix<ExecutionSpace> centroids, steps;                                         // index: simplex, coordinate
  Kokkos::View<std::int32_t*, memory_space> dimensions;
  Kokkos::View<NelderMeadStatus*, memory_space> statuses;
  Cube equations;  // for the simplex gradients; empty if they are not used

  std::size_t size() const { return dimensions.extent(0); }
  KOKKOS_FUNCTION std::size_t width() const { return centroids.extent(1); }
  KOKKOS_FUNCTION SimplexPlace place(std::int32_t s) const {
    return {&vertices(s, 0, 0), &values(s, 0), &centroids(s, 0), &order(s, 0), static_cast<std::int32_t>(width())};
  }
};

/// Allocates memory for `count` simplices of at most `width` dimensions; `space` sets it to 0.
template <class ExecutionSpace>
Simplices<ExecutionSpace> allocated_simplices(const ExecutionSpace& space, std::size_t count, std::size_t width,
                                              bool has_gradients) {
  using Kept = Simplices<ExecutionSpace>;
  using Kokkos::view_alloc;
  using Kokkos::WithoutInitializing;
  Kept kept;
  kept.vertices = typename Kept::Cube(view_alloc(space, "sporos::nelder_mead::vertices"), count, width + 1, width);
  kept.values = RowMatrix<ExecutionSpace>(view_alloc(space, "sporos::nelder_mead::values"), count, width + 1);
  kept.value_evaluations =
      decltype(kept.value_evaluations)(view_alloc(space, "sporos::nelder_mead::value_evaluations"), count, width + 1);
  kept.order = decltype(kept.order)(view_alloc(space, "sporos::nelder_mead::order"), count, width + 1);
  kept.centroids = RowMatrix<ExecutionSpace>(view_alloc(space, "sporos::nelder_mead::centroids"), count, width);
  kept.steps = RowMatrix<ExecutionSpace>(view_alloc(space, "sporos::nelder_mead::steps"), count, width);
  kept.dimensions = decltype(kept.dimensions)(view_alloc(space, "sporos::nelder_mead::dimensions"), count);
  kept.statuses = decltype(kept.statuses)(view_alloc(WithoutInitializing, "sporos::nelder_mead::statuses"), count);
  if (has_gradients) {
    kept.equations = typename Kept::Cube(view_alloc(WithoutInitializing, "sporos::nelder_mead::equations"), count,
                                         width + 1, width + 3);
  }
  return kept;
}

/// Simplices and their copies on the host; all data are copied at once in either direction.
template <class ExecutionSpace>
struct SimplexMirror {
  explicit SimplexMirror(const Simplices<ExecutionSpace>& simplices)
      : of(simplices),
        vertices(Kokkos::create_mirror_view(of.vertices)),
        values(Kokkos::create_mirror_view(of.values)),
        value_evaluations(Kokkos::create_mirror_view(of.value_evaluations)),
        order(Kokkos::create_mirror_view(of.order)),
        centroids(Kokkos::create_mirror_view(of.centroids)),
        steps(Kokkos::create_mirror_view(of.steps)),
        dimensions(Kokkos::create_mirror_view(of.dimensions)),
        statuses(Kokkos::create_mirror_view(of.statuses)) {}

  void upload() const {
    copy_elements(of.vertices, vertices);
    copy_elements(of.values, values);
    copy_elements(of.value_evaluations, value_evaluations);
    copy_elements(of.order, order);
    copy_elements(of.centroids, centroids);
    copy_elements(of.steps, steps);
    copy_elements(of.dimensions, dimensions);
    copy_elements(of.statuses, statuses);
  }
  void download() const {
    copy_elements(vertices, of.vertices);
    copy_elements(values, of.values);
    copy_elements(value_evaluations, of.value_evaluations);
    copy_elements(order, of.order);
    copy_elements(centroids, of.centroids);
    copy_elements(statuses, of.statuses);
  }

  void set(std::size_t s, const NelderMeadState& state) const {
    const std::size_t n = state.dimension();
    dimensions(s) = static_cast<std::int32_t>(n);
    statuses(s) = state.status;
    for (std::size_t v = 0; v <= n; ++v) {
      for (std::size_t i = 0; i < n; ++i) vertices(s, v, i) = state.vertices[v][i];
      values(s, v) = state.values[v];
      value_evaluations(s, v) = state.value_evaluations[v];
      order(s, v) = static_cast<std::int32_t>(v);
    }
    for (std::size_t i = 0; i < n; ++i) {
      centroids(s, i) = state.centroid[i];
      steps(s, i) = state.steps[i];
    }
  }
  NelderMeadState get(std::size_t s) const {
    const auto n = static_cast<std::size_t>(dimensions(s));
    NelderMeadState state;
    for (std::size_t p = 0; p <= n; ++p) {
      const std::int32_t v = order(s, p);
      state.vertices.emplace_back(n);
      for (std::size_t i = 0; i < n; ++i) state.vertices.back()[i] = vertices(s, v, i);
      state.values.push_back(values(s, v));
      state.value_evaluations.push_back(value_evaluations(s, v));
    }
    for (std::size_t i = 0; i < n; ++i) {
      state.centroid.push_back(centroids(s, i));
      state.steps.push_back(steps(s, i));
    }
    state.status = statuses(s);
    return state;
  }

  template <class View>
  using Mirror = decltype(Kokkos::create_mirror_view(std::declval<const View&>()));

  Simplices<ExecutionSpace> of;
  Mirror<typename Simplices<ExecutionSpace>::Cube> vertices;
  Mirror<RowMatrix<ExecutionSpace>> values;
  Mirror<decltype(Simplices<ExecutionSpace>::value_evaluations)> value_evaluations;
  Mirror<decltype(Simplices<ExecutionSpace>::order)> order;
  Mirror<RowMatrix<ExecutionSpace>> centroids, steps;
  Mirror<decltype(Simplices<ExecutionSpace>::dimensions)> dimensions;
  Mirror<decltype(Simplices<ExecutionSpace>::statuses)> statuses;
};

/// Copies the states to the memory of `ExecutionSpace`. This call blocks.
template <class ExecutionSpace>
SimplexMirror<ExecutionSpace> to_simplices(const ExecutionSpace& space, const std::vector<NelderMeadState>& states,
                                           bool has_gradients) {
  std::size_t width = 0;
  for (const NelderMeadState& state : states) width = std::max(width, state.dimension());
  const SimplexMirror<ExecutionSpace> mirror(allocated_simplices(space, states.size(), width, has_gradients));
  for (std::size_t s = 0; s < states.size(); ++s) mirror.set(s, states[s]);
  mirror.upload();
  return mirror;
}

}  // namespace sporos::impl
