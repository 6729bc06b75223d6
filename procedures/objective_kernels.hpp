// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_task.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/likelihood_ratio.hpp>
#include <sporos/core/replication/pathwise.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

/// Kernels of a simulated objective: rows of its quantities and their derivatives, and moments of these rows.
namespace sporos::impl {

/// Simulated quantities: `count` weighted sums of the responses and, as the last term, of the constant 1.
template <int responses>
struct Quantities {
  static constexpr std::size_t terms = static_cast<std::size_t>(responses) + 1;
  int count = 0;
  Kokkos::Array<Kokkos::Array<double, terms>, terms> weights{};
};

// Writes a number, or the lanes of a pack, starting at `column`, and advances `column`. A dual's value is followed by
// its derivatives; for a dual of duals, the derivatives of these along the inner direction come last.
template <class Rows, class Number>
KOKKOS_FORCEINLINE_FUNCTION void write_number(const Rows& rows, const Replication& replication, int& column,
                                              const Number& number) {
  write(number, replication, rows, column++);
}
template <class Rows, int directions, class Real>
KOKKOS_FORCEINLINE_FUNCTION void write_number(const Rows& rows, const Replication& replication, int& column,
                                              const Dual<directions, Real>& number) {
  write(number.value, replication, rows, column++);
  for (int j = 0; j < directions; ++j) write(number.slope[j], replication, rows, column++);
}
template <class Rows, int directions, class Real>
KOKKOS_FORCEINLINE_FUNCTION void write_number(const Rows& rows, const Replication& replication, int& column,
                                              const Dual<directions, Dual<1, Real>>& number) {
  write(number.value.value, replication, rows, column++);
  for (int j = 0; j < directions; ++j) write(number.slope[j].value, replication, rows, column++);
  for (int j = 0; j < directions; ++j) write(number.slope[j].slope[0], replication, rows, column++);
}

// Writes the quantities of each replication, one number per column: the value and, for a model in duals, its
// derivatives by `Estimator`.
template <class ExecutionSpace, class Estimator, int responses>
struct QuantityRows {
  Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space> rows;
  Quantities<responses> quantities;

  template <class Model>
  static constexpr bool takes_packs() {
    return SaysWhetherInLanes<Model> && (!is_in_duals<Model> || Estimator::takes_packs);
  }

  template <class Model, class Inputs>
  KOKKOS_FUNCTION void operator()(const Model& model, Inputs& inputs, const Replication& replication) const {
    const auto found = responses_of(model, inputs);
    if (replication.writes) write_quantities<Model>(found, replication);
  }

  // Writes the quantities of two packs of replications of a model that is not in duals.
  template <class Model, class Inputs>
  requires(!is_in_duals<Model>)
      KOKKOS_FUNCTION void side_by_side(const Model& model, Inputs& inputs, const Replication& replication,
                                        Inputs& others, const Replication& following) const {
    const auto found = model.side_by_side(inputs, others);
    write_quantities<Model>(found[0], replication);
    write_quantities<Model>(found[1], following);
  }

 private:
  template <class Model, class Found>
  KOKKOS_FORCEINLINE_FUNCTION void write_quantities(const Found& found, const Replication& replication) const {
    using Real = std::remove_cvref_t<decltype(found[0])>;
    for (int q = 0, column = 0; q < quantities.count; ++q) {
      Real sum = 0;
      for (int i = 0; i < static_cast<int>(found.size()); ++i) {
        if (quantities.weights[q][i] != 0) sum += quantities.weights[q][i] * found[i];
      }
      if constexpr (!is_scored<Model>) sum += quantities.weights[q][responses];
      write_number(rows, replication, column, sum);
    }
  }

  template <class Model>
  static constexpr bool is_scored = is_in_duals<Model>&& Estimator::has_scores;

  template <class Model, class Inputs>
  KOKKOS_FORCEINLINE_FUNCTION static auto responses_of(const Model& model, Inputs& inputs) {
    if constexpr (is_scored<Model>) {
      Kokkos::Array<typename RealOf<Model>::type, Quantities<responses>::terms> found;
      Estimator::responses_and_one(model, inputs, found);
      return found;
    } else if constexpr (is_in_duals<Model>) {
      return Estimator::responses(model, inputs);
    } else {
      return model(inputs);
    }
  }
};

// Columns of a launch. Products are summed for pairs of the columns that hold quantities' values.
struct MomentColumns {
  int quantities;   // number of quantities, k
  int of_quantity;  // columns of each quantity: 1 value, then derivatives

  // Moments are the means, then the sums of products of quantities i ≤ j.
  KOKKOS_FUNCTION std::int64_t count() const { return means() + quantities * (quantities + 1) / 2; }
  KOKKOS_FUNCTION std::int64_t means() const { return std::int64_t{quantities} * of_quantity; }
  KOKKOS_FUNCTION std::int64_t product(int i, int j) const {
    return means() + i * quantities - i * (i - 1) / 2 + j - i;
  }

  // If `column` holds the values of a quantity i, calls visit(moment, other) for each j ≥ i: `moment` is the sum of
  // products of quantities i and j, and column `other` holds the values of quantity j.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_product(std::int64_t column, const Visit& visit) const {
    const int i = static_cast<int>(column / of_quantity);
    if (column != std::int64_t{i} * of_quantity) return;
    for (int j = i; j < quantities; ++j) visit(product(i, j), std::int64_t{j} * of_quantity);
  }
};

// The sum of term(0) to term(count − 1): 32 partial sums, of every 32nd term, then a tree of these. On a GPU the lanes
// of a warp have one partial sum each and get the sum; results are bitwise identical to those of the host.
template <class Term>
KOKKOS_FUNCTION double sum_in_lanes(std::int64_t count, const Term& term) {
  if constexpr (lane_count() == 1) {
    if (count == 1) return 0.0 + term(0);
    double sums[warp_lanes] = {};
    const int lanes = count < warp_lanes ? static_cast<int>(count) : warp_lanes;  // others add 0
    std::int64_t first = 0;
    for (; first + warp_lanes <= count; first += warp_lanes) {  // compilers do not vectorize sums[i % warp_lanes]
      for (int lane = 0; lane < warp_lanes; ++lane) sums[lane] += term(first + lane);
    }
    for (int lane = 0; first + lane < count; ++lane) sums[lane] += term(first + lane);
    for (int width = warp_lanes / 2; width > 0; width /= 2) {
      for (int lane = 0; lane < width && lane + width < lanes; ++lane) sums[lane] += sums[lane + width];
    }
    return sums[0];
  } else {
    double sum = 0;
    for (std::int64_t i = lane_index(); i < count; i += warp_lanes) sum += term(i);
    for (int mask = warp_lanes / 2; mask > 0; mask /= 2) sum += shuffle_xor(sum, mask);
    return sum;
  }
}

// Moments of blocks of rows. An index is a (block, point, column) triple: it stands for the column's mean and the
// products of its quantity with the following ones.
template <class ExecutionSpace>
struct BlockMoments {
  static constexpr std::int64_t block_rows = 256;

  Kokkos::View<const double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space> rows;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> moments;
  MomentColumns columns;
  std::int64_t rows_of_point, points;

  KOKKOS_FUNCTION std::int64_t blocks_of_point() const { return (rows_of_point + block_rows - 1) / block_rows; }
  KOKKOS_FUNCTION std::int64_t rows_of_block(std::int64_t block) const {
    const std::int64_t left = rows_of_point - block * block_rows;
    return left < block_rows ? left : block_rows;
  }
  KOKKOS_FUNCTION std::int64_t indices() const { return blocks_of_point() * points * columns.means(); }
  // Number of moments, and the place of one of them.
  std::int64_t count() const { return blocks_of_point() * points * columns.count(); }
  KOKKOS_FUNCTION std::int64_t place(std::int64_t moment, std::int64_t point, std::int64_t block) const {
    return (moment * points + point) * blocks_of_point() + block;
  }

  // Called by one thread of the host, or by one warp.
  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const std::int64_t block = index % blocks_of_point(), of_point = index / blocks_of_point();
    const std::int64_t point = of_point % points, column = of_point / points;
    const std::int64_t begin = point * rows_of_point + block * block_rows, count = rows_of_block(block);
    const double mean = mean_of(column, begin, count);
    if (lane_index() == 0) moments(place(column, point, block)) = mean;
    columns.for_each_product(column, [&](std::int64_t moment, std::int64_t other) {
      const double mean_of_other = other == column ? mean : mean_of(other, begin, count);
      const double product = sum_in_lanes(count, [&](std::int64_t row) {
        return (rows(begin + row, column) - mean) * (rows(begin + row, other) - mean_of_other);
      });
      if (lane_index() == 0) moments(place(moment, point, block)) = product;
    });
  }

  // Called by each warp of a team.
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t index = std::int64_t{team.league_rank()} * team.team_size() + team.team_rank();
    if (index < indices()) (*this)(index);
  }

 private:
  KOKKOS_FUNCTION double mean_of(std::int64_t column, std::int64_t begin, std::int64_t count) const {
    return sum_in_lanes(count, [&](std::int64_t i) { return rows(begin + i, column); }) / static_cast<double>(count);
  }
};

// Moments of points from those of their blocks; an index is a (point, column) pair. Means and sums of products are
// combined as Chan, Golub and LeVeque (1983) do.
template <class ExecutionSpace>
struct PointMoments {
  BlockMoments<ExecutionSpace> blocks;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> moments;

  KOKKOS_FUNCTION std::int64_t indices() const { return blocks.points * blocks.columns.means(); }

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const std::int64_t point = index % blocks.points, column = index / blocks.points;
    const double mean = mean_of(column, point);
    if (lane_index() == 0) moments(column * blocks.points + point) = mean;
    blocks.columns.for_each_product(column, [&](std::int64_t moment, std::int64_t other) {
      const double mean_of_other = other == column ? mean : mean_of(other, point);
      const double product = sum_in_lanes(blocks.blocks_of_point(), [&](std::int64_t block) {
        return of_block(moment, point, block) + rows_of(block) * (of_block(column, point, block) - mean) *
                                                    (of_block(other, point, block) - mean_of_other);
      });
      if (lane_index() == 0) moments(moment * blocks.points + point) = product;
    });
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t index = std::int64_t{team.league_rank()} * team.team_size() + team.team_rank();
    if (index < indices()) (*this)(index);
  }

 private:
  KOKKOS_FUNCTION double of_block(std::int64_t moment, std::int64_t point, std::int64_t block) const {
    return blocks.moments(blocks.place(moment, point, block));
  }
  KOKKOS_FUNCTION double rows_of(std::int64_t block) const { return static_cast<double>(blocks.rows_of_block(block)); }
  KOKKOS_FUNCTION double mean_of(std::int64_t column, std::int64_t point) const {
    const auto part = [&](std::int64_t block) { return rows_of(block) * of_block(column, point, block); };
    return sum_in_lanes(blocks.blocks_of_point(), part) / static_cast<double>(blocks.rows_of_point);
  }
};

// Calls the functor for all of its indices. On a GPU, each index takes a warp, whose lanes read neighbouring rows.
template <class ExecutionSpace, class Functor>
void for_each_moment(const ExecutionSpace& space, const Functor& functor) {
  const std::string label = "sporos::simulated_objective::reduce";
  if constexpr (runs_on_host<ExecutionSpace>) {
    for_each_task(label,
                  Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, functor.indices()),
                  functor);
  } else {
    constexpr int warps = 4;
    const auto teams = static_cast<int>((functor.indices() + warps - 1) / warps);
    Kokkos::parallel_for(label, Kokkos::TeamPolicy<ExecutionSpace>(space, teams, warps, warp_lanes), functor);
  }
}

}  // namespace sporos::impl
