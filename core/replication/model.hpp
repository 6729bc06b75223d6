// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/sampling/inputs.hpp>

#include <Kokkos_Core.hpp>

#include <string_view>
#include <type_traits>

/// The contract of a model: a pure function of its inputs' uniforms.
///
///     struct Queue {
///       double arrival_rate, service_rate;                                        // parameters, trivially copyable
///       enum Input { interarrival, service, input_count };                        // input variables, then their count
///       static constexpr auto response_names = std::array{"time in queue"};       // what a replication observes
///       template <class Inputs>
///       KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
///         const double gap = exponential(inputs(interarrival), arrival_rate);
///         ...
///       }
///     };
namespace sporos {

namespace impl {

// Stands in for a replication's inputs where only the model's types are asked.
struct AnyDraw {
  KOKKOS_FUNCTION operator double() && { return 0.5; }
  template <class Form>
  KOKKOS_FUNCTION double as() && {
    return Form::from_uniform(0.5);
  }
};
struct AnyInputs {
  KOKKOS_FUNCTION AnyDraw operator()(int) { return {}; }
};

template <class Model>
concept NamesInputs = requires {
  { static_cast<int>(Model::input_count) } -> std::same_as<int>;
};

template <class Model>
concept NamesResponses = requires {
  {std::string_view(Model::response_names[0])};
  {Model::response_names.size()};
};

template <class Model>
concept RunsOnInputs = requires(const Model& model, AnyInputs& inputs) {
  model(inputs);
};

template <class Model>
concept GivesEachResponse = requires(const Model& model, AnyInputs& inputs) {
  { model(inputs) } -> std::same_as<Kokkos::Array<double, Model::response_names.size()>>;
};

}  // namespace impl

/// A stochastic model that Sporos can run. Where one is wanted and another type given, `check_model` says what is
/// wrong.
template <class Model>
concept SimulationModel = std::is_trivially_copyable_v<Model> && impl::NamesInputs<Model> &&
    impl::NamesResponses<Model> && impl::RunsOnInputs<Model> && impl::GivesEachResponse<Model>;

/// Compiles for models only; otherwise fails with one sentence for the first thing that the contract misses.
template <class Model>
constexpr void check_model() {
  if constexpr (!std::is_trivially_copyable_v<Model>) {
    static_assert(std::is_trivially_copyable_v<Model>,
                  "Sporos: a model must be trivially copyable, for it travels to devices byte by byte: hold numbers, "
                  "fixed arrays and raw pointers to device memory, but no Kokkos::View, std::string or std::vector");
  } else if constexpr (!impl::NamesInputs<Model>) {
    static_assert(impl::NamesInputs<Model>,
                  "Sporos: a model must name its input variables and end with their count: enum Input { "
                  "interarrival, service, input_count };");
  } else if constexpr (!impl::NamesResponses<Model>) {
    static_assert(impl::NamesResponses<Model>,
                  "Sporos: a model must name its responses: static constexpr auto response_names = "
                  "std::array{\"time in queue\", \"idle time\"};");
  } else if constexpr (!impl::RunsOnInputs<Model>) {
    static_assert(impl::RunsOnInputs<Model>,
                  "Sporos: a model must be callable with any inputs and be const: template <class Inputs> "
                  "KOKKOS_FUNCTION auto operator()(Inputs& inputs) const");
  } else {
    static_assert(impl::GivesEachResponse<Model>,
                  "Sporos: a model's call must return Kokkos::Array<double, N> with one value for each of its N "
                  "response_names");
  }
}

/// A model that knows how often a replication draws from each of its inputs, and states it:
///
///     KOKKOS_FUNCTION Kokkos::Array<InputDraws, input_count> draws() const { return {{{customers}, {customers}}}; }
///
/// Samplings whose replications share a sample need to know it.
template <class Model>
concept StatesDraws = requires(const Model& model) {
  { model.draws() } -> std::same_as<Kokkos::Array<InputDraws, static_cast<std::size_t>(Model::input_count)>>;
};

namespace impl {

// How often a replication of `model` draws from each input; 0 times where the model does not state it.
template <class Model>
KOKKOS_FORCEINLINE_FUNCTION DrawsOfInputs<static_cast<int>(Model::input_count)> draws_of(const Model& model) {
  if constexpr (StatesDraws<Model>) {
    return model.draws();
  } else {
    return {};
  }
}

}  // namespace impl

/// Number of responses of a model.
template <class Model>
inline constexpr int response_count = static_cast<int>(Model::response_names.size());

}  // namespace sporos
