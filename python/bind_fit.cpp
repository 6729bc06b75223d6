// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/runtime/mixtures/mixtures.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/named_rows.hpp>
#include <sporos/models/mixtures/observation_file.hpp>

#include <pybind11/stl.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;

py::dict dict_of(const MixtureFitProgress& progress, double seconds) {
  py::dict dict;
  dict["stage"] = std::string(progress.stage);
  dict["done"] = progress.done;
  dict["open"] = progress.open;
  dict["seconds"] = seconds;
  return dict;
}

// Returns the result in the format of the command line's JSON; `notes` describe how the values were read.
py::object fit(const OptionTexts& options, bool is_bayesian, const Numbers& values,
               const std::optional<Numbers>& weights, std::vector<std::string> notes, py::object progress) {
  runtime::OptionTable given = table_with(runtime::fit_entries(), options);
  if (is_bayesian) given.text("bayesian") = "on";
  const MixtureFitOptions fit_options = runtime::mixture_fit_options(given);
  const auto bootstrap = runtime::mixture_bootstrap_options(given);
  const auto precision = given.choice("precision", runtime::FitPrecision::real64);
  models::ObservationFile data{"values", "", "", {vector_of(values), {}}, std::move(notes)};
  if (weights) data.sample.weights = vector_of(*weights);
  check(fit_options, data.sample);
  std::optional<runtime::ResultDocument> found;
  session().run(std::move(progress), [&](const runtime::Backend& backend, Watch& watch) {
    const auto start = std::chrono::steady_clock::now();
    const auto callback = [&](const MixtureFitProgress& now) {
      const bool goes_on = watch.goes_on([&] { return dict_of(now, runtime::seconds_since(start)); });
      return goes_on ? Continuation::go_on : Continuation::stop;
    };
    const auto outcome = backend.run(
        runtime::FitTask{data.sample, fit_options, precision, bootstrap, callback, nullptr, single_process});
    found = document_of(runtime::FitReport{data, fit_options, precision, bootstrap, outcome,
                                           runtime::seconds_since(start), runtime::machine_of(backend)});
  });
  return object_of(*found);
}

// Returns the observations of a table in the format of a CSV file, NaN for missing ones, and notes.
py::tuple observations_of_table(const std::string& text, const std::vector<std::string>& ignored) {
  io::NamedRows rows("values", text, {"column", "observation"});
  std::vector<std::string> notes;
  auto values = models::observations_of(rows, ignored, notes);
  return py::make_tuple(array_of(std::move(values)), notes);
}

}  // namespace

void bind_fit(py::module_& module) {
  using py::arg;
  module.def("fit", fit, arg("options"), arg("bayesian"), arg("values"), arg("weights"), arg("notes"), arg("progress"),
             "Fits mixtures. Returns the result.");
  module.def("observations_of_table", observations_of_table, arg("text"), arg("ignored"),
             "Returns the only numeric column of a table in CSV format, NaN for missing values, and notes.");
}

}  // namespace sporos::python
