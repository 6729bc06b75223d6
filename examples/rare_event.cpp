// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An event too rare to be observed: two machines in line have room for fewer than 30 parts in total. With what
// probability does the line overflow before it is empty again? The exact answer, from linear equations, is 3.88e-14.
#include <sporos/procedures/rare_events/splitting.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstdio>

struct Line {
  struct State {
    std::int32_t first, second;  // parts at each machine
  };
  enum Input { event, input_count };
  double arrivals, first_rate, second_rate;  // per hour

  template <class Inputs>
  KOKKOS_FUNCTION State start(Inputs&) const {
    return {1, 0};
  }

  template <class Inputs>
  KOKKOS_FUNCTION void step(State& state, Inputs& inputs) const {
    const double next = inputs(event) * (arrivals + first_rate + second_rate);
    if (next < arrivals) {
      ++state.first;
    } else if (next < arrivals + first_rate) {
      if (state.first > 0) --state.first, ++state.second;
    } else if (state.second > 0) {
      --state.second;
    }
  }

  KOKKOS_FUNCTION double level(const State& state) const { return state.first + state.second; }
  KOKKOS_FUNCTION bool is_over(const State& state) const { return state.first + state.second == 0; }
};

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const sporos::SplittingResult overflow = sporos::split(Kokkos::DefaultExecutionSpace(), Line{1, 3, 4}, 30);
  std::printf("the line overflows with probability %.2e +- %.0e before it is empty again\n", overflow.probability,
              overflow.half_width);
  std::printf("%zu levels; to see it once takes about %.0e busy periods\n", overflow.levels.size(),
              1 / overflow.probability);
}
