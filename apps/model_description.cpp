// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_description.hpp"

#include "model_of.hpp"
#include "models.hpp"
#include "suggestion.hpp"

#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <exception>
#include <stdexcept>

namespace sporos::apps {

namespace {

template <class Model>
std::vector<std::optional<double>> exact_means_of(const ParameterValues& values) {
  try {
    const auto means = model_of<Model>(values).exact_means();
    return {means.begin(), means.end()};
  } catch (const std::exception&) {  // a closed form beyond its range must not cost a result
    return std::vector<std::optional<double>>(Model::response_names.size());
  }
}

template <class Model>
ModelDescription description_of() {
  static_assert(DescribedModel<Model>);
  ModelDescription description{std::string(Model::name),
                               std::string(Model::title),
                               {},
                               static_cast<int>(Model::input_count),
                               {Model::response_names.begin(), Model::response_names.end()},
                               [](const ParameterValues& values) { model_of<Model>(values).check(); },
                               exact_means_of<Model>};
  for_each_parameter<Model>([&](const auto& parameter) {
    ParameterDescription& added = description.parameters.emplace_back();
    added.name = parameter.name;
    added.unit = parameter.unit;
    added.meaning = parameter.meaning;
    added.usual = parameter.usual;
  });
  return description;
}

std::string with_hyphens(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

}  // namespace

std::string ParameterDescription::flag() const { return "--" + with_hyphens(name); }

ParameterValues ModelDescription::usual_values() const {
  ParameterValues values;
  for (const auto& parameter : parameters) values.push_back(parameter.usual);
  return values;
}

std::optional<std::size_t> ModelDescription::find_parameter(std::string_view parameter) const {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (with_hyphens(parameters[i].name) == with_hyphens(parameter)) return i;
  }
  return std::nullopt;
}

std::span<const ModelDescription> model_descriptions() {
  static const auto descriptions = [] {
    std::vector<ModelDescription> list;
    for_each_model([&]<class Model>(std::type_identity<Model>) { list.push_back(description_of<Model>()); });
    return list;
  }();
  return descriptions;
}

const ModelDescription& find_model(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& model : model_descriptions()) {
    if (model.name == name) return model;
    names.push_back(model.name);
  }
  std::string message = "unknown model " + io::in_quotes(name) + suggestion_for(name, names);
  if (message.ends_with('?')) message += " (`sporos list` lists the models)";
  throw std::invalid_argument(message);
}

ParameterValue parse_value(const ParameterDescription& parameter, std::string_view what, std::string_view text) {
  if (parameter.is_whole()) return io::parse_number<std::int64_t>(what, text);
  return io::parse_number<double>(what, text);
}

std::string text_of(const ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return io::shortest_text(*number);
  return std::to_string(std::get<std::int64_t>(value));
}

}  // namespace sporos::apps
