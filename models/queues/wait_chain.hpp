// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::models {

/// Waits of consecutive customers of an M/M/1 queue that starts empty (Lindley's recursion). After n steps the state is
/// the wait of customer n + 1.
struct WaitChain {
  double arrival_rate;  ///< λ > 0, arrivals per unit of time
  double service_rate;  ///< μ > 0, customers served per unit of time

  /// Input variables, each with one draw per step.
  enum Input { interarrival, service, input_count };
  /// State of the chain.
  struct State {
    double wait;  ///< wait of the latest customer in the queue
  };

  /// Returns the state of the first customer, who does not wait.
  KOKKOS_FUNCTION State start() const { return {0}; }
  /// Advances to the next customer.
  template <class Inputs>
  KOKKOS_FUNCTION void step(State& state, Inputs& inputs) const {
    const double stay = state.wait + exponential(inputs(service), service_rate);
    const double next = stay - exponential(inputs(interarrival), arrival_rate);
    state.wait = next > 0 ? next : 0.0;
  }
  /// Returns the key by which array-RQMC sorts chains.
  KOKKOS_FUNCTION double key(const State& state) const { return state.wait; }
  /// Returns the observed response.
  KOKKOS_FUNCTION double response(const State& state) const { return state.wait; }
};

}  // namespace sporos::models
