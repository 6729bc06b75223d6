// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conversions.hpp"

#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace sporos::python {

namespace py = pybind11;

py::object object_of(const io::Json& json) {
  switch (json.type()) {
    case io::Json::value_t::object: {
      py::dict dict;
      for (const auto& [name, value] : json.get_ref<const io::Json::object_t&>())
        dict[py::str(name)] = object_of(value);
      return dict;
    }
    case io::Json::value_t::array: {
      py::list list(json.size());
      for (std::size_t i = 0; i < json.size(); ++i) list[i] = object_of(json[i]);
      return list;
    }
    case io::Json::value_t::string: {
      const auto& text = json.get_ref<const std::string&>();
      PyObject* const string = PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace");
      if (string == nullptr) throw py::error_already_set();
      return py::reinterpret_steal<py::object>(string);
    }
    case io::Json::value_t::boolean:
      return py::bool_(json.get<bool>());
    case io::Json::value_t::number_integer:
      return py::int_(json.get<std::int64_t>());
    case io::Json::value_t::number_unsigned:
      return py::int_(json.get<std::uint64_t>());
    case io::Json::value_t::number_float:
      if (const auto number = json.get<double>(); std::isfinite(number)) return py::float_(number);
      return py::none();  // as the text has null
    default:
      return py::none();
  }
}

py::object object_of(const runtime::ResultDocument& result) { return object_of(json_value(result)); }

std::string name_of_option(const std::string& keyword) {
  std::string name = keyword;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

const runtime::ModelDescription& model_with(const std::string& name, const OptionTexts& parameters) {
  const runtime::ModelDescription& model = runtime::find_model(name);
  if (model.members == nullptr) return model;
  const auto named = parameters.find(model.parameters.front().name);
  return runtime::with_members(model, named == parameters.end() ? "" : named->second);
}

std::size_t place_of(const runtime::ModelDescription& model, const std::string& parameter) {
  if (const auto place = model.find_parameter(parameter)) return *place;
  std::vector<std::string> known;
  for (const auto& other : model.parameters) known.push_back(other.name);
  throw std::invalid_argument(fmt::format("{} is no parameter of {}{}", io::in_quotes(parameter), model.name,
                                          runtime::suggestion_for(parameter, known)));
}

runtime::OptionTable table_with(std::vector<runtime::OptionEntry> entries, const OptionTexts& options) {
  runtime::OptionTable table(std::move(entries));
  for (const auto& [keyword, text] : options) table.text(name_of_option(keyword)) = text;
  return table;
}

void set_parameters(runtime::OptionTable& table, const runtime::ModelDescription& model,
                    const OptionTexts& parameters) {
  for (const auto& [name, text] : parameters) table.text(model.parameters[place_of(model, name)].option()) = text;
}

runtime::ModelOptions model_options(const runtime::Question& question, const runtime::ModelDescription& model,
                                    const OptionTexts& parameters, const OptionTexts& options,
                                    const OptionLists& lists) {
  runtime::ModelOptions made;
  made.model = &model;
  made.table = table_with(question.usage(model).options, options);
  for (const auto& [keyword, list] : lists) {
    if (!list.empty()) made.table.list(name_of_option(keyword)) = list;
  }
  set_parameters(made.table, model, parameters);
  return made;
}

std::string keyword_of_option(const std::string& name) {
  std::string keyword = name;
  std::replace(keyword.begin(), keyword.end(), '-', '_');
  return keyword;
}

namespace {

bool is_letter(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string with_keywords(std::string text) {
  for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;) {
    const bool begins_word =
        at == 0 || (std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0 && text[at - 1] != '-');
    if (!begins_word || at + 2 == text.size() || !is_letter(text[at + 2])) {
      at += 2;
      continue;
    }
    text.erase(at, 2);
    for (; at < text.size() && (is_letter(text[at]) || text[at] == '-'); ++at) {
      if (text[at] == '-') text[at] = '_';
    }
  }
  return text;
}

}  // namespace sporos::python
