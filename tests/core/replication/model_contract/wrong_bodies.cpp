// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong bodies, which are function objects of the user that run in each replication.
#include <sporos/core/replication/for_each_replication.hpp>

struct Coin {
  enum Input { side, input_count };
};

using Space = Kokkos::DefaultExecutionSpace;

// expected: a replicated model must name its input variables
struct NoInputs {};

// expected: the body of replications must be callable with the design's model and any inputs
struct TakesNoReplication {
  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Coin&, Inputs&) const {}
};
struct IsNotConst {
  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Coin&, Inputs&, const sporos::Replication&) {}
};

// expected: a draw must be used once, where it is made
struct KeepsADraw {
  template <class Model, class Inputs>
  KOKKOS_FUNCTION void operator()(const Model&, Inputs& inputs, const sporos::Replication&) const {
    const auto draw = inputs(Coin::side);
    if (draw > 0.5) Kokkos::abort("heads");
  }
};

template <class Model, class Body>
void run(const Model& model, const Body& body) {
  sporos::for_each_replication_with<sporos::DefaultSource>("wrong", Space(), sporos::Design<Model, Space>(model, 1), {},
                                                           {0, 1}, sporos::Mapping::thread, body);
}

void run_all() {
  run(NoInputs(), KeepsADraw());
  run(Coin(), TakesNoReplication());
  run(Coin(), IsNotConst());
  run(Coin(), KeepsADraw());
}
