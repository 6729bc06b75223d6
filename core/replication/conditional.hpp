// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <vector>

/// Conditional Monte Carlo: in the place of a response its expectation given a part of what a replication draws. That
/// has the response's mean and less variance (Rao and Blackwell): Var E[Y | X] = Var Y − E Var[Y | X].
namespace sporos {

/// A model that knows such expectations of all its responses, and says what they are given:
///
///     static constexpr std::string_view conditional_on = "the first coordinate of each point";
///     template <class Inputs>
///     KOKKOS_FUNCTION Kokkos::Array<double, N> conditioned(Inputs& inputs) const;   // draws that part alone
template <class Model>
concept OffersConditional =
    SimulationModel<Model> && !WideModel<Model> && requires(const Model& model, impl::AnyInputs& inputs) {
  {std::string_view(Model::conditional_on)};
  { model.conditioned(inputs) } -> std::same_as<Kokkos::Array<double, Model::response_names.size()>>;
};

/// A model whose responses are the conditional expectations of `Model`'s.
template <OffersConditional Model>
struct Conditioned {
  Model model;  ///< the model itself

  /// Those of the model.
  enum Input { input_count = static_cast<int>(Model::input_count) };

  static constexpr auto response_names = Model::response_names;  ///< those of the model

  /// Of the model, as that says.
  void check() const {
    if constexpr (impl::ChecksItself<Model>) model.check();
  }

  /// As the model states; of two values the expectation may lie anywhere between.
  ResponseRange response_range([[maybe_unused]] int response) const {
    if constexpr (StatesRanges<Model>) {
      ResponseRange range = model.response_range(response);
      range.is_two_valued = false;
      return range;
    } else {
      return {};
    }
  }

  /// As the model states.
  std::vector<RatioOfMeans> ratios() const { return properties_of(model).ratios; }

  /// One replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, response_names.size()> operator()(Inputs& inputs) const {
    return model.conditioned(inputs);
  }
};

}  // namespace sporos
