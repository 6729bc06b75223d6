// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/array_sums.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/execution/for_each_team.hpp>
#include <sporos/models/classification/row_selection.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

/// Products of selected rows of a table of features with vectors. KokkosBlas::gemv and KokkosSparse::spmv are not used,
/// because rows are selected, a margin is passed to its loss without being stored, and its bits must not depend on
/// other rows (docs/reference/dependencies.md has the measured ratio and the command). The handle of a table implements
/// the work of a task. The order of every sum depends only on the sizes, so results have the same bits from run to run
/// on a backend, with any number of threads. A margin is bitwise identical whichever other rows are selected.
namespace sporos::models {

/// The predictor of margins xᵀw + c, for kernels.
struct LinearPredictor {
  const double* weights;    ///< w
  const double* intercept;  ///< c, or null

  /// The margin of a row, given its product with w.
  KOKKOS_FORCEINLINE_FUNCTION double margin(double product) const {
    return intercept == nullptr ? product : product + *intercept;
  }
};

namespace impl {

/// Approximate time of a host thread for the products of `rows` rows with a vector, in nanoseconds.
template <class Features>
double nanoseconds_of_rows(const Features& features, std::int64_t rows) {
  constexpr double of_byte = 0.1;  // for packed bits, which need the most work per byte
  return of_byte * static_cast<double>(features.bytes()) / static_cast<double>(features.rows()) *
         static_cast<double>(rows);
}

/// Calls finish(i, mᵢ) for the margin mᵢ of each selected row of a block, on a host. `weights` have the form that the
/// features require.
template <class Handle, class Vector, class Finish>
struct BlockMultiplier {
  Handle features;
  RowSelection rows;
  Vector weights;
  LinearPredictor predictor;
  Finish finish;

  void operator()(std::int64_t block) const {
    double margins[Handle::rows_of_task];
    const std::int64_t first = block * Handle::rows_of_task;
    const std::int64_t count = std::min(rows.count - first, Handle::rows_of_task);
    features.multiply(rows, first, count, weights, margins);
    for (std::int64_t i = 0; i < count; ++i) margins[i] = predictor.margin(margins[i]);
    if constexpr (requires { finish.labels.indices; }) {
      // With this test inside the loop, g++ 12 loads indices under a mask. A masked load from null is slow: a pass over
      // 5000 bits a row takes 1.25 times as long.
      if (finish.labels.indices == nullptr) {
        Finish of_neighbours = finish;
        of_neighbours.labels.indices = nullptr;  // a constant for the compiler from here on
        return finish_all(of_neighbours, first, count, margins);
      }
    }
    finish_all(finish, first, count, margins);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void finish_all(const Finish& one, std::int64_t first, std::int64_t count,
                                                     const double* margins) {
#ifndef __clang__
#pragma GCC ivdep
#endif
    for (std::int64_t i = 0; i < count; ++i) one(first + i, margins[i]);
  }
};

/// Number of threads of a team that computes margins on a device. Fixed, because the order of a sum depends on it. SQN
/// with batches of 300 rows of 5000 bits takes as long as with the team size that Kokkos recommends.
inline constexpr int threads_of_multiplier = 256;

/// Computes margins in teams that multiply `row_count` rows each. `row_count` does not affect a margin, not even its
/// last bit.
template <class Handle, class Finish, int row_count>
struct TeamMultiplier {
  Handle features;
  RowSelection rows;
  LinearPredictor predictor;
  Finish finish;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t first = std::int64_t{team.league_rank()} * row_count, last = rows.count - 1;
    std::int64_t own[row_count];
    for (int i = 0; i < row_count; ++i) own[i] = rows[first + i < last ? first + i : last];
    using Sums = typename sporos::impl::ArraySums<row_count>::value_type;
    Sums products;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, features.terms(own[0])),
        [&](const std::int64_t k, Sums& sums) { features.add_terms(own, k, predictor.weights, sums.of); },
        sporos::impl::ArraySums<row_count>{products});
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      for (int i = 0; i < row_count && first + i <= last; ++i) finish(first + i, predictor.margin(products.of[i]));
    });
  }
};

/// Launches TeamMultiplier for all rows. A row takes `nanoseconds` on a host.
template <int row_count, class ExecutionSpace, class Handle, class Finish>
void multiply_in_teams(const ExecutionSpace& space, const Handle& features, const RowSelection& rows,
                       const LinearPredictor& predictor, const Finish& finish, double nanoseconds) {
  for_each_team("sporos::classification::multiply_rows", space,
                {(rows.count + row_count - 1) / row_count, threads_of_multiplier}, nanoseconds * row_count,
                TeamMultiplier<Handle, Finish, row_count>{features, rows, predictor, finish});
}

/// Features that a host thread multiplies in blocks of rows.
template <class Handle>
concept HasBlocks = requires {
  Handle::rows_of_task;
};

}  // namespace impl

/// for_each_margin in teams. The threads of a team share a row, so that adjacent threads read adjacent elements. If
/// there are enough rows for all processors, a team reads each weight once for several rows. A row takes `nanoseconds`
/// on a host.
template <class ExecutionSpace, class Handle, class Finish>
void multiply_rows(const ExecutionSpace& space, const Handle& features, const RowSelection& rows,
                   const LinearPredictor& predictor, const Finish& finish, double nanoseconds) {
  constexpr int many = Handle::rows_of_team;
  if (rows.count * impl::threads_of_multiplier >= std::int64_t{many} * space.concurrency()) {
    impl::multiply_in_teams<many>(space, features, rows, predictor, finish, nanoseconds);
  } else {
    impl::multiply_in_teams<1>(space, features, rows, predictor, finish, nanoseconds);
  }
}

/// Calls finish(i, mᵢ) for the margin mᵢ of each selected row, in any order. `finish` runs in kernels.
template <class ExecutionSpace, class Features, class Finish>
void for_each_margin(const ExecutionSpace& space, const Features& features, const RowSelection& rows,
                     const LinearPredictor& predictor, const Finish& finish) {
  using Handle = decltype(features.handle());
  if (rows.count == 0) return;
  // If the features implement blocks, a host thread multiplies a block of rows, with weights that are prepared once.
  // Without blocks, margins take 1.3 times as long for 300 dense rows of 5000 features, and 2.3 times for 30 000 rows
  // of 300. For sparse rows, the implementation in blocks took 1.5 times as long as teams. (bench_kokkos_kernels, one
  // core of an AMD EPYC.)
  if constexpr (runs_on_host<ExecutionSpace> && impl::HasBlocks<Handle>) {
    const auto handle = features.handle();
    const auto weights = handle.prepared(predictor.weights);
    const std::int64_t blocks = (rows.count + Handle::rows_of_task - 1) / Handle::rows_of_task;
    const double of_block = impl::nanoseconds_of_rows(features, Handle::rows_of_task);
    for_each_index<Kokkos::Schedule<Kokkos::Dynamic>>(
        "sporos::classification::multiply_rows", space, blocks, of_block,
        impl::BlockMultiplier<Handle, decltype(weights), Finish>{handle, rows, weights, predictor, finish});
  } else {
    multiply_rows(space, features.handle(), rows, predictor, finish, impl::nanoseconds_of_rows(features, 1));
  }
}

}  // namespace sporos::models
