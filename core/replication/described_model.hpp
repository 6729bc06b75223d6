// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/convert_members.hpp>
#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/replication/model.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Description of a model for users: the command line generates its options, help and tables from it.
namespace sporos {

namespace impl {

// Type in which users pass a value: a dual number is passed as a double.
template <class Value>
struct GivenValue {
  using type = Value;
};
template <DualNumber Value>
struct GivenValue<Value> {
  using type = double;
};

}  // namespace impl

// nvcc rewrites the pointer to member with parentheses that g++ then finds unnecessary.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"

/// A parameter of a model: a member of its struct, with a description for users. Its value is a double, a std::int64_t,
/// or a std::string. A string is the name of a file; an empty string selects built-in data.
template <class Model, class Value>
struct Parameter {
  using Given = typename impl::GivenValue<Value>::type;  ///< type in which users pass it; double for a Dual
  static_assert(
      std::is_same_v<Given, double> || std::is_same_v<Given, std::int64_t> || std::is_same_v<Given, std::string>,
      "Sporos: a parameter must be a double (or the number type of derivatives), a std::int64_t, or a std::string");
  std::string_view name;                              ///< name of the member
  Value Model::*member;                               ///< pointer to the member
  Given default_value;                                ///< default value
  std::string_view unit;                              ///< unit, such as "1/time"; empty for a plain number
  std::string_view meaning;                           ///< description, one phrase
  void (*check)(std::string_view name, Given value);  ///< throws std::invalid_argument if out of range; or null
};

#pragma GCC diagnostic pop

namespace impl {

// Whether the descriptions of the parameters can be a constant. Default values that are strings cannot.
template <class Model>
concept HasConstantParameters = std::is_trivially_destructible_v<decltype(Model::parameters())> && requires {
  typename std::bool_constant<(static_cast<void>(Model::parameters()), true)>;
};

// The descriptions as a constant. Searches visit the parameters at each point and would otherwise create them each
// time.
template <HasConstantParameters Model>
inline constexpr auto constant_parameters = Model::parameters();

}  // namespace impl

/// Calls `visit` with each parameter of `Model`.
template <class Model, class Visit>
constexpr void for_each_parameter(Visit&& visit) {
  const auto visit_all = [&](const auto&... parameters) { (visit(parameters), ...); };
  if constexpr (impl::HasConstantParameters<Model>) {
    std::apply(visit_all, impl::constant_parameters<Model>);
  } else {
    std::apply(visit_all, Model::parameters());
  }
}

/// Returns the model with the default value of every parameter.
template <class Model>
Model default_model() {
  Model model{};
  for_each_parameter<Model>([&](const auto& parameter) { model.*parameter.member = parameter.default_value; });
  return model;
}

/// Throws std::invalid_argument if a parameter is out of its range. Each parameter is checked on its own.
template <class Model>
void check_parameters(const Model& model) {
  for_each_parameter<Model>([&](const auto& parameter) {
    if (parameter.check != nullptr) parameter.check(parameter.name, model.*parameter.member);
  });
}

/// Exact expectation of each response of a model, if it is known for the given parameters.
template <class Model>
using ExactMeans = std::array<std::optional<double>, Model::response_names.size()>;

namespace impl {

template <class Described>
concept HasTitle = requires {
  {std::string_view(Described::name)};
  {std::string_view(Described::title)};
};

template <class Described>
concept DescribesParameters = requires {
  {Described::parameters()};
};

template <class Model>
concept NamesExactMeans = requires {
  &Model::exact_means;
};

template <class Model>
concept HasExactMeans = requires(const Model& model) {
  { model.exact_means() } -> std::same_as<ExactMeans<Model>>;
};

}  // namespace impl

/// A model that the command line can offer: it has a name and a title, describes its parameters, and checks them. If
/// exact means of its responses are known, it may return them:
///
///     sporos::ExactMeans<Queue> exact_means() const;
template <class Model>
concept DescribedModel = SimulationModel<Model> && impl::HasTitle<Model> && impl::DescribesParameters<Model> &&
    impl::ChecksItself<Model> &&(!impl::NamesExactMeans<Model> || impl::HasExactMeans<Model>);

/// The host side of a model that requires data, from files or built in, so that the command line can offer it. The data
/// are prepared on the host and then copied to the device. A described case is a struct of the parameters with name,
/// title, parameters() and
///
///     using Data = ...;                                       // contents of the files, on the host
///     template <class MemorySpace> using Tables = ...;        // owns a copy on the device; made from Data, copyable
///     using Model = ...;                                      // the model, which points into Tables
///     Data load(std::vector<std::string>& notes) const;       // reads the files and appends remarks on them to
///                                                             // notes; throws std::invalid_argument
///     void check(const Data&) const;                          // throws std::invalid_argument for bad parameters
///     std::vector<std::string> response_names(const Data&) const;
///     std::vector<std::optional<double>> exact_means(const Data&) const;  // optional; one for each response
///     Model model(const Tables<MemorySpace>&) const;          // valid while the tables or a copy of them exist
template <class Case>
concept DescribedCase = SimulationModel<typename Case::Model> &&
    requires(const Case& described, const typename Case::Data& data, std::vector<std::string>& notes,
             const typename Case::template Tables<Kokkos::HostSpace>& tables) {
  {std::string_view(Case::name)};
  {std::string_view(Case::title)};
  {Case::parameters()};
  { described.load(notes) } -> std::same_as<typename Case::Data>;
  {described.check(data)};
  { described.response_names(data) } -> std::same_as<std::vector<std::string>>;
  {typename Case::template Tables<Kokkos::HostSpace>(data)};
  { described.model(tables) } -> std::same_as<typename Case::Model>;
};

/// A number in a case's data that can be a decision variable or vary between design points, such as
/// stations.triage.servers.
struct CaseMember {
  std::string name;          ///< path in the data
  double default_value;      ///< default value, which is the value in the data
  bool is_whole;             ///< whether only whole numbers are valid
  std::string_view unit;     ///< unit, such as "1/time"; empty for a plain number
  std::string_view meaning;  ///< description, one phrase
};

/// A described case whose data have such members. In addition to the members of a DescribedCase, it has
///
///     std::vector<CaseMember> members(const Data&) const;
///     void check_member(const Data&, std::size_t member, double value) const;    // throws std::invalid_argument
///     void check_members(const Data&, std::span<const double> values) const;     // optional, of all members together
///     std::vector<std::string> notes(const Data&, std::span<const double> members) const;   // optional, on points
///
/// and its model has
///
///     KOKKOS_FUNCTION bool set_member(int member, double value);   // false if there is no room for more changes
template <class Case>
concept CaseWithMembers = DescribedCase<Case> &&
    requires(const Case& described, const typename Case::Data& data, typename Case::Model& model) {
  { described.members(data) } -> std::same_as<std::vector<CaseMember>>;
  {described.check_member(data, std::size_t{}, double{})};
  { model.set_member(int{}, double{}) } -> std::same_as<bool>;
};

namespace impl {

enum class DescriptionRequirement { none, title, parameters, check, exact_means, data, of_case };

template <class Model>
constexpr bool has_pointers() {
  if constexpr (PlainStruct<Model>) {
    return []<class... Members>(std::type_identity<std::tuple<Members&...>>) {
      return (std::is_pointer_v<Members> || ...);
    }(std::type_identity<TiedMembers<Model>>());
  }
  return false;
}

// The first requirement of programs that a model, or a case (which has Data), does not meet.
template <class Described>
constexpr DescriptionRequirement unmet_description_requirement() {
  if constexpr (requires { typename Described::Data; }) {
    return DescribedCase<Described> ? DescriptionRequirement::none : DescriptionRequirement::of_case;
  } else if constexpr (!HasTitle<Described>) {
    return DescriptionRequirement::title;
  } else if constexpr (!DescribesParameters<Described>) {
    return DescriptionRequirement::parameters;
  } else if constexpr (!ChecksItself<Described>) {
    return DescriptionRequirement::check;
  } else if constexpr (NamesExactMeans<Described> && !HasExactMeans<Described>) {
    return DescriptionRequirement::exact_means;
  } else if constexpr (has_pointers<Described>()) {
    return DescriptionRequirement::data;
  }
  return DescriptionRequirement::none;
}

inline void check_contract(Unmet<DescriptionRequirement::none>) {}
SPOROS_REQUIREMENT(
    DescriptionRequirement::title,
    "Sporos: a model that programs offer must have a name and a title: static constexpr std::string_view name = "
    "\"clinic\", title = \"patients wait for doctors during a day\";");
SPOROS_REQUIREMENT(
    DescriptionRequirement::parameters,
    "Sporos: a model that programs offer must describe its parameters: static constexpr auto parameters() { return "
    "std::tuple{sporos::Parameter<Clinic, double>{...}, ...}; }");
SPOROS_REQUIREMENT(DescriptionRequirement::check,
                   "Sporos: a model that programs offer must check its parameters: void check() const { "
                   "sporos::check_parameters(*this); }");
SPOROS_REQUIREMENT(
    DescriptionRequirement::exact_means,
    "Sporos: a model with known means of its responses must return them from: sporos::ExactMeans<Clinic> "
    "exact_means() const");
SPOROS_REQUIREMENT(
    DescriptionRequirement::data,
    "Sporos: a program creates a model from its parameters only, so a pointer would be null: put the data into a "
    "case (DescribedCase in core/replication/described_model.hpp), or make them constants");
SPOROS_REQUIREMENT(
    DescriptionRequirement::of_case,
    "Sporos: this type is not a case that programs can offer, which requires name, title, parameters(), load(), "
    "check(), response_names(), model() and their types (core/replication/described_model.hpp)");

}  // namespace impl

/// Compiles for models and cases that a program can offer and whose replications compile. Otherwise, the error message
/// states the reason in one sentence.
template <class Described>
void check_described() {
  if constexpr (requires { typename Described::Data; }) {
    impl::check_contract(impl::Unmet<impl::unmet_description_requirement<Described>()>());
  } else {
    impl::check_contract(impl::requirement_of_model<Described>());
    if constexpr (SimulationModel<Described>) {
      impl::check_contract(impl::Unmet<impl::unmet_description_requirement<Described>()>());
      static_cast<void>(&impl::run_on_any_inputs<Described>);  // reports errors of the body
    }
  }
}

}  // namespace sporos
