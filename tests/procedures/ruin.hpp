// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace sporos::test {

/// A gambler who begins with 1 and wins games with probability `win`. The busy cycle of M/M/1 is the same chain with
/// win = λ / (λ + μ).
struct Ruin {
  struct State {
    std::int64_t money;
  };
  enum Input { game, input_count };
  double win;

  std::vector<double> uniform_cuts(int) const { return {win}; }

  template <class Inputs>
  KOKKOS_FUNCTION State start(Inputs&) const {
    return {1};
  }
  template <class Inputs>
  KOKKOS_FUNCTION void step(State& state, Inputs& inputs) const {
    state.money += inputs(game) < win ? 1 : -1;
  }
  KOKKOS_FUNCTION double level(const State& state) const { return static_cast<double>(state.money); }
  KOKKOS_FUNCTION bool is_over(const State& state) const { return state.money == 0; }

  /// Probability of reaching `money` before 0.
  double exact(int money) const {
    const double ratio = (1 - win) / win;
    return (ratio - 1) / (std::pow(ratio, money) - 1);
  }
};

}  // namespace sporos::test
