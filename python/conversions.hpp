// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/question.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Between NumPy's arrays and numbers of C++, between keyword arguments and options of the command line.
namespace sporos::python {

/// Options by their names in Python, and the text that the command line would be given.
using OptionTexts = std::map<std::string, std::string>;

/// Options that are given several times, by their names in Python.
using OptionLists = std::map<std::string, std::vector<std::string>>;

/// Numbers of NumPy, one after the other; the package sees to it that they are finite and contiguous.
using Numbers = pybind11::array_t<double, pybind11::array::c_style>;

/// The numbers, read in place.
inline std::vector<double> vector_of(const Numbers& numbers) {
  return {numbers.data(), numbers.data() + numbers.size()};
}

/// An array of `rows` × `columns` that takes the numbers over, without a copy.
inline pybind11::array_t<double> array_of(std::vector<double> numbers, std::size_t rows, std::size_t columns) {
  auto owned = std::make_unique<std::vector<double>>(std::move(numbers));
  double* const data = owned->data();
  const pybind11::capsule owner(owned.release(), [](void* held) { delete static_cast<std::vector<double>*>(held); });
  return pybind11::array_t<double>({rows, columns}, data, owner);
}

/// The same of one dimension.
inline pybind11::array_t<double> array_of(std::vector<double> numbers) {
  const std::size_t size = numbers.size();
  return array_of(std::move(numbers), size, 1).attr("reshape")(-1);
}

/// The name that the command line has for an option of Python.
std::string name_of_option(const std::string& keyword);

/// The name that Python has for an option of the command line.
std::string keyword_of_option(const std::string& name);

/// The command's table with these options in it.
runtime::OptionTable table_with(std::vector<runtime::OptionEntry> entries, const OptionTexts& options);

/// The model called `name`, with the members of the case that these parameters name where it has any.
const runtime::ModelDescription& model_with(const std::string& name, const OptionTexts& parameters);

/// The place of the model's parameter of that name. Throws std::invalid_argument where there is none.
std::size_t place_of(const runtime::ModelDescription& model, const std::string& parameter);

/// Sets the model's parameters in the table of a command. Throws std::invalid_argument for one that there is not.
void set_parameters(runtime::OptionTable& table, const runtime::ModelDescription& model, const OptionTexts& parameters);

/// The options of a question about a model. Throws std::invalid_argument for a parameter that the model does not have.
runtime::ModelOptions model_options(const runtime::Question& question, const runtime::ModelDescription& model,
                                    const OptionTexts& parameters, const OptionTexts& options,
                                    const OptionLists& lists = {});

/// The question that one computation answers and that Python calls `name`; null if there is none.
const runtime::Question* question_named(const std::string& name);

/// A message as Python has it: --sample-size is sample_size, on is True, and design point 1 is points[0].
std::string message_for_python(std::string message);

}  // namespace sporos::python
