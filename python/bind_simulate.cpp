// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "device_array.hpp"
#include "session.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/renderers.hpp>
#include <sporos/runtime/simulation/controls.hpp>
#include <sporos/runtime/simulation/convergence.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/experiment_part.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/point_comparison.hpp>
#include <sporos/runtime/simulation/questions.hpp>
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>
#include <sporos/runtime/simulation/saved_run.hpp>
#include <sporos/runtime/simulation/tasks.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/experiment_parts.hpp>
#include <sporos/core/replication/failed_replications.hpp>
#include <sporos/core/replication/host_model.hpp>
#include <sporos/core/replication/kept_outputs.hpp>
#include <sporos/procedures/controlled_means.hpp>
#include <sporos/procedures/simultaneous_intervals.hpp>

#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;

// Returns the parameters together with those of the first design point, because the members of its case are parameters
// of all points.
OptionTexts first_of(OptionTexts parameters, const std::optional<std::vector<OptionTexts>>& design) {
  if (design && !design->empty()) parameters.insert(design->front().begin(), design->front().end());
  return parameters;
}

// Returns all options as the command line would parse them: parameters, a design, the plan and questions.
runtime::ModelOptions options_of(const runtime::ModelDescription& model, const OptionTexts& parameters,
                                 const std::optional<std::vector<OptionTexts>>& design, const OptionTexts& texts,
                                 const OptionLists& lists = {}) {
  runtime::ModelOptions options = model_options(runtime::simulate_question, model, parameters, texts, lists);
  if (!design) return options;
  if (design->empty()) throw std::invalid_argument("design has no point, expected at least one");
  if (options.table.has("report")) {
    throw std::invalid_argument(
        "report is given with design, which the command in the report cannot repeat: give parameters instead");
  }
  runtime::SavedRun points{&model, {}, {}};
  for (std::size_t i = 0; i < design->size(); ++i) {
    points.design.push_back(model.default_values());
    const auto file = model.parameters.empty() ? (*design)[i].end() : (*design)[i].find(model.parameters.front().name);
    if (file != (*design)[i].end() && model.parameters.front().is_file()) {
      points.design.back() =
          runtime::values_with_case(model, fmt::format("design[{}]: {}", i, file->first), file->second);
    }
    for (const auto& [name, text] : (*design)[i]) {
      const std::size_t place = place_of(model, name);
      points.design.back()[place] =
          runtime::parse_value(model.parameters[place], fmt::format("design[{}]: {}", i, name), text);
    }
  }
  options.saved_run = std::move(points);
  return options;
}

// Stores every observation of every design point, row by row.
class ObservedOutputs {
 public:
  ObservedOutputs(std::size_t points, std::size_t responses, const Plan& plan)
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
    std::vector<std::size_t> counts;  // number of observations of each response
  };
  std::size_t m_responses;
  std::vector<Point> m_points;
};

// Returns the pictures that an option requests; none for a model without pictures.
runtime::PictureFiles pictures_of(const runtime::ModelOptions& options, const std::string& option, std::size_t points) {
  const bool is_offered = options.model->picture != nullptr;
  runtime::PictureFiles pictures(is_offered ? options.table.list(option) : std::vector<std::string>());
  if (!pictures.empty() && points > 1) {
    throw std::invalid_argument(fmt::format("{} is given for {} design points, expected one", option, points));
  }
  return pictures;
}

py::dict dict_of(const Progress& progress) {
  py::dict dict;
  dict["done"] = progress.replications;
  dict["at_most"] = progress.at_most;
  dict["seconds"] = progress.seconds;
  return dict;
}

// Describes a model whose replications are calls of a Python function. `host` has its responses, and its parameters
// with their default values.
runtime::ModelDescription description_of_host(const std::string& name, const py::object& host) {
  runtime::ModelDescription description;
  description.name = name;
  description.title = "model of the Python function " + name;
  for (const auto& [parameter, value] : host.attr("parameters").cast<py::dict>()) {
    runtime::ParameterValue known;
    if (py::isinstance<py::int_>(value)) {
      known = value.cast<std::int64_t>();
    } else {
      known = value.cast<double>();
    }
    description.parameters.push_back({parameter.cast<std::string>(), "", "parameter of the function", known});
  }
  const auto responses = host.attr("responses").cast<std::vector<std::string>>();
  description.input_count = host.attr("inputs").attr("__len__")().cast<int>();
  description.response_names = [responses](const runtime::ParameterValues&) { return responses; };
  description.check = [](const runtime::ParameterValues&) {};
  description.notes = [](const runtime::ParameterValues&) { return std::vector<std::string>(); };
  description.exact_means = [count = responses.size()](const runtime::ParameterValues&) {
    return std::vector<std::optional<double>>(count);
  };
  description.ratios = [](const runtime::ParameterValues&) { return std::vector<RatioOfMeans>(); };
  return description;
}

// Returns the parameters of a design point as keyword arguments.
py::dict keywords_of(const runtime::ModelDescription& model, const runtime::ParameterValues& values) {
  py::dict keywords;
  for (std::size_t i = 0; i < values.size(); ++i) {
    keywords[model.parameters[i].name.c_str()] =
        std::visit([](const auto& value) -> py::object { return py::cast(value); }, values[i]);
  }
  return keywords;
}

// Returns the model whose replications `host` runs. Its function `run(parameters, seeds, first, count)`, with the
// parameters and the seed of each design point, returns an array of responses, by response, design point and
// replication.
HostModel host_model_of(const py::object& host, const runtime::ModelDescription& description,
                        const std::vector<runtime::ParameterValues>& design, const Session::Ask& ask) {
  HostModel model{{}, design.size(), 1, {}};
  ask([&] {
    model.responses = host.attr("responses").cast<std::vector<std::string>>();
    model.workers = host.attr("workers").cast<std::int64_t>();
  });
  model.run = [&, columns = model.responses.size()](std::span<const std::size_t> which,
                                                    std::span<const std::uint64_t> seeds, const ReplicationRange& range,
                                                    double* outputs) {
    ask([&] {
      py::list parameters;
      for (const std::size_t point : which) parameters.append(keywords_of(description, design[point]));
      const std::vector<std::uint64_t> all_seeds(seeds.begin(), seeds.end());
      const auto values = host.attr("run")(parameters, all_seeds, range.first, range.count).cast<Numbers>();
      const auto expected = static_cast<std::size_t>(range.count) * which.size() * columns;
      if (static_cast<std::size_t>(values.size()) != expected) {
        throw std::runtime_error("a function has returned another number of responses than expected");
      }
      std::copy_n(values.data(), expected, outputs);
    });
  };
  return model;
}

// Returns the parts of an experiment; nothing if there are none.
std::optional<runtime::MergedParts> merged_parts(const std::vector<std::string>& texts, const io::Json& run) {
  if (texts.empty()) return std::nullopt;
  std::vector<runtime::NamedText> named;
  for (const std::string& text : texts) named.push_back({fmt::format("part {}", named.size() + 1), text});
  std::optional<runtime::MergedParts> merged(std::in_place, named);
  merged->check_run(run);
  return merged;
}

// Throws if outputs cannot stay in the memory of a device, where each replication has a row.
void check_outputs_on_device(const Plan& plan, bool is_in_parts) {
  constexpr std::string_view remedy = "expected outputs=True, which copies them to the host";
  if (is_in_parts) {
    throw std::invalid_argument(
        fmt::format("outputs is 'device' with executor, whose workers have their own memory, {}", remedy));
  }
  if (plan.source.replications_of_run() > 1) {
    throw std::invalid_argument(
        fmt::format("outputs is 'device' with a sampling whose observations are means of {} replications, {}",
                    plan.source.replications_of_run(), remedy));
  }
}

// Returns (JSON, outputs of each design point or None, wall time in seconds without the Python package). `outputs` says
// where they are: "host", "device", or nothing for None. If the options request a part of the experiment, the text of
// the part is in place of JSON. `host` is a model of a Python function,
// or None. `parts` are all parts of the experiment, whose replications are used instead of running them; or nothing.
py::tuple simulate(const std::string& model_name, const OptionTexts& parameters,
                   const std::optional<std::vector<OptionTexts>>& design_points, const OptionTexts& texts,
                   const OptionLists& lists, const std::string& place_of_outputs, const std::vector<std::string>& parts,
                   const py::object& host, py::object progress) {
  const auto own = host.is_none() ? std::optional<runtime::ModelDescription>() : description_of_host(model_name, host);
  const runtime::ModelDescription& model = own ? *own : model_with(model_name, first_of(parameters, design_points));
  const runtime::ModelOptions options = options_of(model, parameters, design_points, texts, lists);
  runtime::check_questions(options);
  Plan plan = runtime::plan_from(options.table, Plan{});
  const auto precision = runtime::quantile_precision(options.table);
  if (precision.is_set() && !texts.contains("replications")) plan.replications = runtime::default_quantile_ceiling;
  const auto simultaneous = runtime::simultaneous_method(options.table);
  if (simultaneous == Simultaneous::max_t) plan.covariances = true;
  const runtime::Experiment experiment = runtime::experiment_from(options, plan);
  const auto& design = experiment.design;
  const bool has_controls = runtime::wants_controls(options.table, model, plan);
  const bool is_conditional = runtime::wants_conditional(options.table, model);
  if (has_controls && !place_of_outputs.empty()) {
    throw std::invalid_argument("--control-variates is given with outputs, expected one of them");
  }
  const auto part = runtime::part_from(options.table, plan);
  const io::Json run = runtime::experiment_description(model, design, plan, has_controls, is_conditional);
  const auto merged = merged_parts(parts, run);
  const bool on_device = place_of_outputs == "device" && !own && session().backend().has_devices();
  if (on_device) {
    check_outputs_on_device(plan, part || merged);
    if (runtime::is_for_host(design.size(), plan)) plan.mapping = Mapping::thread;
  }
  auto requirements = runtime::requirements_of(experiment, options);
  runtime::Recording recording(experiment, options);
  runtime::PointQuestions questions(experiment, options);
  const runtime::ReportFile page(options.table, "simulate " + model.name);
  const auto pictures = pictures_of(options, "picture", design.size());
  const auto timelines = pictures_of(options, "timeline", design.size());
  std::optional<runtime::Convergence> convergence;
  if (options.table.has("report")) convergence.emplace(model, design);
  std::optional<ObservedOutputs> outputs;
  OutputsOfPoints device_outputs;
  if (!place_of_outputs.empty() && !on_device)
    outputs.emplace(design.size(), model.response_names(design.front()).size(), plan);
  Observer observer = questions.observer();
  if (outputs || convergence) {
    observer = [&, asked = std::move(observer)](std::size_t point, std::size_t response, double observation) {
      if (asked) asked(point, response, observation);
      if (outputs) outputs->add(point, response, observation);
      if (convergence) convergence->add(point, response, observation);
    };
  }
  Recorder recorder = recording.recorder();
  const std::int64_t run_length = plan.source.replications_of_run();
  std::optional<runtime::PartRecord> record;
  if (part) {
    record.emplace(*part, design.size(),
                   model.response_names(design.front()).size() + (has_controls ? model.control_names.size() : 0),
                   static_cast<bool>(observer), static_cast<bool>(recorder));
    observer = record->observer();
    recorder = record->recorder();
  }
  if (merged) merged->replay(observer, recorder);
  ExperimentResult result;
  std::optional<io::StationTimeline> timeline;
  std::vector<runtime::PointAnimation> animations;
  std::optional<runtime::Machine> machine;
  double seconds = 0;
  session().run_or_ask(
      own.has_value(), std::move(progress),
      [&](const runtime::Backend& backend, const Session::GoesOn& goes_on, const Session::Ask* ask) {
        const auto start = runtime::Clock::now();
        const auto timeline_of = [&](std::size_t point) {
          return backend.run_with(model.name, runtime::TimelineTask{design[point], plan, point, 0});
        };
        if (!timelines.empty()) timeline = timeline_of(0);
        Checkpoints checkpoints;
        if (part) checkpoints.start = beginning_of_part(part->range);
        if (merged) checkpoints.start = merged->state();
        const Watcher watcher = [&](const Progress& now) { return goes_on([&] { return dict_of(now); }); };
        runtime::QuantileRounds rounds(plan, recording.quantiles, precision);
        do {
          Plan round = rounds.plan();
          round.covariances = round.covariances || has_controls;
          if (part) round.replications = part->range.first + part->range.count;
          const auto responses = runtime::simulated_responses(has_controls, is_conditional);
          result = ask == nullptr ? run_simulation(backend, model.name,
                                                   {{design, round, responses},
                                                    watcher,
                                                    observer,
                                                    checkpoints,
                                                    recorder,
                                                    on_device ? &device_outputs : nullptr})
                                  : sporos::simulate(host_model_of(host, model, design, *ask), round, watcher, observer,
                                                     runtime::processes(), checkpoints, recorder);
        } while (rounds.needs_another(result, checkpoints.start));
        if (options.table.has("report") && model.has_timeline) {
          for (const std::size_t point : runtime::animated_points(result, questions.best_point(result)))
            animations.push_back({point, timeline_of(point).animation});
        }
        seconds = runtime::seconds_since(start);
        machine = runtime::machine_of(backend);
      });
  if (record) {
    const bool is_whole = result.state.replications == part->range.first + part->range.count;
    if (!is_whole) throw std::runtime_error("the run of the part ended early: expected a part without a time limit");
    return py::make_tuple(record->text(run, {}, result, run_length), py::none(), seconds);
  }
  if (merged) result.seconds = merged->seconds(), result.mapping = merged->mapping();
  runtime::Report report{model, design, plan, result, {}, *machine};
  for (const auto& values : design) report.exact.push_back(model.exact_means(values));
  if (has_controls) {
    report.controlled = runtime::take_controls(result.points, model, design, plan.confidence, plan.covariances);
  }
  questions.add_to(report, result.points.front().responses);
  recording.add_to(report);
  if (simultaneous) report.simultaneous = simultaneous_intervals(*simultaneous, plan, result);
  if (requirements) report.requirements = requirements->decide(result);
  report.skipped = experiment.skipped;
  report.notes = experiment.notes;
  if (!own) {
    for (auto& note : runtime::host_notes(*machine, design.size(), plan)) report.notes.push_back(std::move(note));
  }
  for (auto& note : runtime::bias_notes(plan.source.sampling)) report.notes.push_back(std::move(note));
  for (auto& note : runtime::interval_notes(result.points, plan.confidence)) report.notes.push_back(std::move(note));
  for (auto& note : runtime::control_notes(report.controlled)) report.notes.push_back(std::move(note));
  if (!pictures.empty()) {
    std::vector<double> means, half_widths;
    for (const ResponseEstimate& response : result.points.front().responses) {
      means.push_back(response.mean);
      half_widths.push_back(response.half_width);
    }
    pictures.draw(model.picture(design.front(), means, half_widths));
  }
  if (!timelines.empty()) timelines.draw(timeline->picture);
  report.animations = std::move(animations);
  const runtime::ResultDocument document = runtime::document_of(report, convergence);
  page.write(document);
  py::list outputs_of_points;
  for (std::size_t i = 0; outputs && i < design.size(); ++i) outputs_of_points.append(outputs->take(i));
  for (auto& of_point : device_outputs) outputs_of_points.append(DeviceArray(std::move(of_point), session().backend()));
  const bool has_outputs = !place_of_outputs.empty();
  return py::make_tuple(runtime::json_of(document), has_outputs ? py::object(outputs_of_points) : py::none(), seconds);
}

// Returns the largest number of parts into which the replications of an experiment can be divided.
std::int64_t max_parts(const std::string& model_name, const OptionTexts& parameters,
                       const std::optional<std::vector<OptionTexts>>& design_points, const OptionTexts& texts,
                       const OptionLists& lists) {
  const runtime::ModelDescription& model = model_with(model_name, first_of(parameters, design_points));
  const Plan plan = runtime::plan_from(options_of(model, parameters, design_points, texts, lists).table, Plan{});
  check_plan(plan);
  return plan.replications / plan.source.replications_of_run();
}

std::vector<double> replay(const std::string& model_name, const OptionTexts& parameters,
                           const std::optional<std::vector<OptionTexts>>& design_points, const OptionTexts& plan_texts,
                           std::size_t point, std::int64_t replication, const std::optional<std::string>& log) {
  const runtime::ModelDescription& model = model_with(model_name, first_of(parameters, design_points));
  const runtime::ModelOptions options = options_of(model, parameters, design_points, plan_texts);
  const auto design = runtime::design_from(options).points;
  const Plan plan = runtime::plan_from(options.table, Plan{});
  const auto log_file = runtime::file_of_first(log);
  const runtime::ChosenReplication chosen{design, plan, point, replication};
  std::vector<double> responses;
  session().run(py::none(), [&](const runtime::Backend& backend, Watch&) {
    responses = replayed(backend, model.name, chosen);
    if (log_file) log_file->write(backend.run_with(model.name, runtime::VisitLogTask{chosen}));
  });
  const auto stations = model.stations_with(design.at(point));
  if (const auto failure = failure_of(replication, responses, stations)) throw std::runtime_error(*failure);
  return responses;
}

}  // namespace

void bind_simulate(py::module_& module) {
  module.def("simulate", simulate, py::arg("model"), py::arg("parameters"), py::arg("design"), py::arg("options"),
             py::arg("lists"), py::arg("outputs"), py::arg("parts"), py::arg("host"), py::arg("progress"),
             "Runs an experiment. Returns its result.");
  module.def("max_parts", max_parts, py::arg("model"), py::arg("parameters"), py::arg("design"), py::arg("options"),
             py::arg("lists"), "Returns the largest number of parts of an experiment.");
  module.def("replay", replay, py::arg("model"), py::arg("parameters"), py::arg("design"), py::arg("plan"),
             py::arg("point"), py::arg("replication"), py::arg("log"),
             "Runs a single replication of one design point.");
}

}  // namespace sporos::python
