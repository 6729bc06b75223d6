// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/sampling/inputs.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

/// Control variates from a model's own source code. Each input variable has a control: the sum over all draws of a
/// replication of its variates in standard form, minus their mean,
///
///     C = Σ (x − E[x]),   x = u, −ln u or Φ⁻¹(u).
///
/// E[C] = 0 holds exactly, even if the number of draws is random: whether the next draw is made depends only on earlier
/// draws (Wald's identity).
namespace sporos {

/// A model whose inputs serve as controls, and that names these controls:
///
///     static constexpr auto control_names = std::array{"interarrival times", "service times"};
///
/// There is one name for each input variable. The inputs should explain the responses: each control costs a degree of
/// freedom.
template <class Model>
concept NamesControls = SimulationModel<Model> && !WideModel<Model> && requires {
  {std::string_view(Model::control_names[0])};
  requires Model::control_names.size() == static_cast<std::size_t>(Model::input_count);
};

/// A model that has further controls: values that it computes during a replication and whose expectations are known.
///
///     static constexpr auto known_names = std::array{"payoff by the geometric mean"};
///     std::array<double, 1> known_means() const;                                   // called on the host
///     template <class Inputs>
///     Kokkos::Array<double, 1 + 1> with_known(Inputs& inputs) const;               // responses, then these values
template <class Model>
concept KnowsMeans = NamesControls<Model> && requires(const Model& model) {
  {std::string_view(Model::known_names[0])};
  requires Model::known_names.size() == std::tuple_size_v<decltype(model.known_means())>;
};

/// Names of a model's controls: those of its inputs, followed by those that it computes.
template <NamesControls Model>
inline constexpr auto names_of_controls = Model::control_names;
/// Names of the controls of a model that computes controls in addition to those of its inputs.
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
  using Number = UniformOf<Draw>;  ///< double, or Pack in lanes

  /// Wraps `draw`; the conversion adds its variate, minus the mean, to `sum`.
  KOKKOS_FORCEINLINE_FUNCTION SummedDraw(const Draw& draw, Number& sum) : m_draw(draw), m_sum(sum) {}

  /// Draws a uniform in the open interval (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION operator Number() && {
    return static_cast<SummedDraw&&>(*this).template as<StandardUniform>();
  }

  /// Does not compile: a stored draw that is used twice would give two different numbers under one name.
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

/// The inputs of a replication, and the sum of the variates drawn from each.
template <class Inputs, int input_count>
class SummedInputs : public DrawsOfEntities<SummedInputs<Inputs, input_count>> {
 public:
  using Draw = SummedDraw<decltype(std::declval<Inputs&>()(0))>;  ///< type of a pending draw

  /// Wraps `inputs`, with sums of 0.
  KOKKOS_FORCEINLINE_FUNCTION explicit SummedInputs(Inputs& inputs) : m_inputs(inputs) {
    for (int input = 0; input < input_count; ++input) m_sums[input] = 0.0;
  }

  SummedInputs(const SummedInputs&) = delete;
  SummedInputs& operator=(const SummedInputs&) = delete;

  /// The next draw of `input`.
  KOKKOS_FORCEINLINE_FUNCTION Draw operator()(int input) { return {m_inputs(input), m_sums[input]}; }
  /// Memory of the replication; see HoldsStorage.
  KOKKOS_FORCEINLINE_FUNCTION ReplicationStorage storage() const requires(HoldsStorage<Inputs>) {
    return m_inputs.storage();
  }
  /// Draws that belong to an entity; see Inputs.
  KOKKOS_FORCEINLINE_FUNCTION DrawPair<SummedDraw<EntityDraw>> pair_of(std::uint64_t entity, int input,
                                                                       std::uint64_t pair) {
    const auto draws = m_inputs.pair_of(entity, input, pair);
    return {{EntityDraw(draws.first()), m_sums[input]}, {EntityDraw(draws.second()), m_sums[input]}};
  }

  /// Sum of the variates, minus their means, drawn from `input` so far.
  KOKKOS_FORCEINLINE_FUNCTION const typename Draw::Number& sum(int input) const { return m_sums[input]; }

 private:
  Inputs& m_inputs;
  typename Draw::Number m_sums[input_count];
};

/// A model whose responses are those of `Model`, with the same bits, followed by its controls.
template <NamesControls Model>
struct WithControls {
  Model model;  ///< the original model

  /// Input variables of the model.
  enum Input { input_count = static_cast<int>(Model::input_count) };

  /// Names of the model's responses, then of the controls.
  static constexpr auto response_names = [] {
    constexpr std::size_t responses = Model::response_names.size();
    std::array<const char*, responses + names_of_controls<Model>.size()> names{};
    for (std::size_t i = 0; i < responses; ++i) names[i] = Model::response_names[i];
    for (std::size_t i = responses; i < names.size(); ++i) names[i] = names_of_controls<Model>[i - responses];
    return names;
  }();
  /// Number of responses, those of the model and the controls.
  static constexpr int all_count = static_cast<int>(response_names.size());

  /// Calls the model's check(), if there is one.
  void check() const {
    if constexpr (impl::ChecksItself<Model>) model.check();
  }

  /// The range that the model states for a response; unbounded for controls.
  ResponseRange response_range([[maybe_unused]] int response) const {
    if constexpr (StatesRanges<Model>) {
      if (response < response_count<Model>) return model.response_range(response);
    }
    return {};
  }

  /// The ratios that the model states.
  std::vector<RatioOfMeans> ratios() const { return properties_of(model).ratios; }

  /// The numbers of draws that the model states.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, input_count> input_draws() const { return impl::draws_of(model); }

  /// Memory of a replication, if the model needs any.
  std::int64_t storage_bytes() const requires impl::NeedsStorage<Model> { return model.storage_bytes(); }
  /// The part of it that can be in scratch memory.
  std::int64_t scratch_bytes() const requires impl::UsesScratch<Model> { return model.scratch_bytes(); }

  /// Whether the model runs in lanes.
  KOKKOS_FUNCTION bool runs_in_lanes() const requires(impl::SaysWhetherInLanes<Model>) { return model.runs_in_lanes(); }

  /// Runs one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs>, all_count> operator()(Inputs& inputs) const {
    SummedInputs<Inputs, input_count> summed(inputs);
    const auto found = computed(summed);
    constexpr int responses = response_count<Model>;
    Kokkos::Array<NumberIn<Inputs>, all_count> all;
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
