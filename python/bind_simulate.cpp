// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/runtime/simulation/controls.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/interval_notes.hpp>
#include <sporos/runtime/simulation/plan_options.hpp>
#include <sporos/runtime/simulation/point_comparison.hpp>
#include <sporos/runtime/simulation/quantile_rounds.hpp>
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/response_probabilities.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>
#include <sporos/runtime/simulation/simultaneous.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/failed_replications.hpp>
#include <sporos/procedures/controlled_means.hpp>
#include <sporos/procedures/point_differences.hpp>
#include <sporos/procedures/simultaneous_intervals.hpp>

#include <pybind11/stl.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;

Plan plan_of(const OptionTexts& texts) {
  return runtime::plan_from(table_with(runtime::plan_entries(), texts), Plan{});
}

// What the first point says: the members of its case are parameters of all points.
OptionTexts first_of(OptionTexts parameters, const std::optional<std::vector<OptionTexts>>& design) {
  if (design && !design->empty()) parameters.insert(design->front().begin(), design->front().end());
  return parameters;
}

// The points that the parameters make, each of these a text as the command line takes it, with those of a design.
runtime::ReadDesign design_of(const runtime::ModelDescription& model, const OptionTexts& parameters,
                              const std::optional<std::vector<OptionTexts>>& design) {
  runtime::SimulateOptions options;
  options.model = &model;
  options.table = runtime::OptionTable(runtime::simulate_usage(model).options);
  for (const auto& [name, text] : parameters) {
    options.table.text(model.parameters[place_of(model, name)].option()) = text;
  }
  if (!design) return runtime::design_from(options);
  if (design->empty()) throw std::invalid_argument("design has no point, expected at least one");
  runtime::SavedRun points{&model, {}, {}};
  for (std::size_t i = 0; i < design->size(); ++i) {
    points.design.push_back(model.usual_values());
    for (const auto& [name, text] : (*design)[i]) {
      const std::size_t place = place_of(model, name);
      points.design.back()[place] =
          runtime::parse_value(model.parameters[place], fmt::format("design[{}]: {}", i, name), text);
    }
  }
  options.saved_run = std::move(points);
  return runtime::design_from(options);
}

// Keeps every observation of every design point, row by row.
class KeptOutputs {
 public:
  KeptOutputs(std::size_t points, std::size_t responses, const Plan& plan)
      : m_responses(responses), m_points(points, {{}, std::vector<std::size_t>(responses)}) {
    if (plan.precision.is_set()) return;
    const std::int64_t rows = plan.replications / plan.source.replications_of_run();
    const double bytes_of_row = static_cast<double>(points * responses) * sizeof(double);
    check_memory<Kokkos::HostSpace>({"outputs", rows, "observations", bytes_of_row});
    for (Point& point : m_points) point.values.resize(static_cast<std::size_t>(rows) * responses);
  }

  void add(std::size_t point, std::size_t response, double observation) {
    auto& [values, counts] = m_points[point];
    const std::size_t row = counts[response]++, place = row * m_responses + response;
    if (place >= values.size()) values.resize((row + 1) * m_responses);
    values[place] = observation;
  }

  py::array_t<double> take(std::size_t point) {
    auto& [values, counts] = m_points[point];
    values.resize(counts.front() * m_responses);
    return array_of(std::move(values), counts.front(), m_responses);
  }

 private:
  struct Point {
    std::vector<double> values;
    std::vector<std::size_t> counts;  // of each response
  };
  std::size_t m_responses;
  std::vector<Point> m_points;
};

py::dict dict_of(const Progress& progress) {
  py::dict dict;
  dict["done"] = progress.replications;
  dict["at_most"] = progress.at_most;
  dict["seconds"] = progress.seconds;
  return dict;
}

py::object value_of(const runtime::ParameterValue& value) {
  return std::visit([](const auto& held) -> py::object { return py::cast(held); }, value);
}

// (probability, value, low, high) of each quantile of a response.
py::list list_of(const runtime::QuantileReport& quantiles, std::size_t point, std::size_t response) {
  py::list list;
  for (std::size_t i = 0; i < quantiles.probabilities.size(); ++i) {
    const auto& [value, lower, upper] = quantiles.estimates[point][response][i];
    list.append(py::make_tuple(quantiles.probabilities[i], value, lower, upper));
  }
  return list;
}

// (text, value, low, high, replications with it) of each event at a design point.
py::list list_of(const runtime::ProbabilityReport& report, std::size_t point) {
  py::list list;
  for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
    const auto& [value, lower, upper] = report.estimates[point][i];
    list.append(py::make_tuple(report.comparisons[i].text, value, lower, upper, report.events[point][i]));
  }
  return list;
}

// A precision of 0 is none.
runtime::QuantilePrecision quantile_precision(const std::pair<double, double>& widths, bool has_quantiles,
                                              const OptionTexts& plan, bool compares) {
  const runtime::QuantilePrecision precision{widths.first, widths.second};
  runtime::check_quantile_precision(precision, has_quantiles, [&](const std::string& option) {
    return option == "compare" ? compares : plan.contains(keyword_of_option(option));
  });
  return precision;
}

// What is asked of all means and of differences between design points, by options as the command line has them.
struct PointQuestions {
  PointQuestions(const OptionTexts& texts, const runtime::ModelDescription& model,
                 const std::vector<runtime::ParameterValues>& design, Plan& plan) {
    auto entries = runtime::comparison_entries();
    entries.push_back(runtime::control_variates_entry());
    const auto options = table_with(std::move(entries), texts);
    has_controls = options.has("control-variates");
    if (has_controls) runtime::check_controls(model, plan);
    method = runtime::simultaneous_method(options);
    if (method == Simultaneous::max_t) plan.covariances = true;
    request = runtime::comparison_request(options, model, design, plan);
    if (!request) return;
    std::vector<RatioOfMeans> estimators;
    for (const auto& point : design) {
      estimators.push_back(estimator_of(static_cast<int>(request->response), model.ratios(point)));
    }
    differences.emplace(estimators, plan.common_random_numbers);
  }

  bool has_controls = false;
  std::optional<Simultaneous> method;
  std::optional<runtime::ComparisonRequest> request;
  std::optional<PointDifferences> differences;
};

// (mean, half-width, variance ratio, degrees of freedom) of each response with control variates.
py::list list_of(const ControlledPoint& point) {
  py::list list;
  for (const auto& [mean, half_width, variance_ratio, freedom] : point.responses) {
    list.append(py::make_tuple(mean, half_width, variance_ratio, freedom));
  }
  return list;
}

// (by, [(first, second, difference, half-width)...], [(difference, low, high)...]), points from 0.
py::tuple tuple_of(const runtime::PointComparison& comparison) {
  py::list differences, distances;
  for (const auto& [first, second, difference, half_width] : comparison.differences) {
    differences.append(py::make_tuple(first, second, difference, half_width));
  }
  for (const auto& [difference, lower, upper] : comparison.distances) {
    distances.append(py::make_tuple(difference, lower, upper));
  }
  return py::make_tuple(comparison.request.name, comparison.by, differences, distances);
}

py::dict dict_of(const runtime::ModelDescription& model, const runtime::ParameterValues& values,
                 const PointResult& result, const std::optional<runtime::QuantileReport>& quantiles,
                 std::size_t number) {
  py::dict parameters;
  for (std::size_t i = 0; i < values.size(); ++i) parameters[model.parameters[i].name.c_str()] = value_of(values[i]);
  const auto exact = model.exact_means(values);
  py::list responses;
  for (std::size_t i = 0; i < result.responses.size(); ++i) {
    const ResponseEstimate& estimate = result.responses[i];
    const py::list list = quantiles ? list_of(*quantiles, number, i) : py::list();
    responses.append(py::make_tuple(estimate.name, estimate.mean, estimate.half_width, estimate.variance,
                                    estimate.deviation, estimate.observations, exact[i], list));
  }
  py::dict point;
  point["parameters"] = parameters;
  point["responses"] = responses;
  point["replications"] = result.replications;
  point["digest"] = io::bits_text(result.digest);
  point["stopped_by"] = std::string(name_of(result.stopped_by));
  if (!result.covariances.empty()) {
    point["covariances"] =
        array_of(std::vector<double>(result.covariances), result.responses.size(), result.responses.size());
  }
  return point;
}

py::dict simulate(const std::string& model_name, const OptionTexts& parameters,
                  const std::optional<std::vector<OptionTexts>>& design_points, const OptionTexts& plan_texts,
                  bool keeps_outputs, const std::optional<std::string>& quantiles_text,
                  const std::pair<double, double>& quantile_widths, const std::vector<std::string>& events,
                  const OptionTexts& question_texts, py::object progress) {
  const runtime::ModelDescription& model = model_with(model_name, first_of(parameters, design_points));
  const auto read = design_of(model, parameters, design_points);
  const auto& design = read.points;
  Plan plan = plan_of(plan_texts);
  const auto precision =
      quantile_precision(quantile_widths, quantiles_text.has_value(), plan_texts, question_texts.contains("compare"));
  if (precision.is_set() && !plan_texts.contains("replications")) {
    plan.replications = runtime::usual_quantile_ceiling;
  }
  PointQuestions questions(question_texts, model, design, plan);
  if (questions.has_controls && (keeps_outputs || quantiles_text || !events.empty())) {
    throw std::invalid_argument(
        "--control-variates is given beside outputs, quantiles or probabilities, expected one of them");
  }
  std::optional<KeptOutputs> outputs;
  if (keeps_outputs) outputs.emplace(design.size(), model.response_names(design.front()).size(), plan);
  Observer observer;
  if (outputs || questions.differences) {
    observer = [&](std::size_t point, std::size_t response, double observation) {
      if (outputs) outputs->add(point, response, observation);
      if (questions.differences) questions.differences->add(point, response, observation);
    };
  }
  std::optional<runtime::ResponseQuantiles> quantiles;
  Recorder recorder;
  if (quantiles_text) {
    quantiles.emplace(runtime::parse_probabilities(*quantiles_text), plan, design.size(),
                      model.response_names(design.front()).size());
  }
  std::optional<runtime::ResponseProbabilities> probabilities;
  if (!events.empty()) probabilities.emplace(events, model, design, plan);
  if (quantiles || probabilities) {
    recorder = [&](const ReplicationRows& rows) {
      if (quantiles) quantiles->add(rows);
      if (probabilities) probabilities->add(rows);
    };
  }
  ExperimentResult result;
  std::chrono::duration<double> took{};
  session().run(std::move(progress), [&](const runtime::Backend& backend, Watch& watch) {
    const auto watcher = [&](const Progress& now) { return watch.goes_on([&] { return dict_of(now); }); };
    const auto start = std::chrono::steady_clock::now();
    const runtime::Runner& runner = backend.runner_of(model.name);
    const auto simulate_round = [&](Plan round, std::optional<ExperimentState> from) {
      round.covariances = round.covariances || questions.has_controls;
      Checkpoints checkpoints;
      checkpoints.start = std::move(from);
      const auto run = questions.has_controls ? runner.simulate_with_controls : runner.simulate;
      return run(design, round, watcher, observer, checkpoints, recorder);
    };
    result = precision.is_set() ? runtime::simulate_to_quantiles(plan, quantiles, precision, simulate_round)
                                : simulate_round(plan, std::nullopt);
    took = std::chrono::steady_clock::now() - start;
  });
  std::vector<ControlledPoint> controlled;
  if (questions.has_controls) {
    controlled = runtime::take_controls(result.points, model, design, plan.confidence, plan.covariances);
  }
  std::optional<runtime::QuantileReport> report;
  if (quantiles) report = quantiles->report();
  py::list points;
  for (std::size_t i = 0; i < design.size(); ++i) {
    py::dict point = dict_of(model, design[i], result.points[i], report, i);
    if (outputs) point["outputs"] = outputs->take(i);
    if (probabilities) point["probabilities"] = list_of(probabilities->report(), i);
    if (!controlled.empty()) point["controlled"] = list_of(controlled[i]);
    points.append(point);
  }
  py::dict dict;
  dict["plan"] = io::json_of(plan).dump();
  dict["points"] = points;
  dict["seconds"] = result.seconds;
  dict["native_seconds"] = took.count();
  dict["mapping"] = std::string(name_of(result.mapping));
  std::vector<std::string> notes = read.notes;
  for (auto& note : runtime::bias_notes(plan.source.sampling)) notes.push_back(std::move(note));
  for (auto& note : runtime::interval_notes(result.points, plan.confidence)) notes.push_back(std::move(note));
  for (auto& note : runtime::control_notes(controlled)) notes.push_back(std::move(note));
  dict["notes"] = notes;
  runtime::Report told{model, design, plan, result, {}, runtime::Machine()};
  for (const auto& values : design) told.exact.push_back(model.exact_means(values));
  told.quantiles = std::move(report);
  if (probabilities) told.probabilities = probabilities->report();
  told.controlled = std::move(controlled);
  told.notes = std::move(notes);
  if (questions.method) {
    told.simultaneous = simultaneous_intervals(*questions.method, plan, result);
    dict["simultaneous"] = told.simultaneous->half_widths;
  }
  if (questions.request) {
    told.comparison = runtime::comparison_of(*questions.request, *questions.differences, plan);
    dict["comparison"] = tuple_of(*told.comparison);
  }
  const bool has_answers =
      told.quantiles || told.probabilities || told.simultaneous || told.comparison || questions.has_controls;
  dict["answers"] = has_answers ? py::object(py::str(runtime::json_of(told))) : py::none();
  return dict;
}

std::vector<double> replay(const std::string& model_name, const OptionTexts& parameters,
                           const std::optional<std::vector<OptionTexts>>& design_points, const OptionTexts& plan_texts,
                           std::size_t point, std::int64_t replication) {
  const runtime::ModelDescription& model = model_with(model_name, first_of(parameters, design_points));
  const auto design = design_of(model, parameters, design_points).points;
  const Plan plan = plan_of(plan_texts);
  std::vector<double> responses;
  session().run(py::none(), [&](const runtime::Backend& backend, Watch&) {
    responses = backend.runner_of(model.name).replay(design, plan, point, replication);
  });
  if (const auto failure = failure_of(replication, responses)) throw std::runtime_error(*failure);
  return responses;
}

}  // namespace

void bind_simulate(py::module_& module) {
  module.def("simulate", simulate, py::arg("model"), py::arg("parameters"), py::arg("design"), py::arg("plan"),
             py::arg("outputs"), py::arg("quantiles"), py::arg("quantile_widths"), py::arg("probabilities"),
             py::arg("questions"), py::arg("progress"), "Runs an experiment.");
  module.def("replay", replay, py::arg("model"), py::arg("parameters"), py::arg("design"), py::arg("plan"),
             py::arg("point"), py::arg("replication"), "Runs one replication of one design point alone.");
}

}  // namespace sporos::python
