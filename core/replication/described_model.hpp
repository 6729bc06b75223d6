// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/model.hpp>

#include <array>
#include <concepts>
#include <optional>
#include <string_view>
#include <tuple>

/// How a model tells people about itself: what the command line makes its flags, help and tables of.
namespace sporos {

// nvcc rewrites the pointer to member with parentheses that g++ then finds unnecessary.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"

/// One parameter of a model: a member of its struct, with all that a person has to know about it.
template <class Model, class Value>
struct Parameter {
  std::string_view name;                              ///< the member's name
  Value Model::*member;                               ///< the member
  Value usual;                                        ///< its value where the user gives none
  std::string_view unit;                              ///< such as "1/time"; empty for a plain number
  std::string_view meaning;                           ///< one phrase
  void (*check)(std::string_view name, Value value);  ///< throws std::invalid_argument for a value out of range
};

#pragma GCC diagnostic pop

/// Calls `visit` with each parameter of `Model`.
template <class Model, class Visit>
constexpr void for_each_parameter(Visit&& visit) {
  std::apply([&](const auto&... parameter) { (visit(parameter), ...); }, Model::parameters());
}

/// The model with every parameter at its usual value.
template <class Model>
Model usual_model() {
  Model model{};
  for_each_parameter<Model>([&](const auto& parameter) { model.*parameter.member = parameter.usual; });
  return model;
}

/// Throws std::invalid_argument where a parameter alone is out of its range.
template <class Model>
void check_parameters(const Model& model) {
  for_each_parameter<Model>([&](const auto& parameter) { parameter.check(parameter.name, model.*parameter.member); });
}

/// The expectation of each response of a model, where theory knows it for just this run.
template <class Model>
using ExactMeans = std::array<std::optional<double>, Model::response_names.size()>;

/// A model that the command line can offer: it has a name and a title, describes its parameters, checks them, and knows
/// its exact means as far as there are any.
template <class Model>
concept DescribedModel = SimulationModel<Model> && requires(const Model& model) {
  {std::string_view(Model::name)};
  {std::string_view(Model::title)};
  {Model::parameters()};
  {model.check()};
  { model.exact_means() } -> std::same_as<ExactMeans<Model>>;
};

}  // namespace sporos
