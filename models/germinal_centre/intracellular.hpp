// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/for_each_index.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

/// Differential equations inside cells, one small system per cell.
namespace sporos::models {

/// State of a system of ordinary differential equations y' = f(y), which has `System::size` variables.
template <class System>
using OdeState = Kokkos::Array<double, System::size>;

/// Coefficients of the explicit Runge–Kutta pair of orders 5 and 4 by Cash and Karp (1990), A variable order
/// Runge–Kutta method for initial value problems with rapidly varying right-hand sides.
struct CashKarpPair {
  static constexpr int stages = 6;  ///< number of slopes
  /// Weights of the earlier slopes for each stage: one for the second, two for the third, and so on.
  Kokkos::Array<double, 15> earlier = {{1.0 / 5, 3.0 / 40, 9.0 / 40, 3.0 / 10, -9.0 / 10, 6.0 / 5, -11.0 / 54, 5.0 / 2,
                                        -70.0 / 27, 35.0 / 27, 1631.0 / 55296, 175.0 / 512, 575.0 / 13824,
                                        44275.0 / 110592, 253.0 / 4096}};
  /// Weights of the slopes in the result of order 5.
  Kokkos::Array<double, stages> weights = {{37.0 / 378, 0, 250.0 / 621, 125.0 / 594, 0, 512.0 / 1771}};
  /// Weights of the slopes in the result of order 4, which serves to estimate the error.
  Kokkos::Array<double, stages> lower = {{2825.0 / 27648, 0, 18575.0 / 48384, 13525.0 / 55296, 277.0 / 14336, 1.0 / 4}};
};

/// Result of a step of a Runge–Kutta pair.
template <class System>
struct OdeStep {
  OdeState<System> state;  ///< state after the step
  OdeState<System> error;  ///< difference between the results of the two orders
};

/// One step of length `step` from `from`.
template <class System>
KOKKOS_INLINE_FUNCTION OdeStep<System> runge_kutta_step(const System& system, const OdeState<System>& from, double step,
                                                        const CashKarpPair& pair = {}) {
  OdeState<System> slopes[CashKarpPair::stages];
  for (int stage = 0; stage < CashKarpPair::stages; ++stage) {
    OdeState<System> at = from;
    for (int k = 0; k < stage; ++k) {
      for (std::size_t i = 0; i < System::size; ++i) {
        at[i] += step * pair.earlier[static_cast<std::size_t>(stage * (stage - 1) / 2 + k)] * slopes[k][i];
      }
    }
    slopes[stage] = system(at);
  }
  OdeStep<System> found = {from, {}};
  for (std::size_t k = 0; k < CashKarpPair::stages; ++k) {
    for (std::size_t i = 0; i < System::size; ++i) {
      found.state[i] += step * pair.weights[k] * slopes[k][i];
      found.error[i] += step * (pair.weights[k] - pair.lower[k]) * slopes[k][i];
    }
  }
  return found;
}

/// State after `duration`. The estimated error of each step and variable y is at most `tolerance` (1 + |y|): a step
/// with a larger error is repeated with half its length, down to 2⁻²⁰ of the duration, and a small error doubles the
/// next step. There are only additions, multiplications, divisions and comparisons, so the result has the same bits on
/// every backend.
template <class System>
KOKKOS_INLINE_FUNCTION OdeState<System> integrate(const System& system, OdeState<System> state, double duration,
                                                  double tolerance) {
  double left = duration, step = duration;
  while (left > 0) {
    const bool is_last = step >= left;
    const double now = is_last ? left : step;
    const OdeStep<System> next = runge_kutta_step(system, state, now);
    double error = 0;
    for (std::size_t i = 0; i < System::size; ++i) {
      const double size = next.state[i] < 0 ? -next.state[i] : next.state[i];
      const double of_variable = (next.error[i] < 0 ? -next.error[i] : next.error[i]) / (tolerance * (1 + size));
      if (of_variable > error) error = of_variable;
    }
    if (error > 1 && now > duration * 0x1p-20) {
      step = now / 2;
      continue;
    }
    state = next.state;
    left = is_last ? 0 : left - now;
    if (error < 1.0 / 64) step = 2 * now;  // a step of twice the length has about 2⁵ times the error
  }
  return state;
}

/// The genes that decide whether a B cell stays in the germinal centre or becomes a plasma cell: levels of BLIMP1, BCL6
/// and IRF4, by Martínez et al. (2012), Quantitative modeling of the terminal differentiation of B cells and mechanisms
/// of lymphomagenesis. Lee (2012) describes the states of cells by differential equations and prints none; these are
/// our choice. Without signals, IRF4 has the stable levels 1/5 and (5 + √17)/4.
struct BCellNetwork {
  static constexpr std::size_t size = 3;  ///< BLIMP1, BCL6 and IRF4, in this order
  double time_unit = 240;                 ///< min: time in which a level decays to 1/e of its value
  double receptor = 0;                    ///< strength of the signal of the B cell receptor, which degrades BCL6
  double cd40 = 0;                        ///< strength of the signal of CD40, which induces IRF4

  /// Change of the levels per minute.
  KOKKOS_INLINE_FUNCTION OdeState<BCellNetwork> operator()(const OdeState<BCellNetwork>& levels) const {
    const double blimp1 = levels[0], bcl6 = levels[1], irf4 = levels[2], rate = 1 / time_unit;
    const double without_blimp1 = 1 / (1 + blimp1 * blimp1), without_bcl6 = 1 / (1 + bcl6 * bcl6);
    const double without_irf4 = 1 / (1 + irf4 * irf4), with_irf4 = 1 - without_irf4;
    return {{rate * (1e-6 + 9 * without_bcl6 + 9 * with_irf4 - blimp1),
             rate * (2 + 100 * without_blimp1 * without_bcl6 * without_irf4 - (1 + receptor * without_bcl6) * bcl6),
             rate * (0.1 + 2.6 * with_irf4 + cd40 * without_bcl6 - irf4)}};
  }
};

/// States of many cells: one row for each.
template <class System, class Memory>
using CellStates = Kokkos::View<double * [System::size], Memory>;

/// Kernel that advances the state of one cell.
template <class System, class Memory>
struct CellAdvancer {
  System system;                      ///< equations of each cell
  CellStates<System, Memory> states;  ///< states that change
  double duration;                    ///< length of the time step
  double tolerance;                   ///< see `integrate`

  /// Advances a cell.
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t cell) const {
    OdeState<System> state = {};
    for (std::size_t i = 0; i < System::size; ++i) state[i] = states(cell, i);
    state = integrate(system, state, duration, tolerance);
    for (std::size_t i = 0; i < System::size; ++i) states(cell, i) = state[i];
  }
};

/// Advances all cells by `duration`. Does not block.
template <class ExecutionSpace, class System>
void advance_cells(const ExecutionSpace& space, const System& system,
                   const CellStates<System, typename ExecutionSpace::memory_space>& states, double duration,
                   double tolerance) {
  constexpr double nanoseconds = 100;  // of a step with the few variables of a cell
  for_each_index("sporos::germinal_centre::advance_cells", space, static_cast<std::int64_t>(states.extent(0)),
                 nanoseconds,
                 CellAdvancer<System, typename ExecutionSpace::memory_space>{system, states, duration, tolerance});
}

}  // namespace sporos::models
