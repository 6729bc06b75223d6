// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/question.hpp>

#include <sporos/core/io/json.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Conversions between NumPy arrays and numbers of C++, and between keyword arguments and options of the command line.
namespace sporos::python {

/// Values of options by their names in Python, as strings that the command line accepts.
using OptionTexts = std::map<std::string, std::string>;

/// Values of options that can be repeated, by their names in Python.
using OptionLists = std::map<std::string, std::vector<std::string>>;

/// A contiguous NumPy array of numbers. The package ensures that the numbers are finite.
using Numbers = pybind11::array_t<double, pybind11::array::c_style>;

/// Copies the numbers into a vector.
inline std::vector<double> vector_of(const Numbers& numbers) {
  return {numbers.data(), numbers.data() + numbers.size()};
}

/// Returns a `rows` × `columns` array that takes over the numbers without a copy.
inline pybind11::array_t<double> array_of(std::vector<double> numbers, std::size_t rows, std::size_t columns) {
  auto owned = std::make_unique<std::vector<double>>(std::move(numbers));
  double* const data = owned->data();
  const pybind11::capsule owner(owned.release(), [](void* held) { delete static_cast<std::vector<double>*>(held); });
  return pybind11::array_t<double>({rows, columns}, data, owner);
}

/// Returns a one-dimensional array that takes over the numbers without a copy.
inline pybind11::array_t<double> array_of(std::vector<double> numbers) {
  const std::size_t size = numbers.size();
  return array_of(std::move(numbers), size, 1).attr("reshape")(-1);
}

/// Returns the value that Python's json.loads returns for the text of `json`, in less time than the text takes.
pybind11::object object_of(const io::Json& json);

/// Returns the command line's JSON of a result as an object.
pybind11::object object_of(const runtime::ResultDocument& result);

/// Returns the command line's name of an option, from its name in Python.
std::string name_of_option(const std::string& keyword);

/// Returns Python's name of an option, from its name on the command line.
std::string keyword_of_option(const std::string& name);

/// Returns the table of a command's options with these values.
runtime::OptionTable table_with(std::vector<runtime::OptionEntry> entries, const OptionTexts& options);

/// Returns the model called `name`. If its case has members, the result has them as further parameters, for the case
/// that `parameters` name.
const runtime::ModelDescription& model_with(const std::string& name, const OptionTexts& parameters);

/// Returns the index of the model's parameter of that name. Throws std::invalid_argument if there is none.
std::size_t place_of(const runtime::ModelDescription& model, const std::string& parameter);

/// Sets the model's parameters in the table of a command. Throws std::invalid_argument if the model has no such
/// parameter.
void set_parameters(runtime::OptionTable& table, const runtime::ModelDescription& model, const OptionTexts& parameters);

/// Returns the options of a question about a model. Throws std::invalid_argument if the model has no such parameter.
runtime::ModelOptions model_options(const runtime::Question& question, const runtime::ModelDescription& model,
                                    const OptionTexts& parameters, const OptionTexts& options,
                                    const OptionLists& lists = {});

/// Returns the question that a single computation answers and that Python calls `name`; null if there is none.
const runtime::Question* question_named(const std::string& name);

/// Returns a message or a help text with each option replaced by its keyword in Python: --sample-size by sample_size.
std::string with_keywords(std::string text);

}  // namespace sporos::python
