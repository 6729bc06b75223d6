// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/steady_state/report.hpp>

#include <pybind11/stl.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace sporos::python {

namespace {

namespace py = pybind11;

py::dict dict_of(const SteadyStateProgress& progress, double seconds) {
  py::dict dict;
  dict["done"] = progress.observations;
  dict["at_most"] = progress.next_look;
  dict["seconds"] = seconds;
  return dict;
}

// The command line's JSON.
std::string steady_state_of(const std::string& model_name, const OptionTexts& texts, const OptionTexts& parameters,
                            py::object progress) {
  const runtime::ModelDescription& model = runtime::find_model(model_name);
  auto options = simulate_options(model, parameters, model.series_names.empty() ? OptionTexts() : texts);
  options.table.text("steady-state") = "on";
  const auto request = runtime::steady_state_request(model, runtime::design_from(options).points, options.table);
  std::string json;
  session().run(std::move(progress), [&](const runtime::Backend& backend, Watch& watch) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const auto launcher = backend.runner_of(model.name).series(request.values, request.seed, request.runs);
    SeriesRuns runs(*launcher);
    const auto result =
        sporos::steady_state(runs, request.goal, [&](const SteadyStateProgress& now) -> std::string_view {
          if (!watch.goes_on([&] { return dict_of(now, seconds()); })) return "interrupted";
          return seconds() >= request.time_limit ? "time" : "";
        });
    json = runtime::json_of(runtime::SteadyStateReport{request, result, seconds(), runtime::machine_of(backend),
                                                       runtime::exact_means(request)});
  });
  return json;
}

}  // namespace

void bind_steady_state(py::module_& module) {
  module.def("steady_state", steady_state_of, py::arg("model"), py::arg("options"), py::arg("parameters"),
             py::arg("progress"), "Estimates steady-state means: JSON.");
}

}  // namespace sporos::python
