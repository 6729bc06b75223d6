// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/convert_members.hpp>
#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/sampling/inputs.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Pathwise derivatives of a model's responses by its parameters, from the model's own text, where that is a template
/// over its number type:
///
///     template <class Real = double>
///     struct BasicQueue {
///       Real arrival_rate, service_rate;   // may be differentiated by
///       std::int64_t customers;            // may not
///       const double* prices;              // no parameter: keeps its value
///       static constexpr auto parameters() { return std::tuple{Parameter<BasicQueue, Real>{"arrival_rate", …}, …}; }
///       template <class Inputs>
///       KOKKOS_FUNCTION Kokkos::Array<Real, 1> operator()(Inputs& inputs) const;
///       …
///     };
///     using Queue = BasicQueue<>;
///
/// All data members are taken to the model in duals: parameters, constants, pointers, arrays and structs of these. A
/// model whose members cannot be named (it has private ones or a base class) or cannot be converted (`const Real*`) is
/// refused by the compiler, unless it has a converting constructor:
///
///     template <class Other> explicit BasicQueue(const BasicQueue<Other>& other);
///
/// With a Dual in the place of Real a replication gives its responses and their derivatives at the same random numbers.
/// Their mean is the derivative of the mean where responses are continuous in the parameter with probability 1, and
/// are not too steep (Glasserman: Gradient estimation via perturbation analysis, 1991); where a response jumps, it is
/// not: see likelihood_ratio.hpp.
namespace sporos {

namespace impl {

template <class Model, class Real>
struct WithReal;
template <template <class> class Model, class Old, class Real>
struct WithReal<Model<Old>, Real> {
  using type = Model<Real>;
};

template <class Model>
inline constexpr bool is_in_duals = false;
template <template <class> class Model, DualNumber Real>
inline constexpr bool is_in_duals<Model<Real>> = true;

// On an H200 the activity network in 13 directions takes 0.64 ns with 128 registers a thread and 0.78 ns with 80; in 7
// directions it is the same.
template <template <class> class Model, int directions, class Real>
inline constexpr unsigned blocks_at_once<Model<Dual<directions, Real>>> = directions > 7 ? 4 : 6;

}  // namespace impl

/// A model over another number type.
template <class Model, class Real>
using ModelOver = typename impl::WithReal<Model, Real>::type;

/// A model that describes its parameters and whose source code is a template over its number type.
template <class Model>
concept DifferentiableModel = SimulationModel<Model> && !WideModel<Model> && requires {
  typename ModelOver<Model, Dual<1>>;
  {Model::parameters()};
};

/// Names of the parameters by which a model can be differentiated, in the order of its description.
template <DifferentiableModel Model>
std::vector<std::string_view> differentiable_parameters() {
  std::vector<std::string_view> names;
  for_each_parameter<Model>([&]<class Value>(const Parameter<Model, Value>& parameter) {
    if constexpr (std::is_same_v<Value, double>) names.push_back(parameter.name);
  });
  return names;
}

namespace impl {

enum class ConversionLack { none, members };

// Whether a model has a constructor for this. An aggregate has none: what looks like one makes its base class only.
template <class Model, class Over>
concept ConvertsItself = !std::is_aggregate_v<Over> && std::is_constructible_v<Over, const Model&>;

// The reason why a model cannot be converted to dual numbers, as an argument of check_contract.
template <class Model>
constexpr auto lack_of_conversion() {
  using Over = ModelOver<Model, Dual<1>>;
  if constexpr (ConvertsItself<Model, Over> || can_convert_members<Model, Over>()) {
    return Lacks<ConversionLack::none>();
  } else {
    return Lacks<ConversionLack::members>();
  }
}

inline void check_contract(Lacks<ConversionLack::none>) {}
SPOROS_TELL(
    ConversionLack::members,
    "Sporos: a model with derivatives is converted to dual numbers member by member: give it public data members, no "
    "base class, and no pointer to Real, or a constructor: template <class Other> explicit Model(const Model<Other>&)");

}  // namespace impl

/// `model` over the number type `Real`, with the same values of all data members; none varies along any direction.
template <class Real, DifferentiableModel Model>
ModelOver<Model, Real> over(const Model& model) {
  using Over = ModelOver<Model, Real>;
  impl::check_contract(impl::lack_of_conversion<Model>());
  if constexpr (impl::ConvertsItself<Model, Over>) {
    return Over(model);
  } else {
    Over result{};
    if constexpr (impl::can_convert_members<Model, Over>()) impl::convert_members(model, result);
    return result;
  }
}

/// `model` in duals: its parameter `names[j]` has slope 1 along direction j. `Inner` is the number type of the duals'
/// values. @throws std::invalid_argument for a name that no differentiable parameter has, and for more names than
/// directions.
template <int directions, class Inner = double, DifferentiableModel Model>
ModelOver<Model, Dual<directions, Inner>> along(const Model& model, std::span<const std::string> names) {
  using Real = Dual<directions, Inner>;
  using Over = ModelOver<Model, Real>;
  if (names.size() > static_cast<std::size_t>(directions)) {
    throw std::invalid_argument(std::to_string(names.size()) + " parameters to differentiate by, expected at most " +
                                std::to_string(directions));
  }
  Over result = over<Real>(model);
  for (std::size_t direction = 0; direction < names.size(); ++direction) {
    bool is_found = false;
    for_each_parameter<Over>([&]<class Value>(const Parameter<Over, Value>& parameter) {
      if constexpr (std::is_same_v<Value, Real>) {
        if (parameter.name != names[direction]) return;
        (result.*parameter.member).slope[static_cast<int>(direction)] = 1.0;
        is_found = true;
      }
    });
    if (is_found) continue;
    std::string expected;
    for (const std::string_view name : differentiable_parameters<Model>()) {
      expected += (expected.empty() ? "" : ", ") + std::string(name);
    }
    throw std::invalid_argument("parameter '" + names[direction] + "' has no derivatives, expected one of " + expected);
  }
  return result;
}

/// A model's responses and their derivatives by `directions` parameters, estimated by `Estimator`, as one model:
/// response r + responses · j is the derivative of response r by the j-th parameter, j from 1. All are of what a
/// replication returns, also where the model's own estimate is a ratio of means.
template <class Estimator, DifferentiableModel Model, int directions>
class WithDerivatives {
 public:
  /// Those of the model.
  enum Input { input_count = static_cast<int>(Model::input_count) };

  /// For arrays; runs nothing.
  WithDerivatives() = default;

  /// Derivatives of `model` by the parameters `names`, as many as directions. @throws std::invalid_argument as `along`.
  WithDerivatives(const Model& model, const std::array<std::string, directions>& names)
      : m_model(model), m_dual(along<directions>(model, names)) {
    impl::check_contract(impl::lack_of_conversion<Model>());
    for (int j = 0; j < directions; ++j) m_names[j] = name_of(names[static_cast<std::size_t>(j)]);
  }

  /// Of the model, as that says.
  void check() const {
    if constexpr (impl::ChecksItself<Model>) m_model.check();
  }

  /// As the model states.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, input_count> input_draws() const { return impl::draws_of(m_model); }

  /// As the model, for estimators that take packs.
  KOKKOS_FUNCTION bool runs_in_lanes() const requires(impl::SaysWhetherInLanes<Model>&& Estimator::takes_packs) {
    return m_model.runs_in_lanes();
  }

  /// (1 + directions) · responses of the model.
  KOKKOS_FUNCTION int response_count() const { return (1 + directions) * responses; }

  /// "RESPONSE", then "d RESPONSE / d PARAMETER".
  std::string response_name(int response) const {
    const std::string name(Model::response_names[static_cast<std::size_t>(response % responses)]);
    const int j = response / responses;
    return j == 0 ? name : "d " + name + " / d " + std::string(m_names[j - 1]);
  }

  /// One replication.
  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& written) const {
    const Kokkos::Array<NumberIn<Inputs, Dual<directions>>, static_cast<std::size_t>(responses)> found =
        Estimator::responses(m_dual, inputs);
    for (int r = 0; r < responses; ++r) {
      written.set(r, found[r].value);
      for (int j = 0; j < directions; ++j) written.set(r + responses * (1 + j), found[r].slope[j]);
    }
  }

 private:
  static constexpr int responses = sporos::response_count<Model>;

  // The parameter's own name, which lives as long as the program.
  static const char* name_of(std::string_view name) {
    for (const std::string_view own : differentiable_parameters<Model>()) {
      if (own == name) return own.data();
    }
    return "";
  }

  Model m_model;
  ModelOver<Model, Dual<directions>> m_dual;
  const char* m_names[directions];  // on the host
};

namespace impl {

template <class Estimator, class Model, int directions>
inline constexpr unsigned blocks_at_once<WithDerivatives<Estimator, Model, directions>> =
    blocks_at_once<ModelOver<Model, Dual<directions>>>;

}  // namespace impl

/// Derivatives along the path, of a model in duals.
struct PathwiseEstimator {
  static constexpr bool takes_packs = true;  ///< a model that runs in lanes does so with its derivatives
  static constexpr bool has_scores = false;  ///< that of the constant 1 is 0

  /// Responses of one replication with their derivatives.
  template <class DualModel, class Inputs>
  KOKKOS_FORCEINLINE_FUNCTION static auto responses(const DualModel& model, Inputs& inputs) {
    return model(inputs);
  }
};

/// Derivatives along the path, and derivatives of these: of a model in duals of duals. Their mean is the second
/// derivative of the mean only where first ones are continuous in the parameters with probability 1; a maximum, or
/// whoever comes first, has kinks, where they jump.
struct SecondOrderEstimator : PathwiseEstimator {};

/// A model's responses and their pathwise derivatives.
template <class Model, int directions>
using Pathwise = WithDerivatives<PathwiseEstimator, Model, directions>;

}  // namespace sporos
