// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "device_array.hpp"
#include "session.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/experiment_part.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/requested_experiment.hpp>
#include <sporos/runtime/simulation/saved_run.hpp>
#include <sporos/runtime/simulation/tasks.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/failed_replications.hpp>
#include <sporos/core/replication/host_model.hpp>
#include <sporos/core/replication/kept_outputs.hpp>

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
std::optional<runtime::MergedParts> merged_parts(const std::vector<std::string>& texts) {
  if (texts.empty()) return std::nullopt;
  std::vector<runtime::NamedText> named;
  for (const std::string& text : texts) named.push_back({fmt::format("part {}", named.size() + 1), text});
  return std::optional<runtime::MergedParts>(std::in_place, named);
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
  const auto merged = merged_parts(parts);
  runtime::RequestedExperiment request(options, runtime::experiment_from(options, runtime::plan_of(options)),
                                       merged ? &*merged : nullptr);
  const auto& design = request.design();
  if (request.has_controls() && !place_of_outputs.empty()) {
    throw std::invalid_argument("--control-variates is given with outputs, expected one of them");
  }
  const bool on_device = place_of_outputs == "device" && !own && session().backend().has_devices();
  if (on_device) check_outputs_on_device(request.plan(), request.part() || merged);
  const bool runs_where_told = on_device || own;  // and not on the host because of few replications
  if (runs_where_told && runtime::is_for_host(design.size(), request.plan())) request.choose(Mapping::thread);
  OutputsOfPoints device_outputs;
  std::optional<ObservedOutputs> outputs;
  if (!place_of_outputs.empty() && !on_device) {
    outputs.emplace(design.size(), model.response_names(design.front()).size(), request.plan());
    request.observe([&](std::size_t point, std::size_t response, double observation) {
      outputs->add(point, response, observation);
    });
  }
  ExperimentResult result;
  std::optional<io::StationTimeline> timeline;
  std::vector<runtime::PointAnimation> animations;
  std::optional<runtime::Machine> machine;
  double seconds = 0;
  session().run_or_ask(
      own.has_value(), std::move(progress),
      [&](const runtime::Backend& backend, const Session::GoesOn& goes_on, const Session::Ask* ask) {
        const auto start = runtime::Clock::now();
        if (request.has_timeline()) timeline = request.timeline(backend, 0);
        const Watcher watcher = [&](const Progress& now) { return goes_on([&] { return dict_of(now); }); };
        auto rounds = request.begin({});
        do {
          result = ask == nullptr ? run_simulation(backend, model.name,
                                                   {{design, rounds.plan(), request.responses()},
                                                    watcher,
                                                    rounds.observer(),
                                                    rounds.checkpoints(),
                                                    rounds.recorder(),
                                                    on_device ? &device_outputs : nullptr})
                                  : sporos::simulate(host_model_of(host, model, design, *ask), rounds.plan(), watcher,
                                                     rounds.observer(), runtime::processes(), rounds.checkpoints(),
                                                     rounds.recorder());
        } while (rounds.needs_another(result));
        for (const std::size_t point : request.animated_points(result)) {
          animations.push_back({point, request.timeline(backend, point).animation});
        }
        seconds = runtime::seconds_since(start);
        machine = runtime::machine_of(backend);
      });
  if (const auto& part = request.part()) {
    const bool is_whole = result.state.replications == part->range.first + part->range.count;
    if (!is_whole) throw std::runtime_error("the run of the part ended early: expected a part without a time limit");
    return py::make_tuple(request.part_text(result, {}), py::none(), seconds);
  }
  std::vector<std::vector<std::optional<double>>> exact;
  for (const auto& values : design) exact.push_back(model.exact_means(values));
  const auto document = request.write({result, *machine, exact, timeline, animations});
  py::list outputs_of_points;
  for (std::size_t i = 0; outputs && i < design.size(); ++i) outputs_of_points.append(outputs->take(i));
  for (auto& of_point : device_outputs) outputs_of_points.append(DeviceArray(std::move(of_point), session().backend()));
  const bool has_outputs = !place_of_outputs.empty();
  return py::make_tuple(object_of(document), has_outputs ? py::object(outputs_of_points) : py::none(), seconds);
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
