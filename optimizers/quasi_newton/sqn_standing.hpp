// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/quasi_newton/result.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// How far a run of sqn has come: see QuasiNewtonState.
struct SqnStanding {
  std::int64_t iteration = 0;
  double step = 0;
  QuasiNewtonCounts counts = {};  // of pairs, only those before a resumption
  bool is_watched = false;
};

/// Where a saved run stands.
inline SqnStanding standing_of(const QuasiNewtonState& state) {
  return {state.iteration, state.step, state.counts, state.is_watched};
}

/// A state with nothing but where a run stands, these being the counts of all that was done.
inline QuasiNewtonState state_at(const SqnStanding& standing, const QuasiNewtonCounts& counts) {
  QuasiNewtonState state;
  state.iteration = standing.iteration;
  state.step = standing.step;
  state.counts = counts;
  state.is_watched = standing.is_watched;
  return state;
}

/// A step of this length, but no further than to the minimum of the quadratic with this slope and curvature.
KOKKOS_INLINE_FUNCTION double limited_step(double step, double slope, double curvature) {
  return curvature * step > slope ? slope / curvature : step;
}

/// A step along a direction of this length that is no longer than the longest move.
KOKKOS_INLINE_FUNCTION double bounded_step(double step, double length, double longest_move) {
  return step * length > longest_move ? longest_move / length : step;
}

}  // namespace sporos::impl
