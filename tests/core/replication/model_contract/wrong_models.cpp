// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each violation of the model contract gives one readable sentence.
#include <sporos/core/replication/experiment.hpp>

#include <array>
#include <concepts>
#include <list>
#include <string>
#include <vector>

struct Right {
  enum Input { service, input_count };
  static constexpr auto response_names = std::array{"wait"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{inputs(service)}};
  }
};

struct RightAndWide {
  enum Input { service, input_count };
  KOKKOS_FUNCTION int response_count() const { return 1; }
  std::string response_name(int) const { return "wait"; }

  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
    responses.set(0, inputs(service));
  }
};

// expected: a model must be a trivially copyable class
struct NotCopyable : Right {
  std::vector<double> rates;
};

// expected: a model must name its input variables
struct NoInputs {
  enum Input { service };
  static constexpr auto response_names = std::array{"wait"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{inputs(service)}};
  }
};

// expected: make the enum of input variables unscoped
struct ScopedInputs {
  enum class Input { service, input_count };
  static constexpr auto response_names = std::array{"wait"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{inputs(Input::service)}};
  }
};

// expected: inputs are used by reference
struct InputsByValue : Right {
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs inputs) const {
    return {{inputs(service)}};
  }
};
struct WideInputsByValue : RightAndWide {
  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs inputs, Responses& responses) const {
    responses.set(0, inputs(service));
  }
};

// expected: a model must name its responses
struct NoResponses {
  enum Input { service, input_count };

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{inputs(service)}};
  }
};

// expected: a model must be callable with any inputs and be const
struct NotConst : Right {
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) {
    return {{inputs(service)}};
  }
};

// expected: a model's call must return Kokkos::Array<double, N>
struct WrongReturn : Right {
  template <class Inputs>
  KOKKOS_FUNCTION double operator()(Inputs& inputs) const {
    return inputs(service);
  }
};

// expected: a model's call must return one value for each of its response_names
struct TooFewValues : Right {
  static constexpr auto response_names = std::array{"wait", "idle time"};
};

// expected: a model with a response_count() must name its responses
struct WideUnnamed : RightAndWide {
  void response_name();
};

// expected: a model with a response_count() must be callable with any inputs and responses and be const
struct WideNotConst : RightAndWide {
  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) {
    responses.set(0, inputs(service));
  }
};

// expected: a model that states its draws must do so for each input
struct DrawsOfAnotherType : Right {
  KOKKOS_FUNCTION Kokkos::Array<int, input_count> input_draws() const { return {{1}}; }
};
struct DrawsOfTooMany : Right {
  KOKKOS_FUNCTION Kokkos::Array<sporos::InputDraws, 2> input_draws() const { return {}; }
};
struct DrawsNotConst : Right {
  KOKKOS_FUNCTION Kokkos::Array<sporos::InputDraws, input_count> input_draws() { return {}; }
};

// expected: a model that checks its parameters must do so by: void check() const
struct CheckNotConst : Right {
  void check() {}
};
struct CheckStatic : Right {
  static void check() {}
};
struct CheckOfArgument : Right {
  static void check(const Right&) {}
};
struct CheckMisspelled : Right {
  void checks() const {}
};

// expected: a model must declare whether its replications may run in lanes by
struct SaysLanesNotConst : Right {
  KOKKOS_FUNCTION bool runs_in_lanes() { return true; }
};
struct SaysLanesByAConstant : Right {
  static constexpr bool runs_in_lanes = true;
};

// expected: a model that runs in lanes must compute in sporos::NumberIn<Inputs> where it draws
struct GivesOneNumberForAllLanes : Right {
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }
};
struct WideGivesOneNumber : RightAndWide {
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  template <class Inputs, class Responses>
  requires std::convertible_to < sporos::NumberIn<Inputs>,
  double > KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
    responses.set(0, inputs(service));
  }
};

// expected: simulate takes a model or a contiguous range of models
using Scattered = std::list<Right>;

template <class Models>
void run(const Models& models) {
  sporos::simulate(Kokkos::DefaultExecutionSpace(), models, sporos::Plan());
}

void run_all() {
  sporos::simulate(Kokkos::DefaultExecutionSpace(), NotCopyable(), sporos::Plan());
  run(std::vector<NoInputs>(2));
  run(std::array<NoResponses, 2>());
  run(NotConst());
  run(ScopedInputs());
  run(InputsByValue());
  run(WideInputsByValue());
  run(WrongReturn());
  run(TooFewValues());
  run(WideUnnamed());
  run(WideNotConst());
  run(DrawsOfAnotherType());
  run(DrawsOfTooMany());
  run(DrawsNotConst());
  run(CheckNotConst());
  run(CheckStatic());
  run(CheckOfArgument());
  run(CheckMisspelled());
  run(SaysLanesNotConst());
  run(SaysLanesByAConstant());
  run(GivesOneNumberForAllLanes());
  run(WideGivesOneNumber());
  run(Scattered(2));
}
