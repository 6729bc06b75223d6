// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace sporos {

/// Markov chain whose steps are members of a model, as they are in models that are translated from Python. It is a
/// chain for rare events (core/replication/markov_chain.hpp) and for array-RQMC (core/replication/array_chain.hpp).
///
///     struct ChainState {
///       double level;  // level, which is also the response and the key of array-RQMC
///       bool is_over;
///     };
///     template <class Inputs>
///     ChainState start_chain(Inputs& inputs) const;
///     template <class Inputs>
///     void step_chain(ChainState& state, Inputs& inputs) const;
///     void update_level(ChainState& state) const;  // sets `level` and `is_over` after the start and after each step
///     sporos::MemberChain<Model> chain() const { return {*this}; }
template <class Model>
struct MemberChain {
  Model model;  ///< the model, with its parameters

  /// State of the chain.
  using State = typename Model::ChainState;
  /// Input variables, those of the model.
  enum Input { input_count = static_cast<int>(Model::input_count) };

  /// Inputs of a chain that starts without draws.
  struct NoInputs {};

  /// Returns the first state.
  template <class Inputs>
  KOKKOS_FUNCTION State start(Inputs& inputs) const {
    State state = model.start_chain(inputs);
    model.update_level(state);
    return state;
  }
  /// Returns the first state of a chain that starts without draws.
  KOKKOS_FUNCTION State start() const {
    NoInputs none;
    return start(none);
  }
  /// Simulates a step.
  template <class Inputs>
  KOKKOS_FUNCTION void step(State& state, Inputs& inputs) const {
    model.step_chain(state, inputs);
    model.update_level(state);
  }
  /// Returns the level of a state; a NaN if the chain has failed.
  KOKKOS_FUNCTION double level(const State& state) const { return state.level; }
  /// Whether the chain ends in this state.
  KOKKOS_FUNCTION bool is_over(const State& state) const { return state.is_over; }
  /// Returns the key by which array-RQMC sorts chains.
  KOKKOS_FUNCTION double key(const State& state) const { return state.level; }
  /// Returns the observed response.
  KOKKOS_FUNCTION double response(const State& state) const { return state.level; }
};

}  // namespace sporos
