// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/vector.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// The kernels behind CorrectionPairs. Pairs are counted by age, from the oldest, 0, to the newest, m − 1, so that no
/// sum depends on where in memory a pair lies; columns 0 to m − 1 are the s, columns m to 2m − 1 the y. Every sum has
/// an order that depends on the dimension alone.
namespace sporos::impl {

/// A matrix whose columns lie in one piece each.
template <class ExecutionSpace>
using Columns = Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>;

/// The pairs that are stored, of which a new one takes the place of the oldest.
template <class ExecutionSpace>
struct StoredPairs {
  Columns<ExecutionSpace> s, y;  // d × M
  std::int64_t oldest = 0;       // its column
  std::int64_t count = 0;        // m

  KOKKOS_FUNCTION std::int64_t slot(std::int64_t age) const {
    const std::int64_t sum = oldest + age, memory = static_cast<std::int64_t>(s.extent(1));
    return sum < memory ? sum : sum - memory;
  }
  KOKKOS_FUNCTION const double* column(std::int64_t c) const {
    return c < count ? &s(0, slot(c)) : &y(0, slot(c - count));
  }
};

/// Products of all columns with one vector, over a chunk of the coordinates each.
template <class ExecutionSpace>
struct ColumnDots {
  StoredPairs<ExecutionSpace> pairs;
  const double* vector;
  std::int64_t dimension, chunk;                                                             // coordinates
  Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> parts;  // chunk by column

  // On a host: eight interleaved sums, which vector registers hold.
  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    constexpr int lanes = 8;
    const std::int64_t c = task % (2 * pairs.count), end = end_of(task);
    const double* const column = pairs.column(c);
    double sums[lanes] = {};
    std::int64_t i = begin_of(task);
    for (; i + lanes <= end; i += lanes) {
      for (int lane = 0; lane < lanes; ++lane) sums[lane] += column[i + lane] * vector[i + lane];
    }
    for (int lane = 0; i < end; ++i, ++lane) sums[lane] += column[i] * vector[i];
    parts(task / (2 * pairs.count), c) =
        ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  }

  // On a device: a team for each chunk and column.
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t task = team.league_rank(), c = task % (2 * pairs.count);
    const double* const column = pairs.column(c);
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, begin_of(task), end_of(task)),
        [&](const std::int64_t i, double& part) { part += column[i] * vector[i]; }, sum);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { parts(task / (2 * pairs.count), c) = sum; });
  }

  KOKKOS_FUNCTION std::int64_t begin_of(std::int64_t task) const { return task / (2 * pairs.count) * chunk; }
  KOKKOS_FUNCTION std::int64_t end_of(std::int64_t task) const {
    const std::int64_t end = begin_of(task) + chunk;
    return end < dimension ? end : dimension;
  }
};

/// What the recursion needs to know of the pairs' products with each other: s_iᵀ y_j where i is not younger than j, and
/// y_iᵀ y_j; by slots.
template <class ExecutionSpace>
struct PairProducts {
  Columns<ExecutionSpace> sy, yy;  // M × M
};

/// The products of the newest pair's y with all columns, into their places.
template <class ExecutionSpace>
struct ProductWriter {
  StoredPairs<ExecutionSpace> pairs;
  PairProducts<ExecutionSpace> products;
  Kokkos::View<const double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> parts;
  std::int64_t chunks;

  KOKKOS_FUNCTION void operator()(std::int64_t c) const {
    const std::int64_t newest = pairs.slot(pairs.count - 1), m = pairs.count, other = pairs.slot(c < m ? c : c - m);
    double sum = 0;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += parts(chunk, c);
    if (c < m) {
      products.sy(other, newest) = sum;
    } else {
      products.yy(other, newest) = sum;
      products.yy(newest, other) = sum;
    }
  }
};

/// The two-loop recursion on coefficients: what H g is made of, H g = κ g + Σ_c κ_c (column c), from the products of g
/// with the columns. One team; its threads go over the pairs, of which each step changes all others.
///
/// First loop, from the newest: α_i = s_iᵀq / s_iᵀy_i, q ← q − α_i y_i, of which s_jᵀq and y_jᵀq are kept instead of q.
/// Then r = κ q with κ = sᵀy / yᵀy of the newest. Second loop, from the oldest: β_i = y_iᵀr / s_iᵀy_i,
/// r ← r + (α_i − β_i) s_i, of which y_jᵀr is kept.
template <class ExecutionSpace>
struct TwoLoopRecursion {
  using Values = Vector<ExecutionSpace>;

  StoredPairs<ExecutionSpace> pairs;
  PairProducts<ExecutionSpace> products;
  Kokkos::View<const double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> parts;
  std::int64_t chunks;
  Values with_s, with_y;  // sᵀq, and yᵀq or yᵀr
  Values coefficients;    // κ_c, and κ at 2m

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t m = pairs.count, newest = pairs.slot(m - 1);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 2 * m), [&](const std::int64_t c) {
      double sum = 0;
      for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += parts(chunk, c);
      (c < m ? with_s(c) : with_y(c - m)) = sum;
    });
    team.team_barrier();
    const double kappa = products.sy(newest, newest) / products.yy(newest, newest);
    for (std::int64_t i = m - 1; i >= 0; --i) {
      const std::int64_t at = pairs.slot(i);
      const double alpha = with_s(i) / products.sy(at, at);
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, m), [&](const std::int64_t j) {
        const std::int64_t other = pairs.slot(j);
        if (j < i) with_s(j) -= alpha * products.sy(other, at);
        with_y(j) -= alpha * products.yy(other, at);
        if (j == i) coefficients(m + i) = alpha;
      });
      team.team_barrier();
    }
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, m), [&](const std::int64_t j) { with_y(j) *= kappa; });
    team.team_barrier();
    for (std::int64_t i = 0; i < m; ++i) {
      const std::int64_t at = pairs.slot(i);
      const double kept = coefficients(m + i) - with_y(i) / products.sy(at, at);
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, m), [&](const std::int64_t j) {
        if (j > i) with_y(j) += kept * products.sy(at, pairs.slot(j));
        if (j == i) coefficients(i) = kept;
      });
      team.team_barrier();
    }
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, m),
                         [&](const std::int64_t j) { coefficients(m + j) *= -kappa; });
    Kokkos::single(Kokkos::PerTeam(team), [&]() { coefficients(2 * m) = kappa; });
  }
};

/// out = κ g + Σ_c κ_c (column c), for a few neighbouring coordinates.
template <class ExecutionSpace>
struct ColumnCombiner {
  static constexpr std::int64_t width = runs_on_host<ExecutionSpace> ? 256 : 1;  // coordinates of a thread

  StoredPairs<ExecutionSpace> pairs;
  ConstVector<ExecutionSpace> coefficients, g;
  Vector<ExecutionSpace> out;

  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t first = task * width, left = static_cast<std::int64_t>(g.extent(0)) - first;
    const std::int64_t count = left < width ? left : width, columns = 2 * pairs.count;
    double sums[width];
    for (std::int64_t i = 0; i < count; ++i) sums[i] = coefficients(columns) * g(first + i);
    for (std::int64_t c = 0; c < columns; ++c) {
      const double coefficient = coefficients(c);
      const double* const column = pairs.column(c) + first;
      for (std::int64_t i = 0; i < count; ++i) sums[i] += coefficient * column[i];
    }
    for (std::int64_t i = 0; i < count; ++i) out(first + i) = sums[i];
  }
};

}  // namespace sporos::impl
