// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <vector>

/// Conditional Monte Carlo replaces a response by its conditional expectation given a part of a replication's draws.
/// The expectation has the same mean and a smaller variance (Rao–Blackwell): it is Var E[Y | X] = Var Y − E Var[Y | X].
namespace sporos {

/// A model that can compute conditional expectations of all its responses, and describes the condition:
///
///     static constexpr std::string_view conditional_on = "the first coordinate of each point";
///     template <class Inputs>
///     KOKKOS_FUNCTION Kokkos::Array<double, N> conditioned(Inputs& inputs) const;   // draws only that part
template <class Model>
concept OffersConditional =
    SimulationModel<Model> && !WideModel<Model> && requires(const Model& model, impl::AnyInputs& inputs) {
  {std::string_view(Model::conditional_on)};
  { model.conditioned(inputs) } -> std::same_as<Kokkos::Array<double, Model::response_names.size()>>;
};

/// A model whose responses are the conditional expectations of the responses of `Model`.
template <OffersConditional Model>
struct Conditioned {
  Model model;  ///< the original model

  /// Input variables of the model.
  enum Input { input_count = static_cast<int>(Model::input_count) };

  static constexpr auto response_names = Model::response_names;  ///< names of the model's responses

  /// Calls the model's check(), if there is one.
  void check() const {
    if constexpr (impl::ChecksItself<Model>) model.check();
  }

  /// The range that the model states. It is not two-valued, because an expectation may lie anywhere between two values.
  ResponseRange response_range([[maybe_unused]] int response) const {
    if constexpr (StatesRanges<Model>) {
      ResponseRange range = model.response_range(response);
      range.is_two_valued = false;
      return range;
    } else {
      return {};
    }
  }

  /// The ratios that the model states.
  std::vector<RatioOfMeans> ratios() const { return properties_of(model).ratios; }

  /// Memory of a replication, if the model needs any.
  std::int64_t storage_bytes() const requires impl::NeedsStorage<Model> { return model.storage_bytes(); }
  /// The part of it that can be in scratch memory.
  std::int64_t scratch_bytes() const requires impl::UsesScratch<Model> { return model.scratch_bytes(); }

  /// Runs one replication and returns the conditional expectations.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, response_names.size()> operator()(Inputs& inputs) const {
    return model.conditioned(inputs);
  }
};

}  // namespace sporos
