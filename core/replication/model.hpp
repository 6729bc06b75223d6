// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/math/pack.hpp>
#include <sporos/core/sampling/inputs.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// The contract of a model, which is a pure function of the uniforms of its input variables.
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
///
/// The number of responses of a wide model is known only at run time. Instead of `response_names`, it has
///
///       KOKKOS_FUNCTION int response_count() const;          // at least 1
///       std::string response_name(int response) const;       // called on the host
///       template <class Inputs, class Responses>             // writes each response of the replication once
///       KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
///         ...
///         responses.set(0, value);
///       }
namespace sporos {

namespace impl {

// Stands in for a replication's inputs in checks of a model's types.
struct AnyDraw : NoGenerator {
  KOKKOS_FUNCTION operator double() const&& { return 0.5; }
  SPOROS_UNAVAILABLE(SPOROS_KEPT_DRAW) KOKKOS_FUNCTION operator double() const&;
  template <class Form>
  KOKKOS_FUNCTION double as() const&& {
    return Form::from_uniform(0.5);
  }
};
struct AnyInputs : NoGenerator, DrawsOfEntities<AnyInputs> {
  AnyInputs() = default;
  SPOROS_UNAVAILABLE(SPOROS_COPIED_INPUTS) KOKKOS_FUNCTION AnyInputs(const AnyInputs&);
  // The draw is const so that functions which take it by reference, such as standard distributions, can bind to it.
  KOKKOS_FUNCTION const AnyDraw operator()(int) { return {}; }
  SPOROS_UNAVAILABLE(SPOROS_COPIED_INPUTS) KOKKOS_FUNCTION const AnyDraw operator()(int) const;
  using NoGenerator::operator();
  KOKKOS_FUNCTION DrawPair<AnyDraw> pair_of(std::uint64_t, int, std::uint64_t) { return {{}, {}}; }
  KOKKOS_FUNCTION ReplicationStorage storage() const { return {}; }
};

struct AnyResponses {
  KOKKOS_FUNCTION void set(int, double) {}
};

// Stands in for a draw of replications in lanes.
struct AnyPackDraw {
  KOKKOS_FUNCTION operator Pack() && { return 0.5; }
  SPOROS_UNAVAILABLE(SPOROS_KEPT_DRAW) KOKKOS_FUNCTION operator Pack() const&;
  template <class Form>
  KOKKOS_FUNCTION Pack as() && {
    return Form::from_uniform(0.5);
  }
};
struct AnyPackInputs {
  KOKKOS_FUNCTION AnyPackDraw operator()(int) { return {}; }
};

struct AnyPackResponses {
  KOKKOS_FUNCTION void set(int, const Pack&) {}
};

template <class Model>
concept NamesInputs = requires {
  { static_cast<int>(Model::input_count) } -> std::same_as<int>;
};

// The enumerators of an unscoped enumeration, unlike those of a scoped one, are members of the model.
template <class Model>
concept HasScopedInputs = requires {
  Model::Input::input_count;
};

template <class Return, class Model>
std::true_type takes_copy(Return (Model::*)(AnyInputs) const);
template <class Return, class Model, class Responses>
std::true_type takes_copy(Return (Model::*)(AnyInputs, Responses&) const);

template <class Model>
concept CopiesInputs = requires {
  takes_copy(&Model::template operator()<AnyInputs>);
}
|| requires { takes_copy(&Model::template operator()<AnyInputs, AnyResponses>); };

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

// Number of values that a model's call operator returns; −1 if it does not return a Kokkos::Array<double, N>.
template <class Returned>
inline constexpr int value_count = -1;
template <std::size_t count>
inline constexpr int value_count<Kokkos::Array<double, count>> = static_cast<int>(count);

template <class Model>
constexpr int returned_values() {
  return value_count<std::remove_cvref_t<decltype(std::declval<const Model&>()(std::declval<AnyInputs&>()))>>;
}

template <class Model>
concept CountsResponses = requires(const Model& model) {
  { model.response_count() } -> std::same_as<int>;
};

template <class Model>
concept NamesCountedResponses = requires(const Model& model) {
  { model.response_name(0) } -> std::convertible_to<std::string>;
};

template <class Model>
concept WritesResponses = requires(const Model& model, AnyInputs& inputs, AnyResponses& responses) {
  model(inputs, responses);
};

template <class Model>
concept StatesDrawsRightly = requires(const Model& model) {
  { model.input_draws() } -> std::same_as<Kokkos::Array<InputDraws, static_cast<std::size_t>(Model::input_count)>>;
};

template <class Model>
concept ChecksItself = requires(const Model& model) {
  {model.check()};
};

template <class Model>
concept SaysWhetherInLanes = requires(const Model& model) {
  { model.runs_in_lanes() } -> std::same_as<bool>;
};

template <class Model>
concept GivesEachResponseInLanes = requires(const Model& model, AnyPackInputs& inputs) {
  { model(inputs) } -> std::same_as<Kokkos::Array<Pack, Model::response_names.size()>>;
};

template <class Model>
concept WritesResponsesInLanes = requires(const Model& model, AnyPackInputs& inputs, AnyPackResponses& responses) {
  model(inputs, responses);
};

// Detects a member of a given name and any kind: the name is ambiguous in a class that inherits two such members.
struct HasCheck {
  int check;
};
struct HasInputDraws {
  int input_draws;
};
template <class A, class B>
struct Both : A, B {};
template <class Model>
concept NamesCheck = !requires {
  &Both<Model, HasCheck>::check;
};
template <class Model>
concept NamesInputDraws = !requires {
  &Both<Model, HasInputDraws>::input_draws;
};

template <class Model>
concept NamesRunsInLanes = requires {
  &Model::runs_in_lanes;
};

// Whether a model has a check that Sporos would not call. Such a check is not const, takes arguments, is static (and so
// cannot read the parameters), or has a slightly different name.
template <class Model>
concept ChecksInVain = (NamesCheck<Model> && !ChecksItself<Model>) || requires {
  Model::check();
}
|| (!NamesCheck<Model> &&
    (
        requires(const Model& model) { model.checks(); } || requires(const Model& model) { model.Check(); }));

enum class ModelRequirement {
  none,
  copies,
  inputs,
  scoped_inputs,
  copied_inputs,
  response_names,
  names_of_counted_responses,
  call,
  call_with_responses,
  values_of_responses,
  number_of_values,
  draws,
  check,
  lanes,
  responses_in_lanes
};

// The first requirement of the contract that a model does not meet.
template <class Model>
constexpr ModelRequirement unmet_model_requirement() {
  if constexpr (!std::is_trivially_copyable_v<Model> || !std::is_class_v<Model>) {
    return ModelRequirement::copies;
  } else if constexpr (!NamesInputs<Model>) {
    return HasScopedInputs<Model> ? ModelRequirement::scoped_inputs : ModelRequirement::inputs;
  } else if constexpr (CopiesInputs<Model>) {
    return ModelRequirement::copied_inputs;
  } else if constexpr (CountsResponses<Model> && !NamesCountedResponses<Model>) {
    return ModelRequirement::names_of_counted_responses;
  } else if constexpr (CountsResponses<Model> && !WritesResponses<Model>) {
    return ModelRequirement::call_with_responses;
  } else if constexpr (!CountsResponses<Model> && !NamesResponses<Model>) {
    return ModelRequirement::response_names;
  } else if constexpr (!CountsResponses<Model> && !RunsOnInputs<Model>) {
    return ModelRequirement::call;
  } else if constexpr (!CountsResponses<Model> && !GivesEachResponse<Model>) {
    return returned_values<Model>() < 0 ? ModelRequirement::values_of_responses : ModelRequirement::number_of_values;
  } else if constexpr (!std::is_final_v<Model>) {
    if constexpr (NamesInputDraws<Model> && !StatesDrawsRightly<Model>) return ModelRequirement::draws;
    if constexpr (ChecksInVain<Model>) return ModelRequirement::check;
  }
  if constexpr (NamesRunsInLanes<Model> && !SaysWhetherInLanes<Model>) {
    return ModelRequirement::lanes;
  } else if constexpr (SaysWhetherInLanes<Model>) {
    if constexpr (CountsResponses<Model>) {
      if constexpr (!WritesResponsesInLanes<Model>) return ModelRequirement::responses_in_lanes;
    } else if constexpr (!GivesEachResponseInLanes<Model>) {
      return ModelRequirement::responses_in_lanes;
    }
  }
  return ModelRequirement::none;
}

inline void check_contract(Unmet<ModelRequirement::none>) {}
SPOROS_REQUIREMENT(ModelRequirement::copies,
                   "Sporos: a model must be a trivially copyable class, because it is copied to devices byte by byte: "
                   "hold numbers, fixed arrays, raw pointers to device memory and sporos::AppView (core/execution/"
                   "app_view.hpp), but no Kokkos::View, std::string or std::vector");
SPOROS_REQUIREMENT(
    ModelRequirement::inputs,
    "Sporos: a model must name its input variables and end with their count: enum Input { interarrival, service, "
    "input_count };");
SPOROS_REQUIREMENT(
    ModelRequirement::scoped_inputs,
    "Sporos: make the enum of input variables unscoped, so that they are numbers: enum Input { interarrival, service, "
    "input_count }; instead of enum class Input");
SPOROS_REQUIREMENT(ModelRequirement::copied_inputs, SPOROS_COPIED_INPUTS);
SPOROS_REQUIREMENT(
    ModelRequirement::response_names,
    "Sporos: a model must name its responses: static constexpr auto response_names = std::array{\"time in queue\", "
    "\"idle time\"};");
SPOROS_REQUIREMENT(
    ModelRequirement::names_of_counted_responses,
    "Sporos: a model with a response_count() must name its responses: std::string response_name(int response) const");
SPOROS_REQUIREMENT(
    ModelRequirement::call,
    "Sporos: a model must be callable with any inputs and be const: template <class Inputs> KOKKOS_FUNCTION auto "
    "operator()(Inputs& inputs) const");
SPOROS_REQUIREMENT(
    ModelRequirement::call_with_responses,
    "Sporos: a model with a response_count() must be callable with any inputs and responses and be const: template "
    "<class Inputs, class Responses> KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const");
SPOROS_REQUIREMENT(
    ModelRequirement::values_of_responses,
    "Sporos: a model's call must return Kokkos::Array<double, N> with one value for each of its N response_names");

// Numbers of names and of values, which compilers print before the message.
template <int names, int values>
struct NamesAndValues {};
#define SPOROS_NUMBER_OF_VALUES                                                                                      \
  "Sporos: a model's call must return one value for each of its response_names: the numbers of names and of values " \
  "differ"
#ifdef __CUDACC__
template <int names, int values>
void check_contract(NamesAndValues<names, values>) {
  static_assert(names == values, SPOROS_NUMBER_OF_VALUES);
}
#else
template <int names, int values>
SPOROS_UNAVAILABLE(SPOROS_NUMBER_OF_VALUES)
void check_contract(NamesAndValues<names, values>);
#endif
#undef SPOROS_NUMBER_OF_VALUES

SPOROS_REQUIREMENT(ModelRequirement::draws,
                   "Sporos: a model that states its draws must do so for each input: KOKKOS_FUNCTION "
                   "Kokkos::Array<sporos::InputDraws, input_count> input_draws() const");
SPOROS_REQUIREMENT(ModelRequirement::check,
                   "Sporos: a model that checks its parameters must do so by: void check() const");
SPOROS_REQUIREMENT(
    ModelRequirement::lanes,
    "Sporos: a model must declare whether its replications may run in lanes by: KOKKOS_FUNCTION bool runs_in_lanes() "
    "const");
SPOROS_REQUIREMENT(
    ModelRequirement::responses_in_lanes,
    "Sporos: a model that runs in lanes must compute in sporos::NumberIn<Inputs> where it draws: its call with "
    "packs must return Kokkos::Array<sporos::Pack, N>, or set packs");

// The first requirement that a model does not meet, as an argument for check_contract.
template <class Model>
constexpr auto requirement_of_model() {
  constexpr ModelRequirement unmet = unmet_model_requirement<Model>();
  if constexpr (unmet == ModelRequirement::number_of_values) {
    return NamesAndValues<static_cast<int>(Model::response_names.size()), returned_values<Model>()>();
  } else {
    return Unmet<unmet>();
  }
}

}  // namespace impl

/// A stochastic model that Sporos can run. If another type is passed instead of a model, the compiler's first error
/// message states the reason in one sentence.
template <class Model>
concept SimulationModel = impl::unmet_model_requirement<Model>()
== impl::ModelRequirement::none;

/// A model whose number of responses is known only at run time.
template <class Model>
concept WideModel = SimulationModel<Model> && impl::CountsResponses<Model>;

/// A model that states how often a replication with its parameters draws from each of its inputs:
///
///     KOKKOS_FUNCTION Kokkos::Array<InputDraws, input_count> input_draws() const { return {{{customers},
///     {customers}}}; }
///
/// Sampling methods whose replications share a sample require these numbers. A count of 0 means that the number is not
/// known in advance for these parameters. The model may also state which function it applies to most draws.
/// Mapping::automatic then uses the warps of a GPU up to a larger number of replications:
///
///     static constexpr auto draw_transform = DrawTransform::logarithm;
///
/// If replications draw hundreds of times from a few inputs, and not in step, the model may request pre-generated
/// draws. For many replications on a GPU, half of the warps then generate the draws. This suits only some models
/// (docs/explanation/threads-and-warps.md, Pre-generated draws):
///
///     bool buffers_draws() const { return customers >= 300; }
template <class Model>
concept StatesDraws = SimulationModel<Model> && impl::StatesDrawsRightly<Model>;

/// A model whose draws belong to entities, such as customers, because it calls Inputs::pair_of or Inputs::of:
///
///     static constexpr bool draws_by_entity = true;
///
/// Designs under common random numbers then compare the same entities, whatever the order of events. Only sampling
/// methods that take an engine serve such a model.
template <class Model>
concept DrawsByEntity = requires {
  requires Model::draws_by_entity;
};

/// A model that can compute several replications at a time on hosts, one in each lane of a Pack:
///
///     KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }      // may depend on the parameters
///     template <class Inputs>
///     KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs>, 1> operator()(Inputs& inputs) const {
///       using Number = NumberIn<Inputs>;                               // double, or Pack in lanes
///       const Number gap = exponential(inputs(interarrival), arrival_rate);
///       ...
///
/// Use NumberIn<Inputs, Real> if `Real` may be a Dual. All lanes draw at the same points of the code, so that the model
/// must not branch on such numbers. Use math::select, math::min and math::max instead, and math::any for conditions on
/// all lanes. Unsupported operations do not compile. Replications have the same bits with and without lanes.
template <class Model>
concept RunsInLanes = SimulationModel<Model> && impl::SaysWhetherInLanes<Model>;

/// A model whose kernel for Mapping::warp is also compiled for hosts, so that Serial and OpenMP run the same code as
/// the warps of a GPU. On hosts this kernel is not faster than that for Mapping::thread, and it costs compile time, so
/// that a model has to request it:
///
///     static constexpr bool warps_on_hosts = true;
template <class Model>
concept WarpsOnHosts = requires {
  requires Model::warps_on_hosts;
};

namespace impl {

// Whether replications run in step. This is assumed if a model states its draws: all replications then make the same
// draws.
template <class Model>
inline constexpr bool runs_in_step = StatesDraws<Model>;

// Function that a model applies to most of its draws, if it states one.
template <class Model>
inline constexpr DrawTransform draw_transform = [] {
  if constexpr (requires { Model::draw_transform; }) return Model::draw_transform;
  return DrawTransform::none;
}();

// Instantiates a model's body. Entry points do this first, so that errors in the body precede errors in the code that
// runs it.
template <SimulationModel Model>
void run_on_any_inputs(const Model& model) {
  AnyInputs inputs;
  if constexpr (WideModel<Model>) {
    AnyResponses responses;
    model(inputs, responses);
  } else {
    model(inputs);
  }
  if constexpr (RunsInLanes<Model>) {
    AnyPackInputs pack_inputs;
    AnyPackResponses pack_responses;
    if constexpr (WideModel<Model>) {
      model(pack_inputs, pack_responses);
    } else {
      model(pack_inputs);
    }
  }
}

}  // namespace impl

/// Compiles for models only. For other types, the error message states in one sentence the first requirement of the
/// contract that is not met.
template <class Model>
constexpr void check_model() {
  impl::check_contract(impl::requirement_of_model<Model>());
}

namespace impl {

// Stated number of draws per replication from each input of `model`, which may be any class that names its inputs; 0 if
// it states none.
template <class Model>
KOKKOS_FORCEINLINE_FUNCTION DrawsOfInputs<static_cast<int>(Model::input_count)> draws_of(const Model& model) {
  if constexpr (requires { model.input_draws(); }) {
    return model.input_draws();
  } else {
    return {};
  }
}

}  // namespace impl

/// Number of responses of a model that is not wide.
template <class Model>
inline constexpr int response_count = static_cast<int>(Model::response_names.size());

/// Number of responses of any model.
template <SimulationModel Model>
int response_count_of([[maybe_unused]] const Model& model) {
  if constexpr (WideModel<Model>) {
    return model.response_count();
  } else {
    return response_count<Model>;
  }
}

/// Names of the responses of any model, in the model's order.
template <SimulationModel Model>
std::vector<std::string> response_names_of([[maybe_unused]] const Model& model) {
  if constexpr (WideModel<Model>) {
    std::vector<std::string> names;
    for (int response = 0; response < model.response_count(); ++response)
      names.push_back(model.response_name(response));
    return names;
  } else {
    return {Model::response_names.begin(), Model::response_names.end()};
  }
}

/// Names of the stations of any model, in the model's order, as returned by its `station_names()`; empty if it has
/// none.
template <class Model>
std::vector<std::string> station_names_of([[maybe_unused]] const Model& model) {
  if constexpr (requires { model.station_names(); }) {
    return model.station_names();
  } else {
    return {};
  }
}

/// Throws std::invalid_argument if the design points of an experiment differ in their responses, or have no responses.
template <SimulationModel Model>
void check_same_responses([[maybe_unused]] std::span<const Model> models) {
  if constexpr (WideModel<Model>) {
    const auto point_name = [](std::size_t point) { return "design point " + std::to_string(point + 1); };
    std::vector<std::string> first;
    for (std::size_t point = 0; point < models.size(); ++point) {
      const auto names = response_names_of(models[point]);
      if (names.empty()) throw std::invalid_argument(point_name(point) + " has 0 responses, expected at least 1");
      if (point == 0) first = names;
      if (names.size() != first.size()) {
        throw std::invalid_argument(point_name(point) + " has " + std::to_string(names.size()) +
                                    " responses, expected as many as " + point_name(0) + ", " +
                                    std::to_string(first.size()));
      }
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == first[i]) continue;
        throw std::invalid_argument(point_name(point) + " has a response '" + names[i] + "' where " + point_name(0) +
                                    " has '" + first[i] + "', expected the same responses at all design points");
      }
    }
  }
}

}  // namespace sporos
