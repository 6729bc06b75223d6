// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "function_model.hpp"
#include "session.hpp"

#include <sporos/runtime/backend/define_model_functions.hpp>
#include <sporos/runtime/simulation/describe_model.hpp>

#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// This file is compiled once for each backend of a host.
namespace sporos::python {

namespace {

namespace py = pybind11;

std::map<std::string, Function>& functions() {
  static auto* const all = new std::map<std::string, Function>();  // never destroyed: it holds objects of Python
  return *all;
}

// Calls `function` with a list of parameters and the draws. It returns a list of responses.
void replicate(const py::object& function, std::span<const double> parameters, DrawSource& source,
               std::span<double> responses) {
  std::ranges::fill(responses, std::numeric_limits<double>::quiet_NaN());
  session().ask_from_kernel([&] {
    const auto draws = std::make_shared<Draws>(source);
    struct End {
      Draws& draws;
      ~End() { draws.end(); }
    } const end{*draws};
    const std::vector<double> values(parameters.begin(), parameters.end());
    const auto numbers = function(values, draws).cast<std::vector<double>>();
    if (numbers.size() != responses.size())
      throw std::logic_error("a function has returned a wrong number of responses");
    std::ranges::copy(numbers, responses.begin());
  });
}

// Adds the model of a function that draws from `inputs` variables. Its parameters have these default values.
void add_function(const std::string& name, const std::vector<std::string>& responses, int inputs,
                  const py::dict& parameters, const py::object& call) {
  Function function{responses, {}, [call](std::span<const double> values, DrawSource& draws, std::span<double> into) {
                      replicate(call, values, draws, into);
                    }};
  for (const auto& [parameter, value] : parameters) {
    function.parameters.push_back({parameter.cast<std::string>(), value.cast<double>(), py::isinstance<py::int_>(value),
                                   "", "parameter of the function"});
  }
  functions().insert_or_assign(name, std::move(function));

  runtime::ModelDescription description = runtime::description_of<FunctionCase>();
  description.name = name;
  description.title = "model of the Python function " + name;
  description.input_count = inputs;
  description.parameters.front().default_value = name;
  for (auto& member : description.members(description.default_values()))
    description.parameters.push_back(std::move(member));
  description.members = nullptr;
  session().add_model(std::move(description), runtime::model_functions<FunctionCase>());
}

}  // namespace

const Function& function_named(const std::string& name) { return functions().at(name); }

void bind_function_models(py::module_& module) {
  module.def("add_function", add_function, py::arg("name"), py::arg("responses"), py::arg("inputs"),
             py::arg("parameters"), py::arg("call"), "Adds the model of a Python function.");
}

}  // namespace sporos::python
