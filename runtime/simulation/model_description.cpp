// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/runtime/options/usage.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/math/count.hpp>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <utility>
#include <variant>

namespace sporos::runtime {

namespace {

std::string with_hyphens(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

// Returns the case in the first row of a design file; empty if it names none. A file that is no regular file, such as a
// pipe, is left alone, because it can be read only once.
std::string case_in_design(const std::string& path, const std::string& parameter) {
  if (!std::filesystem::is_regular_file(path)) return "";
  io::NamedRows rows(path, {});
  const auto column = rows.find(parameter);
  return column && rows.next() ? std::string(rows.number_text(*column)) : "";
}

// Throws if the members of two cases have different names.
void check_same_members(const ModelDescription& first, const ModelDescription& other, std::string_view what) {
  constexpr std::string_view remedy = "expected cases with the same members, or a separate run for each case";
  const auto has = [](const ModelDescription& model, const ParameterDescription& parameter) {
    return std::ranges::find(model.parameters, parameter.name, &ParameterDescription::name) != model.parameters.end();
  };
  for (const ParameterDescription& parameter : other.parameters) {
    if (has(first, parameter)) continue;
    throw std::invalid_argument(fmt::format("{}: {} is no member of the first case, {}", what, parameter.name, remedy));
  }
  for (std::size_t i = 0; i < first.parameters.size(); ++i) {
    const std::string& name = first.parameters[i].name;
    if (!has(other, first.parameters[i]))
      throw std::invalid_argument(fmt::format("{}: {} is only a member of the first case, {}", what, name, remedy));
    if (other.parameters[i].name == name) continue;
    throw std::invalid_argument(fmt::format("{}: {} is where the first case has {}, expected members in the same order",
                                            what, other.parameters[i].name, name));
  }
}

}  // namespace

std::string ParameterDescription::option() const { return with_hyphens(name); }

ParameterValues ModelDescription::default_values() const {
  ParameterValues values;
  for (const auto& parameter : parameters) values.push_back(parameter.default_value);
  return values;
}

std::optional<std::size_t> ModelDescription::find_parameter(std::string_view parameter) const {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (with_hyphens(parameters[i].name) == with_hyphens(parameter)) return i;
  }
  return std::nullopt;
}

std::vector<std::string> names_of_models(const std::function<bool(const ModelDescription&)>& has) {
  std::vector<std::string> names;
  for (const ModelDescription& model : model_descriptions()) {
    if (has(model)) names.push_back(model.name);
  }
  return names;
}

namespace {

std::deque<ModelDescription>& added_models() {
  static std::deque<ModelDescription> added;
  return added;
}

}  // namespace

const ModelDescription& add_model(ModelDescription description) {
  return added_models().emplace_front(std::move(description));
}

const ModelDescription& find_model(std::string_view name, std::span<const std::string_view> others) {
  const auto added = std::ranges::find(added_models(), name, &ModelDescription::name);
  if (added != added_models().end()) return *added;
  std::vector<std::string> names;
  for (const auto& model : model_descriptions()) {
    if (model.name == name) return model;
    names.push_back(model.name);
  }
  names.insert(names.end(), others.begin(), others.end());
  throw std::invalid_argument("unknown model " + io::in_quotes(name) + suggestion_for(name, names));
}

std::size_t place_of_parameter(const ModelDescription& model, std::string_view option, std::string_view text,
                               std::string_view name) {
  if (const auto place = model.find_parameter(name)) return *place;
  std::vector<std::string> names;
  for (const auto& parameter : model.parameters) names.push_back(parameter.option());
  throw std::invalid_argument(fmt::format("--{} is {}, and {} is no parameter of {}{}", option, io::in_quotes(text),
                                          io::in_quotes(name), model.name, suggestion_for(std::string(name), names)));
}

const ModelDescription& with_members(const ModelDescription& model, const std::string& case_file) {
  static std::map<std::pair<std::string, std::string>, ModelDescription> known;
  if (model.members == nullptr) return model;
  const auto found = known.find({model.name, case_file});
  if (found != known.end()) return found->second;
  ModelDescription described = model;
  described.parameters.front().default_value = case_file;
  for (ParameterDescription& parameter : described.parameters) {
    if (parameter.is_file()) continue;
    parameter.is_member = true;
    parameter.default_words = "from the case";
  }
  for (ParameterDescription& member : model.members(described.default_values()))
    described.parameters.push_back(std::move(member));
  described.members = nullptr;
  return known.emplace(std::pair(model.name, case_file), std::move(described)).first->second;
}

const ModelDescription& with_members(const ModelDescription& model, std::span<const std::string> arguments,
                                     Usage (*usage)(const ModelDescription&)) {
  if (model.members == nullptr) return model;
  const ParameterDescription& parameter = model.parameters.front();
  std::string file, design;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == parameter.flag() && i + 1 < arguments.size()) file = arguments[i + 1];
    if (arguments[i].starts_with(parameter.flag() + "=")) file = arguments[i].substr(parameter.flag().size() + 1);
  }
  if (std::ranges::none_of(arguments, asks_for_help)) {
    const OptionTable options = parsed_in_part(usage(model), arguments).options;
    if (options.has("design")) design = *options.text("design");
  }
  return with_members(model, file.empty() && !design.empty() ? case_in_design(design, parameter.name) : file);
}

ParameterValues values_with_case(const ModelDescription& model, std::string_view what, const std::string& case_file) {
  ParameterValues values = model.default_values();
  const ModelDescription& without_members = find_model(model.name);
  if (without_members.members != nullptr && values.front() != ParameterValue(case_file)) {
    const ModelDescription& other = with_members(without_members, case_file);
    check_same_members(model, other, what);
    return other.default_values();
  }
  values.front() = case_file;
  return values;
}

ParameterValue parse_value(const ParameterDescription& parameter, std::string_view what, std::string_view text) {
  if (parameter.is_file()) return std::string(text);
  if (parameter.is_whole()) return io::parse_number<std::int64_t>(what, text);
  return io::parse_number<double>(what, text);
}

std::int64_t whole_value(std::string_view what, double number) {
  if (std::abs(number) <= static_cast<double>(max_counted)) return bounded_count(number);
  throw std::invalid_argument(
      fmt::format("{} is {}, expected a whole number of at most {}", what, io::shortest_text(number), max_counted));
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
