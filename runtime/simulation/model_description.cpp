// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/runtime/backend/model_of.hpp>
#include <sporos/runtime/backend/models.hpp>
#include <sporos/runtime/options/suggestion.hpp>

#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <exception>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <variant>

namespace sporos::runtime {

namespace {

// What is asked of a described model, and of a described case.
template <class Described>
struct Asked {
  static_assert(DescribedModel<Described>);
  using Model = Described;

  static void check(const ParameterValues& values) { model_of<Model>(values).check(); }

  static std::vector<std::string> notes(const ParameterValues&) { return {}; }

  static std::vector<std::string> response_names(const ParameterValues& values) {
    return response_names_of(model_of<Model>(values));
  }

  static std::vector<std::optional<double>> exact_means(const ParameterValues& values) {
    const auto means = model_of<Model>(values).exact_means();
    return {means.begin(), means.end()};
  }

  static std::vector<RatioOfMeans> ratios(const ParameterValues& values) {
    return properties_of(model_of<Model>(values)).ratios;
  }
};

template <DescribedCase Case>
struct Asked<Case> {
  using Model = typename Case::Model;

  static void check(const ParameterValues& values) { model_of<Case>(values).check(loaded_of<Case>(values).data); }

  static std::vector<std::string> notes(const ParameterValues& values) { return loaded_of<Case>(values).notes; }

  static std::vector<std::string> response_names(const ParameterValues& values) {
    return model_of<Case>(values).response_names(loaded_of<Case>(values).data);
  }

  static std::vector<std::optional<double>> exact_means(const ParameterValues& values) {
    return model_of<Case>(values).exact_means(loaded_of<Case>(values).data);
  }

  static std::vector<RatioOfMeans> ratios(const ParameterValues&) {
    static_assert(!StatesRatios<Model>, "a case whose model has ratios must describe them without its tables");
    return {};
  }
};

template <class Described>
std::vector<std::optional<double>> exact_means_of(const ParameterValues& values) {
  try {
    return Asked<Described>::exact_means(values);
  } catch (const std::exception&) {  // a closed form beyond its range must not cost a result
    return std::vector<std::optional<double>>(Asked<Described>::response_names(values).size());
  }
}

template <class Described>
ModelDescription description_of() {
  ModelDescription description{std::string(Described::name),
                               std::string(Described::title),
                               {},
                               static_cast<int>(Asked<Described>::Model::input_count),
                               Asked<Described>::response_names,
                               Asked<Described>::check,
                               Asked<Described>::notes,
                               exact_means_of<Described>,
                               Asked<Described>::ratios};
  for_each_parameter<Described>([&](const auto& parameter) {
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

std::string ParameterDescription::option() const { return with_hyphens(name); }

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

const ModelDescription& find_model(std::string_view name, std::span<const std::string_view> others) {
  std::vector<std::string> names;
  for (const auto& model : model_descriptions()) {
    if (model.name == name) return model;
    names.push_back(model.name);
  }
  names.insert(names.end(), others.begin(), others.end());
  std::string message = "unknown model " + io::in_quotes(name) + suggestion_for(name, names);
  if (message.ends_with('?')) message += " (`sporos list` lists the models)";
  throw std::invalid_argument(message);
}

ParameterValue parse_value(const ParameterDescription& parameter, std::string_view what, std::string_view text) {
  if (parameter.is_file()) return std::string(text);
  if (parameter.is_whole()) return io::parse_number<std::int64_t>(what, text);
  return io::parse_number<double>(what, text);
}

double number_of(const ParameterValue& value) {
  return std::visit(
      [](const auto& held) {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(held)>>) return static_cast<double>(held);
        return std::numeric_limits<double>::quiet_NaN();
      },
      value);
}

std::string text_of(const ParameterValue& value) {
  if (const auto* file = std::get_if<std::string>(&value)) return *file;
  if (const auto* number = std::get_if<double>(&value)) return io::shortest_text(*number);
  return std::to_string(std::get<std::int64_t>(value));
}

std::string shown_text_of(const ParameterValue& value) {
  const std::string text = text_of(value);
  return text.empty() ? "built-in" : text;
}

io::Json json_of(const ModelDescription& model, const ParameterValues& values) {
  io::Json json = io::Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::visit([&](const auto& value) { json[model.parameters[i].name] = value; }, values[i]);
  }
  return json;
}

}  // namespace sporos::runtime
