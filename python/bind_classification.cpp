// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include "apps/classification_options.hpp"
#include "apps/classification_report.hpp"
#include "apps/divergence.hpp"

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

apps::ClassificationOutcome learned(const apps::Backend& backend, const apps::ClassificationData& data,
                                    const MethodOptions& options, Watch& watch) {
  std::optional<double> at_first;
  const QuasiNewtonCallback callback = [&](const QuasiNewtonProgress& point) {
    if (!at_first) at_first = point.objective;
    const bool goes_on = watch.goes_on([&] { return dict_of(point, options); });
    return goes_on && !apps::is_hopeless(point.objective, *at_first) ? Continuation::go_on : Continuation::stop;
  };
  QuasiNewtonState state;
  state.solution.resize(
      static_cast<std::size_t>(data.description.columns + (data.training.model.has_intercept ? 1 : 0)));
  auto outcome = backend.optimize(data.training, {options, std::move(state), callback, {}});
  if (const auto fault = apps::divergence(outcome.result, options, 0)) throw std::runtime_error(*fault);
  return outcome;
}

apps::ClassificationScores scores(const apps::LinearPredictor& predictor, const apps::FeatureRows& rows,
                                  const std::vector<double>& labels) {
  return apps::scores_of(predictor.margins(rows), labels);
}

// The command line's JSON, and the coefficients and the intercept for features as they were given.
py::tuple classify(const OptionTexts& given, const Numbers& features, const Numbers& labels,
                   std::array<std::string, 2> classes, std::vector<std::string> feature_names, py::object progress) {
  const auto table = table_with(apps::classification_entries(), given);
  const auto data = apps::classification_data(table, apps::classified_data({{features.shape(1), vector_of(features)},
                                                                            vector_of(labels),
                                                                            std::move(classes),
                                                                            std::move(feature_names),
                                                                            ""}));
  const MethodOptions options =
      apps::quasi_newton_options(table, static_cast<std::int64_t>(data.training.labels.size()));
  std::string json;
  apps::LinearPredictor predictor{};
  session().run(std::move(progress), [&](const apps::Backend& backend, Watch& watch) {
    const auto began = std::chrono::steady_clock::now();
    const auto [result, bytes] = learned(backend, data, options, watch);
    const auto found = apps::LinearPredictor::of(result.solution, data.description.columns);
    std::optional<apps::ClassificationScores> test;
    if (!data.test_labels.empty()) test = scores(found, data.test, data.test_labels);
    const auto training = scores(found, data.training.features, data.training.labels);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    json = apps::json_of(apps::ClassificationReport{data, options, result, training, test, bytes, took.count(),
                                                    apps::machine_of(backend)});
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
