// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/vector.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// The kernels behind CorrectionPairs. Pairs lie in slots; by age they are counted from the oldest, 0, to the newest,
/// m − 1. Sums over pairs go by age, so that none depends on where in memory a pair lies, and every other sum has an
/// order that depends on the dimension alone.
namespace sporos::impl {

/// A matrix whose columns lie in one piece each.
template <class ExecutionSpace>
using Columns = Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>;

/// Products with a vector, over a chunk of the coordinates each.
template <class ExecutionSpace>
using ChunkProducts = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

/// The pairs that are stored, of which a new one takes the place of the oldest.
template <class ExecutionSpace>
struct StoredPairs {
  Columns<ExecutionSpace> s, y;  // d × M
  std::int64_t oldest = 0;       // its slot
  std::int64_t count = 0;        // m, in slots 0 to m − 1

  KOKKOS_FUNCTION std::int64_t newest() const { return slot(count - 1); }
  KOKKOS_FUNCTION std::int64_t slot(std::int64_t age) const {
    const std::int64_t sum = oldest + age, memory = static_cast<std::int64_t>(s.extent(1));
    return sum < memory ? sum : sum - memory;
  }
};

/// Products of all pairs with one vector: over chunk k, that of the s in slot j at (k, j), that of the y at (k, m + j).
template <class ExecutionSpace>
struct PairDots {
  StoredPairs<ExecutionSpace> pairs;
  const double* vector;
  std::int64_t dimension, chunk;  // coordinates
  ChunkProducts<ExecutionSpace> parts;

  // On a host: a task for each chunk of a pair.
  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t part = task / pairs.count, j = task % pairs.count;
    parts(part, j) = product(&pairs.s(0, j), part * chunk, end_of(part));
    parts(part, pairs.count + j) = product(&pairs.y(0, j), part * chunk, end_of(part));
  }

  // On a device: a team for each chunk of a vector.
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t m = pairs.count, part = team.league_rank() / (2 * m), c = team.league_rank() % (2 * m);
    const double* const column = c < m ? &pairs.s(0, c) : &pairs.y(0, c - m);
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, part * chunk, end_of(part)),
        [&](const std::int64_t i, double& products) { products += column[i] * vector[i]; }, sum);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { parts(part, c) = sum; });
  }

  KOKKOS_FUNCTION std::int64_t end_of(std::int64_t part) const {
    const std::int64_t end = (part + 1) * chunk;
    return end < dimension ? end : dimension;
  }
  // Eight interleaved sums, which vector registers hold.
  KOKKOS_FUNCTION double product(const double* column, std::int64_t i, std::int64_t end) const {
    constexpr int lanes = 8;
    double sums[lanes] = {}, rest = 0;
    for (; i + lanes <= end; i += lanes) {
      for (int lane = 0; lane < lanes; ++lane) sums[lane] += column[i + lane] * vector[i + lane];
    }
    for (; i < end; ++i) rest += column[i] * vector[i];
    return (((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))) + rest;
  }
};

/// What the recursion needs to know of the pairs' products with each other, by slots: the triangle R of s_iᵀ y_j, i not
/// younger than j, by its inverse, and all y_iᵀ y_j.
template <class ExecutionSpace>
struct PairProducts {
  Vector<ExecutionSpace> sy;                    // s_iᵀ y_i: M
  Columns<ExecutionSpace> yy;                   // symmetric; M × M, as are the others
  Columns<ExecutionSpace> inverse, transposed;  // R⁻¹, R⁻ᵀ

  /// κ.
  KOKKOS_FUNCTION double scale(std::int64_t newest) const { return sy(newest) / yy(newest, newest); }
};

/// Of column c of the chunks' products.
template <class ExecutionSpace>
KOKKOS_FUNCTION double sum_of_parts(const ChunkProducts<ExecutionSpace>& parts, std::int64_t chunks, std::int64_t c) {
  double sum = 0;
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += parts(chunk, c);
  return sum;
}

/// finish(j, Σ_i A_ji x_i) for each slot j, over the slots i of the `count` oldest pairs; by a team, which then waits.
template <class ExecutionSpace, class Member, class Finish>
KOKKOS_FUNCTION void multiply_slots(const Member& team, const StoredPairs<ExecutionSpace>& pairs, std::int64_t count,
                                    const Columns<ExecutionSpace>& a, const Vector<ExecutionSpace>& x,
                                    const Finish& finish) {
  constexpr std::int64_t width = runs_on_host<ExecutionSpace> ? 64 : 1;  // slots of a thread
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, (pairs.count + width - 1) / width), [&](const std::int64_t block) {
    const std::int64_t first = block * width, left = pairs.count - first, size = left < width ? left : width;
    double sums[width] = {};
    for (std::int64_t age = 0; age < count; ++age) {
      const std::int64_t i = pairs.slot(age);
      const double factor = x(i);
      const double* const column = &a(first, i);
      for (std::int64_t k = 0; k < size; ++k) sums[k] += factor * column[k];
    }
    for (std::int64_t k = 0; k < size; ++k) finish(first + k, sums[k]);
  });
  team.team_barrier();
}

/// The products of the newest pair's y with all pairs, into their places. One team, whose threads go over the slots.
///
/// With r the s_iᵀ y of the older pairs, R⁻¹ is extended by the column −R⁻¹ r / sᵀy and 1 / sᵀy below it; what it was
/// without the pair that has gone, the oldest, is what it was without its first row and column.
template <class ExecutionSpace>
struct ProductWriter {
  StoredPairs<ExecutionSpace> pairs;
  PairProducts<ExecutionSpace> products;
  ChunkProducts<ExecutionSpace> parts;
  std::int64_t chunks;
  Vector<ExecutionSpace> with_s;  // r, and sᵀy at the newest

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t m = pairs.count, newest = pairs.newest();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, m), [&](const std::int64_t j) {
      with_s(j) = sum_of_parts<ExecutionSpace>(parts, chunks, j);
      products.yy(j, newest) = products.yy(newest, j) = sum_of_parts<ExecutionSpace>(parts, chunks, m + j);
      products.inverse(newest, j) = products.transposed(j, newest) = 0;
    });
    team.team_barrier();
    const double sy = with_s(newest);
    multiply_slots<ExecutionSpace>(team, pairs, m - 1, products.inverse, with_s, [&](const std::int64_t j, double sum) {
      if (j == newest) return;
      products.inverse(j, newest) = products.transposed(newest, j) = -sum / sy;
    });
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      products.sy(newest) = sy;
      products.inverse(newest, newest) = products.transposed(newest, newest) = 1 / sy;
    });
  }
};

/// What H g is made of, by slots: H g = κ g + Σ_j (δ_j s_j − κ α_j y_j).
template <class ExecutionSpace>
struct PairCoefficients {
  Vector<ExecutionSpace> alpha, delta;
};

/// The two-loop recursion on coefficients, from the products of g with the pairs. One team, whose threads go over the
/// slots.
///
/// First loop, from the newest: α_i = s_iᵀq / s_iᵀy_i, q ← q − α_i y_i, from q = g on: the α solve R α = Sᵀg. Then
/// r = κ q with κ = sᵀy / yᵀy of the newest. Second loop, from the oldest: β_i = y_iᵀr / s_iᵀy_i,
/// r ← r + (α_i − β_i) s_i: the δ_i = α_i − β_i solve Rᵀ δ = D α − κ (Yᵀg − YᵀY α), where D has the s_iᵀy_i on its
/// diagonal. Since R⁻¹ is kept, no step waits for the one before.
template <class ExecutionSpace>
struct TwoLoopRecursion {
  StoredPairs<ExecutionSpace> pairs;
  PairProducts<ExecutionSpace> products;
  ChunkProducts<ExecutionSpace> parts;
  std::int64_t chunks;
  Vector<ExecutionSpace> with_s, with_y;  // Sᵀg, and Yᵀg or what Rᵀ δ is
  PairCoefficients<ExecutionSpace> coefficients;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t m = pairs.count;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, m), [&](const std::int64_t j) {
      with_s(j) = sum_of_parts<ExecutionSpace>(parts, chunks, j);
      with_y(j) = sum_of_parts<ExecutionSpace>(parts, chunks, m + j);
    });
    team.team_barrier();
    const double kappa = products.scale(pairs.newest());
    multiply_slots<ExecutionSpace>(team, pairs, m, products.inverse, with_s,
                                   [&](const std::int64_t j, double sum) { coefficients.alpha(j) = sum; });
    multiply_slots<ExecutionSpace>(team, pairs, m, products.yy, coefficients.alpha,
                                   [&](const std::int64_t j, double sum) {
                                     with_y(j) = products.sy(j) * coefficients.alpha(j) - kappa * (with_y(j) - sum);
                                   });
    multiply_slots<ExecutionSpace>(team, pairs, m, products.transposed, with_y,
                                   [&](const std::int64_t j, double sum) { coefficients.delta(j) = sum; });
  }
};

/// out = H g for a few neighbouring coordinates.
template <class ExecutionSpace>
struct PairCombiner {
  static constexpr std::int64_t width = runs_on_host<ExecutionSpace> ? 256 : 1;  // coordinates of a thread

  StoredPairs<ExecutionSpace> pairs;
  PairProducts<ExecutionSpace> products;
  PairCoefficients<ExecutionSpace> coefficients;
  ConstVector<ExecutionSpace> g;
  Vector<ExecutionSpace> out;

  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t first = task * width, left = static_cast<std::int64_t>(g.extent(0)) - first;
    const std::int64_t count = left < width ? left : width;
    const double kappa = products.scale(pairs.newest());
    double sums[width];
    for (std::int64_t k = 0; k < count; ++k) sums[k] = kappa * g(first + k);
    for (std::int64_t age = 0; age < pairs.count; ++age) {
      const std::int64_t j = pairs.slot(age);
      const double *const s = &pairs.s(first, j), *const y = &pairs.y(first, j);
      const double of_s = coefficients.delta(j), of_y = kappa * coefficients.alpha(j);
      for (std::int64_t k = 0; k < count; ++k) sums[k] += of_s * s[k] - of_y * y[k];
    }
    for (std::int64_t k = 0; k < count; ++k) out(first + k) = sums[k];
  }
};

}  // namespace sporos::impl
