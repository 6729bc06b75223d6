// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/results/renderers.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/selection/model_selection.hpp>

#include <pybind11/stl.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;

runtime::OptionTable options_of(const runtime::ModelDescription& model, const OptionTexts& options,
                                const std::vector<std::string>& over, const std::vector<std::string>& sums,
                                const std::vector<std::string>& constraints, const OptionTexts& parameters) {
  runtime::OptionTable table = table_with(runtime::select_usage(model).options, options);
  set_parameters(table, model, parameters);
  table.list("over") = over;
  table.list("sum") = sums;
  table.list("subject-to") = constraints;
  return table;
}

py::dict dict_of(const runtime::SelectionProgress& progress, double seconds) {
  py::dict dict;
  dict["done"] = progress.replications;
  dict["seconds"] = seconds;
  dict["stage"] = std::string(progress.stage);
  dict["survivors"] = progress.survivors;
  dict["missing"] = progress.missing;
  return dict;
}

// Returns the command line's JSON.
std::string select_system(const std::string& model_name, const OptionTexts& options,
                          const std::vector<std::string>& over, const std::vector<std::string>& sums,
                          const std::vector<std::string>& constraints, const OptionTexts& parameters,
                          py::object progress) {
  runtime::selected_model(std::vector{model_name});
  const runtime::ModelDescription& model = model_with(model_name, parameters);
  const runtime::OptionTable table = options_of(model, options, over, sums, constraints, parameters);
  runtime::ModelSelection selection(runtime::selection_request(model, table));
  std::optional<runtime::KeptRun> kept;
  runtime::keep(kept, table,
                [&] { return runtime::description_of("select " + model.name, table, selection.request().data); });
  std::string json;
  session().run(std::move(progress), [&](const runtime::Backend& backend, Watch& watch) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    selection.start(backend);
    if (kept && kept->state()) selection.restore(*kept->state(), *table.text("checkpoint") + ": state");
    double kept_at = 0;
    selection.run([&](const runtime::SelectionProgress& step) -> std::optional<StopReason> {
      if (!watch.goes_on([&] { return dict_of(step, seconds()); })) return StopReason::interrupted;
      if (kept && seconds() >= kept_at + kept->every()) {
        kept->save(selection.state());
        kept_at = seconds();
      }
      return seconds() >= selection.request().time_limit ? std::optional(StopReason::time_limit) : std::nullopt;
    });
    runtime::write_kept(
        kept, selection.has_ended(), [&] { return selection.state(); },
        [&] { json = json_of(document_of(selection.report(seconds(), runtime::machine_of(backend)))); });
  });
  return json;
}

}  // namespace

void bind_select(py::module_& module) {
  module.def("select_system", select_system, py::arg("model"), py::arg("options"), py::arg("over"), py::arg("sums"),
             py::arg("subject_to"), py::arg("parameters"), py::arg("progress"),
             "Selects the best of many systems. Returns JSON.");
}

}  // namespace sporos::python
