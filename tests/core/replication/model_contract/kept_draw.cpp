// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a draw must be used once, where it is made
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/replication/experiment.hpp>

#include <array>

struct KeepsADraw {
  enum Input { service, input_count };
  static constexpr auto response_names = std::array{"wait"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    const auto draw = inputs(service);  // each use of the name would be another number
    return {{draw * draw}};
  }
};

struct GivesADrawToADistribution : KeepsADraw {
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    auto draw = inputs(service);
    return {{sporos::exponential(draw, 1.0)}};
  }
};

void run_all() {
  sporos::simulate(Kokkos::DefaultExecutionSpace(), KeepsADraw(), sporos::Plan());
  sporos::simulate(Kokkos::DefaultExecutionSpace(), GivesADrawToADistribution(), sporos::Plan());
}
