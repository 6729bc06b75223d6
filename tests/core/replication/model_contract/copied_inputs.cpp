// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs must not be copied, and they are not generators for distributions of the standard library.
#include <sporos/core/replication/experiment.hpp>

#include <array>
#include <random>

struct Named {
  enum Input { service, input_count };
  static constexpr auto response_names = std::array{"wait"};
};

// expected: inputs are used by reference
struct CapturesInputs : Named {
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    const auto draw = [=]() -> double { return inputs(service); };
    return {{draw() + draw()}};
  }
};

// expected: distributions of the standard library differ between compilers and do not run on devices
struct DrawsFromInputs : Named {
  template <class Inputs>
  Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    std::exponential_distribution<> wait(1.0);
    return {{wait(inputs)}};
  }
};
struct DrawsFromAKeptDraw : Named {
  template <class Inputs>
  Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    std::normal_distribution<> wait(1.0, 2.0);
    auto draw = inputs(service);
    return {{wait(draw)}};
  }
};
struct DrawsFromADraw : Named {
  template <class Inputs>
  Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    std::exponential_distribution<> wait(1.0);
    return {{wait(inputs(service))}};
  }
};

void run_all(sporos::impl::AnyInputs& inputs) {
  sporos::simulate(Kokkos::DefaultExecutionSpace(), CapturesInputs(), sporos::Plan());
  sporos::simulate(Kokkos::DefaultExecutionSpace(), DrawsFromInputs(), sporos::Plan());
  sporos::simulate(Kokkos::DefaultExecutionSpace(), DrawsFromAKeptDraw(), sporos::Plan());
  DrawsFromADraw()(inputs);
}
