// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/runtime/classification/model.hpp>
#include <sporos/runtime/classification/options.hpp>
#include <sporos/runtime/classification/report.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/named_rows.hpp>

#include <pybind11/stl.h>

#include <array>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;
using MethodOptions = std::variant<SqnOptions, LbfgsOptions>;

py::dict dict_of(const QuasiNewtonProgress& point, const MethodOptions& options) {
  py::dict dict;
  dict["done"] = point.iteration;
  dict["at_most"] = std::visit([](const auto& some) { return some.iterations; }, options);
  dict["seconds"] = point.seconds;
  dict["objective"] = point.objective;
  dict["gradient_norm"] = point.gradient_norm;
  return dict;
}

runtime::ClassificationOutcome learned(const runtime::Backend& backend, const runtime::ClassificationData& data,
                                       const MethodOptions& options, Watch& watch) {
  std::optional<double> at_first;
  const QuasiNewtonCallback callback = [&](const QuasiNewtonProgress& point) {
    if (!at_first) at_first = point.objective;
    const bool goes_on = watch.goes_on([&] { return dict_of(point, options); });
    return goes_on && !runtime::is_hopeless(point.objective, *at_first) ? Continuation::go_on : Continuation::stop;
  };
  QuasiNewtonState state;
  state.solution.resize(
      static_cast<std::size_t>(data.description.columns + (data.training.model.has_intercept ? 1 : 0)));
  auto outcome = backend.run(data.training, runtime::ClassificationRun{options, std::move(state), callback, {}});
  if (const auto fault = runtime::divergence(outcome.result, options, 0)) throw std::runtime_error(*fault);
  return outcome;
}

// Returns the result and the model file, in the format of the command line's JSON.
py::tuple learn(const runtime::OptionTable& table, models::ClassifiedRows<models::DenseRows> classified,
                py::object progress) {
  const auto data = runtime::classification_data(table, runtime::classified_data(std::move(classified)));
  const MethodOptions options =
      runtime::quasi_newton_options(table, static_cast<std::int64_t>(data.training.labels.size()));
  std::optional<runtime::ResultDocument> found;
  io::Json model;
  session().run(std::move(progress), [&](const runtime::Backend& backend, Watch& watch) {
    const auto began = std::chrono::steady_clock::now();
    const auto outcome = learned(backend, data, options, watch);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    const runtime::ClassificationReport report{data, options, outcome, took.count(), runtime::machine_of(backend)};
    found = document_of(report);
    model = model_json(report, *found);
  });
  return py::make_tuple(object_of(*found), object_of(model));
}

py::tuple classify(const OptionTexts& given, const Numbers& features, const Numbers& labels,
                   std::array<std::string, 2> classes, std::vector<std::string> feature_names, py::object progress) {
  return learn(
      table_with(runtime::classification_entries(), given),
      {{features.shape(1), vector_of(features)}, vector_of(labels), std::move(classes), std::move(feature_names)},
      std::move(progress));
}

constexpr auto name_of_tables = "the data";

// Learns from a table in the format of a CSV file. In its column `label`, 0 and 1 denote the classes.
py::tuple classify_table(const OptionTexts& given, const std::string& text, const std::string& label,
                         std::array<std::string, 2> classes, py::object progress) {
  const auto table = table_with(runtime::classification_entries(), given);
  io::NamedRows rows(name_of_tables, text, {"column", "row"});
  auto read = models::read_classified_rows(rows, label, runtime::feature_reading(table));
  read.classes = std::move(classes);
  read.label_name.clear();
  return learn(table, std::move(read), std::move(progress));
}

// Returns the margins of the rows of a table in the format of a CSV file, NaN for rows without one, and notes.
py::tuple margins_of_table(const std::string& model_text, const std::string& text, std::vector<std::string> ignored,
                           const std::optional<std::string>& missing) {
  const std::string what = "the model";
  const auto model = io::JsonText(what, model_text).read(runtime::classification_model_of_json);
  const auto treatment = missing ? parse_choice<models::MissingValues>(*missing) : model.rows.missing;
  io::NamedRows rows(name_of_tables, text, {"column", "row"});
  auto read = models::read_rows_to_predict(rows, model.rows, "", false, {std::move(ignored), {}, treatment});
  auto margins = model.predictor.margins(runtime::FeatureRows(std::move(read.features)));
  return py::make_tuple(array_of(std::move(margins)), read.notes);
}

}  // namespace

void bind_classification(py::module_& module) {
  using py::arg;
  module.def("classify", classify, arg("options"), arg("features"), arg("labels"), arg("classes"), arg("feature_names"),
             arg("progress"), "Trains a classification. Returns its JSON and the JSON of the model.");
  module.def("classify_table", classify_table, arg("options"), arg("text"), arg("label"), arg("classes"),
             arg("progress"),
             "Trains a classification on a table in CSV format. Returns its JSON and the JSON of the model.");
  module.def("margins_of_table", margins_of_table, arg("model"), arg("text"), arg("ignored"), arg("missing"),
             "Returns the margins of a table's rows, NaN for rows without a prediction, and notes.");
}

}  // namespace sporos::python
