// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/runtime/results/renderers.hpp>
#include <sporos/runtime/search/model_search.hpp>

#include <sporos/core/io/format.hpp>

#include <pybind11/stl.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;

runtime::ModelSearch search_of(const std::string& model_name, const OptionTexts& options,
                               const std::vector<std::string>& over, const std::vector<std::string>& draws,
                               const std::vector<std::string>& constraints, const OptionTexts& parameters) {
  if (!runtime::is_optimizable(runtime::find_model(model_name))) {
    throw std::invalid_argument(model_name + " has no parameters that can be optimized");
  }
  const runtime::ModelDescription& model = model_with(model_name, parameters);
  runtime::OptionTable table = table_with(runtime::search_usage(model).options, options);
  set_parameters(table, model, parameters);
  table.list("over") = over;
  table.list("draw") = draws;
  table.list("subject-to") = constraints;
  runtime::SearchRequest request = runtime::search_request(model, table);
  runtime::make_start_valid(request);
  auto objective =
      runtime::objective_of(request.objective, request.constraints_on_means, model, request.values, request.decisions);
  return {std::move(request), std::move(objective)};
}

py::dict dict_of(const runtime::ModelSearch& search, double seconds) {
  py::dict dict;
  dict["done"] = search.journal().replications();
  dict["at_most"] = search.request().budget * search.request().runs;
  dict["seconds"] = seconds;
  dict["solver"] = std::string(search.solver());
  return dict;
}

// Returns the command line's JSON.
std::string optimize_model(const std::string& model_name, const OptionTexts& options,
                           const std::vector<std::string>& over, const std::vector<std::string>& draws,
                           const std::vector<std::string>& constraints, const OptionTexts& parameters,
                           py::object progress) {
  runtime::ModelSearch search = search_of(model_name, options, over, draws, constraints, parameters);
  std::string json;
  session().run(std::move(progress), [&](const runtime::Backend& backend, Watch& watch) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    search.start(backend);
    std::optional<StopReason> end;
    bool is_interrupted = false;
    const auto is_stopped = [&] {
      is_interrupted = is_interrupted || !watch.goes_on([&] { return dict_of(search, seconds()); });
      return is_interrupted;
    };
    search.run([&] {
      if (is_stopped()) end = StopReason::interrupted;
      if (seconds() >= search.request().time_limit) end = StopReason::time_limit;
      return end.has_value();
    });
    if (const auto fault = search.estimate()) throw std::runtime_error(*fault);
    search.examine_end();
    const auto gap = search.bounded_gap(is_stopped);
    json = json_of(document_of(
        search.report(end.value_or(StopReason::replications), seconds(), runtime::machine_of(backend), gap)));
  });
  return json;
}

}  // namespace

void bind_search(py::module_& module) {
  module.def("optimize_model", optimize_model, py::arg("model"), py::arg("options"), py::arg("over"), py::arg("draws"),
             py::arg("subject_to"), py::arg("parameters"), py::arg("progress"),
             "Optimizes parameters of a model. Returns JSON.");
}

}  // namespace sporos::python
