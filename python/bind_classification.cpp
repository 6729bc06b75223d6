// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/runtime/classification/divergence.hpp>
#include <sporos/runtime/classification/options.hpp>
#include <sporos/runtime/classification/report.hpp>

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

runtime::ClassificationScores scores(const runtime::LinearPredictor& predictor, const runtime::FeatureRows& rows,
                                     const std::vector<double>& labels) {
  return runtime::scores_of(predictor.margins(rows), labels);
}

// The command line's JSON, and the coefficients and the intercept for features as they were given.
py::tuple classify(const OptionTexts& given, const Numbers& features, const Numbers& labels,
                   std::array<std::string, 2> classes, std::vector<std::string> feature_names, py::object progress) {
  const auto table = table_with(runtime::classification_entries(), given);
  const auto data =
      runtime::classification_data(table, runtime::classified_data({{features.shape(1), vector_of(features)},
                                                                    vector_of(labels),
                                                                    std::move(classes),
                                                                    std::move(feature_names),
                                                                    ""}));
  const MethodOptions options =
      runtime::quasi_newton_options(table, static_cast<std::int64_t>(data.training.labels.size()));
  std::string json;
  runtime::LinearPredictor predictor{};
  session().run(std::move(progress), [&](const runtime::Backend& backend, Watch& watch) {
    const auto began = std::chrono::steady_clock::now();
    const auto [result, bytes] = learned(backend, data, options, watch);
    const auto found = runtime::LinearPredictor::of(result.solution, data.description.columns);
    std::optional<runtime::ClassificationScores> test;
    if (!data.test_labels.empty()) test = scores(found, data.test, data.test_labels);
    const auto training = scores(found, data.training.features, data.training.labels);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    json = runtime::json_of(runtime::ClassificationReport{data, options, result, training, test, bytes, took.count(),
                                                          runtime::machine_of(backend)});
    predictor = data.standardization ? found.before(*data.standardization) : found;
  });
  return py::make_tuple(json, array_of(std::move(predictor.coefficients)), predictor.intercept);
}

}  // namespace

void bind_classification(py::module_& module) {
  using py::arg;
  module.def("classify", classify, arg("options"), arg("features"), arg("labels"), arg("classes"), arg("feature_names"),
             arg("progress"), "Learns a classification: JSON, the coefficients and the intercept.");
}

}  // namespace sporos::python
