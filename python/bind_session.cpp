// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "session.hpp"

#include <sporos/runtime/backend/info.hpp>
#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/version.hpp>

#include <pybind11/stl.h>

#include <string>

namespace sporos::python {

namespace {

namespace py = pybind11;

std::string models_json() {
  io::Json models = io::Json::array();
  for (const auto& model : runtime::model_descriptions()) {
    io::Json parameters = io::Json::array();
    for (const auto& parameter : model.parameters) {
      io::Json described = {{"name", parameter.name}, {"unit", parameter.unit}, {"meaning", parameter.meaning}};
      std::visit([&](const auto& default_value) { described["default"] = default_value; }, parameter.default_value);
      parameters.push_back(std::move(described));
    }
    models.push_back({{"name", model.name},
                      {"title", model.title},
                      {"parameters", std::move(parameters)},
                      {"responses", model.response_names(model.default_values())}});
  }
  return models.dump();
}

std::string info() {
  std::string text;
  session().run(py::none(), [&](const runtime::Backend& backend, Watch&) { text = runtime::info_json(backend); });
  return text;
}

std::string machine() {
  std::string text;
  session().run(py::none(), [&](const runtime::Backend& backend, Watch&) {
    text = runtime::json_of(runtime::machine_of(backend)).dump();
  });
  return text;
}

}  // namespace

void bind_session(py::module_& module) {
  module.attr("version") = SPOROS_VERSION;
  module.def(
      "start",
      [](const runtime::OptionText& threads, const runtime::OptionText& device) { session().start(threads, device); },
      py::arg("threads"), py::arg("device"), "Starts the backend.");
  module.def(
      "finish", [] { session().finish(); }, "Ends the backend.");
  module.def(
      "is_started", [] { return session().is_started(); }, "Whether the backend runs.");
  module.def("info", info, "Returns the JSON that `sporos info` writes.");
  module.def("machine", machine, "Returns the machine as in the command line's JSON.");
  module.def("models", models_json, "Returns the models, their parameters and responses as JSON.");
}

}  // namespace sporos::python
