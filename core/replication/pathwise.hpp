// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/convert_members.hpp>
#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/sampling/inputs.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Pathwise derivatives of a model's responses with respect to its parameters, from the model's own source code. The
/// model must be a template over its number type:
///
///     template <class Real = double>
///     struct BasicQueue {
///       Real arrival_rate, service_rate;   // differentiable parameters
///       std::int64_t customers;            // not differentiable
///       const double* prices;              // not a parameter: keeps its value
///       static constexpr auto parameters() { return std::tuple{Parameter<BasicQueue, Real>{"arrival_rate", …}, …}; }
///       template <class Inputs>
///       KOKKOS_FUNCTION Kokkos::Array<Real, 1> operator()(Inputs& inputs) const;
///       …
///     };
///     using Queue = BasicQueue<>;
///
/// All data members are copied to the model in dual numbers: parameters, constants, pointers, arrays and structs of
/// these. A model does not compile if its members cannot be enumerated (private members or a base class) or converted
/// (`const Real*`), unless it has a converting constructor:
///
///     template <class Other> explicit BasicQueue(const BasicQueue<Other>& other);
///
/// If Real is a Dual, a replication returns its responses and their derivatives at the same random numbers. The
/// derivatives are unbiased if responses are continuous in the parameter with probability 1 and not too steep: the mean
/// of the derivatives is then the derivative of the mean (Glasserman (1991), Gradient estimation via perturbation
/// analysis). They are biased if a response jumps; see likelihood_ratio.hpp.
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

// On an H200, the activity network in 13 directions takes 0.64 ns with 128 registers per thread and 0.78 ns with 80
// registers. In 7 directions, both take the same time.
template <template <class> class Model, int directions, class Real>
inline constexpr unsigned blocks_at_once<Model<Dual<directions, Real>>> = directions > 7 ? 4 : 6;

}  // namespace impl

/// The type of a model over another number type.
template <class Model, class Real>
using ModelOver = typename impl::WithReal<Model, Real>::type;

/// A model that describes its parameters and whose source code is a template over its number type.
template <class Model>
concept DifferentiableModel = SimulationModel<Model> && !WideModel<Model> && requires {
  typename ModelOver<Model, Dual<1>>;
  {Model::parameters()};
};

/// Names of the differentiable parameters of a model, in the order of its description.
template <DifferentiableModel Model>
std::vector<std::string_view> differentiable_parameters() {
  std::vector<std::string_view> names;
  for_each_parameter<Model>([&]<class Value>(const Parameter<Model, Value>& parameter) {
    if constexpr (std::is_same_v<Value, double>) names.push_back(parameter.name);
  });
  return names;
}

namespace impl {

enum class ConversionRequirement { none, members };

// Whether `Over` has a constructor from `Model`. An aggregate has none: an apparent one only initializes its base
// class.
template <class Model, class Over>
concept ConvertsItself = !std::is_aggregate_v<Over> && std::is_constructible_v<Over, const Model&>;

// The reason why a model cannot be converted to dual numbers, as an argument of check_contract.
template <class Model>
constexpr auto unmet_conversion_requirement() {
  using Over = ModelOver<Model, Dual<1>>;
  if constexpr (ConvertsItself<Model, Over> || can_convert_members<Model, Over>()) {
    return Unmet<ConversionRequirement::none>();
  } else {
    return Unmet<ConversionRequirement::members>();
  }
}

inline void check_contract(Unmet<ConversionRequirement::none>) {}
SPOROS_REQUIREMENT(
    ConversionRequirement::members,
    "Sporos: a model with derivatives is converted to dual numbers member by member: give it public data members, no "
    "base class, and no pointer to Real, or a constructor: template <class Other> explicit Model(const Model<Other>&)");

}  // namespace impl

/// Returns `model` over the number type `Real`, with the same values of all data members and with slopes of 0.
template <class Real, DifferentiableModel Model>
ModelOver<Model, Real> over(const Model& model) {
  using Over = ModelOver<Model, Real>;
  impl::check_contract(impl::unmet_conversion_requirement<Model>());
  if constexpr (impl::ConvertsItself<Model, Over>) {
    return Over(model);
  } else {
    Over result{};
    if constexpr (impl::can_convert_members<Model, Over>()) impl::convert_members(model, result);
    return result;
  }
}

/// Returns `model` in dual numbers, where parameter `names[j]` has slope 1 along direction j. `Inner` is the number
/// type of the values of the dual numbers. Throws std::invalid_argument if a name is not that of a differentiable
/// parameter, or if there are more names than directions.
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

/// A model whose responses are those of `Model` and their derivatives with respect to `directions` parameters,
/// estimated by `Estimator`. Response r + responses · j is the derivative of response r with respect to the j-th
/// parameter, where j counts from 1. Derivatives refer to the value that a replication returns, even if the model's
/// estimate is a ratio of means.
template <class Estimator, DifferentiableModel Model, int directions>
class WithDerivatives {
 public:
  /// Input variables of the model.
  enum Input { input_count = static_cast<int>(Model::input_count) };

  /// Default constructor, for arrays. Such a model cannot run.
  WithDerivatives() = default;

  /// Derivatives of `model` with respect to the parameters `names`. Throws std::invalid_argument under the conditions
  /// of `along`.
  WithDerivatives(const Model& model, const std::array<std::string, directions>& names)
      : m_model(model), m_dual(along<directions>(model, names)) {
    impl::check_contract(impl::unmet_conversion_requirement<Model>());
    for (int j = 0; j < directions; ++j) m_names[j] = name_of(names[static_cast<std::size_t>(j)]);
  }

  /// Calls the model's check(), if there is one.
  void check() const {
    if constexpr (impl::ChecksItself<Model>) m_model.check();
  }

  /// The numbers of draws that the model states.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, input_count> input_draws() const { return impl::draws_of(m_model); }

  /// Memory of a replication, if the model needs any.
  std::int64_t storage_bytes() const requires impl::NeedsStorage<Model> { return m_dual.storage_bytes(); }
  /// The part of it that can be in scratch memory.
  std::int64_t scratch_bytes() const requires impl::UsesScratch<Model> { return m_dual.scratch_bytes(); }

  /// Whether the model runs in lanes; available for estimators that accept packs.
  KOKKOS_FUNCTION bool runs_in_lanes() const requires(impl::SaysWhetherInLanes<Model>&& Estimator::takes_packs) {
    return m_model.runs_in_lanes();
  }

  /// Number of responses: (1 + directions) · responses of the model.
  KOKKOS_FUNCTION int response_count() const { return (1 + directions) * responses; }

  /// Name of a response: "RESPONSE" for those of the model, then "d RESPONSE / d PARAMETER".
  std::string response_name(int response) const {
    const std::string name(Model::response_names[static_cast<std::size_t>(response % responses)]);
    const int j = response / responses;
    return j == 0 ? name : "d " + name + " / d " + std::string(m_names[j - 1]);
  }

  /// Runs one replication.
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

  // Returns the name in the parameter's description, which lives as long as the program.
  static const char* name_of(std::string_view name) {
    for (const std::string_view own : differentiable_parameters<Model>()) {
      if (own == name) return own.data();
    }
    return "";
  }

  Model m_model;
  ModelOver<Model, Dual<directions>> m_dual;
  const char* m_names[directions];  // pointers to host memory
};

namespace impl {

template <class Estimator, class Model, int directions>
inline constexpr unsigned blocks_at_once<WithDerivatives<Estimator, Model, directions>> =
    blocks_at_once<ModelOver<Model, Dual<directions>>>;

}  // namespace impl

/// Estimator of pathwise derivatives, for a model in dual numbers.
struct PathwiseEstimator {
  static constexpr bool takes_packs = true;  ///< whether a model that runs in lanes can do so with derivatives
  static constexpr bool has_scores = false;  ///< whether the derivative of the constant 1 is a score; here it is 0

  /// Returns the responses of one replication with their derivatives.
  template <class DualModel, class Inputs>
  KOKKOS_FORCEINLINE_FUNCTION static auto responses(const DualModel& model, Inputs& inputs) {
    return model(inputs);
  }
};

/// Estimator of first and second pathwise derivatives, for a model in dual numbers of dual numbers. The mean of the
/// second derivatives is the second derivative of the mean only if the first derivatives are continuous in the
/// parameters with probability 1. They jump at the kinks of a maximum, or if the order of arrivals changes.
struct SecondOrderEstimator : PathwiseEstimator {};

/// A model's responses and their pathwise derivatives.
template <class Model, int directions>
using Pathwise = WithDerivatives<PathwiseEstimator, Model, directions>;

}  // namespace sporos
