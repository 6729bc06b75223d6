// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/sampling/inputs.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

/// Control variates from a model's own text: of each input variable the sum of its variates in standard form less their
/// mean, over all draws of a replication,
///
///     C = Σ (x − E[x]),   x = u, −ln u or Φ⁻¹(u).
///
/// E[C] = 0 exactly, also where the number of draws is random: whether the next one is made depends on earlier ones
/// alone (Wald's identity).
namespace sporos {

/// A model whose inputs serve as controls, and that says what these are called:
///
///     static constexpr auto control_names = std::array{"interarrival times", "service times"};
///
/// one of each input variable. The inputs should explain the responses: each control costs a degree of freedom.
template <class Model>
concept NamesControls = SimulationModel<Model> && !WideModel<Model> && requires {
  {std::string_view(Model::control_names[0])};
  requires Model::control_names.size() == static_cast<std::size_t>(Model::input_count);
};

/// A model that knows the expectations of more that it computes on the way, which are controls, too:
///
///     static constexpr auto known_names = std::array{"payoff by the geometric mean"};
///     std::array<double, 1> known_means() const;                                   // not for kernels
///     template <class Inputs>
///     Kokkos::Array<double, 1 + 1> with_known(Inputs& inputs) const;               // its responses, then these
template <class Model>
concept KnowsMeans = NamesControls<Model> && requires(const Model& model) {
  {std::string_view(Model::known_names[0])};
  requires Model::known_names.size() == std::tuple_size_v<decltype(model.known_means())>;
};

/// The controls of a model: those of its inputs, and behind them those that it computes.
template <NamesControls Model>
inline constexpr auto names_of_controls = Model::control_names;
/// The same of a model that computes some.
template <KnowsMeans Model>
inline constexpr auto names_of_controls<Model> = [] {
  constexpr std::size_t inputs = Model::control_names.size();
  std::array<const char*, inputs + Model::known_names.size()> names{};
  for (std::size_t i = 0; i < inputs; ++i) names[i] = Model::control_names[i];
  for (std::size_t i = inputs; i < names.size(); ++i) names[i] = Model::known_names[i - inputs];
  return names;
}();

namespace impl {

template <class Form>
inline constexpr double mean_of_form = 0;  // StandardNormal
template <>
inline constexpr double mean_of_form<StandardUniform> = 0.5;
template <>
inline constexpr double mean_of_form<StandardExponential> = 1;

}  // namespace impl

/// A pending draw and the sum to which its variate is added.
template <class Draw>
class SummedDraw {
 public:
  using Number = UniformOf<Draw>;  ///< double, or in lanes Pack

  /// Of `draw`, adding to `sum`.
  KOKKOS_FORCEINLINE_FUNCTION SummedDraw(const Draw& draw, Number& sum) : m_draw(draw), m_sum(sum) {}

  /// Draws a uniform in the open interval (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION operator Number() && {
    return static_cast<SummedDraw&&>(*this).template as<StandardUniform>();
  }

  /// Does not compile, as of any draw.
  SPOROS_UNAVAILABLE(SPOROS_KEPT_DRAW) KOKKOS_FUNCTION operator Number() const&;

  /// Draws a variate of standard form `Form`.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION Number as() && {
    const Number x = static_cast<Draw&&>(m_draw).template as<Form>();
    m_sum = m_sum + (x - impl::mean_of_form<Form>);
    return x;
  }

 private:
  Draw m_draw;
  Number& m_sum;
};

/// The inputs of a replication, and the sums of what is drawn from each.
template <class Inputs, int input_count>
class SummedInputs {
 public:
  using Draw = SummedDraw<decltype(std::declval<Inputs&>()(0))>;  ///< of each input

  /// Draws from `inputs`.
  KOKKOS_FORCEINLINE_FUNCTION explicit SummedInputs(Inputs& inputs) : m_inputs(inputs) {
    for (int input = 0; input < input_count; ++input) m_sums[input] = 0.0;
  }

  SummedInputs(const SummedInputs&) = delete;
  SummedInputs& operator=(const SummedInputs&) = delete;

  /// The next draw of `input`.
  KOKKOS_FORCEINLINE_FUNCTION Draw operator()(int input) { return {m_inputs(input), m_sums[input]}; }

  /// Of the draws of `input` so far.
  KOKKOS_FORCEINLINE_FUNCTION const typename Draw::Number& sum(int input) const { return m_sums[input]; }

 private:
  Inputs& m_inputs;
  typename Draw::Number m_sums[input_count];
};

/// A model whose responses are those of `Model`, to the last bit, and behind them its controls.
template <NamesControls Model>
struct WithControls {
  Model model;  ///< the model itself

  /// Those of the model.
  enum Input { input_count = static_cast<int>(Model::input_count) };

  /// Names of the model's responses, then of the controls.
  static constexpr auto response_names = [] {
    constexpr std::size_t responses = Model::response_names.size();
    std::array<const char*, responses + names_of_controls<Model>.size()> names{};
    for (std::size_t i = 0; i < responses; ++i) names[i] = Model::response_names[i];
    for (std::size_t i = responses; i < names.size(); ++i) names[i] = names_of_controls<Model>[i - responses];
    return names;
  }();

  /// Of the model, as that says.
  void check() const {
    if constexpr (impl::ChecksItself<Model>) model.check();
  }

  /// As the model states; nothing is known of controls.
  ResponseRange response_range([[maybe_unused]] int response) const {
    if constexpr (StatesRanges<Model>) {
      if (response < response_count<Model>) return model.response_range(response);
    }
    return {};
  }

  /// Of the model's responses.
  std::vector<RatioOfMeans> ratios() const { return properties_of(model).ratios; }

  /// As the model states.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, input_count> input_draws() const { return impl::draws_of(model); }

  /// As the model says.
  KOKKOS_FUNCTION bool runs_in_lanes() const requires(impl::SaysWhetherInLanes<Model>) { return model.runs_in_lanes(); }

  /// One replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs>, response_names.size()> operator()(Inputs& inputs) const {
    SummedInputs<Inputs, input_count> summed(inputs);
    const auto found = computed(summed);
    constexpr int responses = response_count<Model>;
    constexpr int all_count = static_cast<int>(response_names.size());
    Kokkos::Array<NumberIn<Inputs>, response_names.size()> all;
    for (int i = 0; i < responses; ++i) all[i] = found[i];
    for (int i = 0; i < input_count; ++i) all[responses + i] = summed.sum(i);
    for (int i = responses + input_count; i < all_count; ++i) all[i] = found[i - input_count];
    return all;
  }

 private:
  template <class Inputs>
  KOKKOS_FORCEINLINE_FUNCTION auto computed(Inputs& inputs) const {
    if constexpr (KnowsMeans<Model>) {
      return model.with_known(inputs);
    } else {
      return model(inputs);
    }
  }
};

}  // namespace sporos
