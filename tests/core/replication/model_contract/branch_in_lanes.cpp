// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model that declares to run in lanes but branches on its numbers gives a readable error.
#include <sporos/core/replication/experiment.hpp>

#include <array>

// expected: in lanes a comparison has one result for each replication
struct Branches {
  enum Input { service, input_count };
  static constexpr auto response_names = std::array{"wait"};
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<sporos::NumberIn<Inputs>, 1> operator()(Inputs& inputs) const {
    sporos::NumberIn<Inputs> wait = inputs(service);
    if (wait > 0.5) wait = 1.0;
    return {{wait}};
  }
};

void run_all() { sporos::simulate(Kokkos::DefaultExecutionSpace(), Branches(), sporos::Plan()); }
