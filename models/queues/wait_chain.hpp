// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::models {

/// The wait of the customers of an M/M/1 queue from empty, one after the other (Lindley's recursion): after n steps
/// that of customer n + 1.
struct WaitChain {
  double arrival_rate;  ///< λ > 0
  double service_rate;  ///< μ > 0

  /// One draw of each a step.
  enum Input { interarrival, service, input_count };
  /// Of the latest customer.
  struct State {
    double wait;  ///< in the queue
  };

  /// The first one does not wait.
  KOKKOS_FUNCTION State start() const { return {0}; }
  /// The next one.
  template <class Inputs>
  KOKKOS_FUNCTION void step(State& state, Inputs& inputs) const {
    const double stay = state.wait + exponential(inputs(service), service_rate);
    const double next = stay - exponential(inputs(interarrival), arrival_rate);
    state.wait = next > 0 ? next : 0.0;
  }
  /// By which chains are sorted.
  KOKKOS_FUNCTION double key(const State& state) const { return state.wait; }
  /// What is observed.
  KOKKOS_FUNCTION double response(const State& state) const { return state.wait; }
};

}  // namespace sporos::models
