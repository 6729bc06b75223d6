// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/runtime/array_rqmc/array_rqmc.hpp>
#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/multilevel/multilevel.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/rare_events/rare_events.hpp>
#include <sporos/runtime/sensitivity/sensitivity.hpp>
#include <sporos/runtime/simulation/question.hpp>
#include <sporos/runtime/simulation/tasks.hpp>
#include <sporos/runtime/steady_state/steady_state.hpp>
#include <sporos/runtime/steady_state/task.hpp>
#include <sporos/runtime/stratification/stratification.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/checkpoints.hpp>

#include <pybind11/stl.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sporos::python {

namespace {

namespace py = pybind11;

// Returns the result as an object. Throws std::runtime_error if there is none because the time limit was over before
// the minimum work was done.
py::object checked(const std::optional<runtime::ResultDocument>& found, double time_limit, std::string_view min_work) {
  if (found) return object_of(*found);
  throw std::runtime_error(
      fmt::format("the time limit of {:g} s is over before {}: there are no results", time_limit, min_work));
}

// Returns the answer to a question that ends early by LaunchStopped.
template <auto request_of>
py::object answered(const runtime::ModelOptions& options, py::object progress) {
  const auto request = request_of(options);
  using Request = std::remove_const_t<decltype(request)>;
  std::optional<runtime::ResultDocument> found;
  session().run_launches(std::move(progress), request.time_limit, [&](const runtime::Backend& backend) {
    const auto start = runtime::Clock::now();
    try {
      const auto result = backend.run_with<typename Request::Task>(request.model->name, request);
      runtime::AnswerReport<Request> report{request, result, runtime::seconds_since(start),
                                            runtime::machine_of(backend)};
      if (is_ended_early(report)) report.ended_by = StopReason::time_limit;
      report.exact = exact_mean(request);
      found = document_of(report);
    } catch (const LaunchStopped&) {  // `found` stays empty
    }
  });
  return checked(found, request.time_limit, min_work(request));
}

// Returns the result of a sensitivity analysis or of an analysis of input uncertainty, whose experiment ends early by
// itself.
py::object analysed(const runtime::SensitivityRequest& request, py::object progress) {
  std::optional<runtime::ResultDocument> found;
  session().run_launches(std::move(progress), request.plan.time_limit, [&](const runtime::Backend& backend) {
    const auto start = runtime::Clock::now();
    const ExperimentResult result = run_simulation(backend, request.model->name, {{request.points, request.plan}});
    if (!runtime::has_enough(result)) return;
    const auto results = sensitivity_results(request, result);
    found = document_of(runtime::SensitivityReport{request, results, result.points.front().stopped_by,
                                                   runtime::seconds_since(start), runtime::machine_of(backend)});
  });
  return checked(found, request.plan.time_limit, "each design point had 2 observations");
}

py::dict dict_of(const SteadyStateProgress& progress, double seconds) {
  py::dict dict;
  dict["done"] = progress.observations;
  dict["at_most"] = progress.next_look;
  dict["seconds"] = seconds;
  return dict;
}

// Returns the result with steady-state means.
py::object steady_state_of(const runtime::SteadyStateRequest& request, py::object progress) {
  std::optional<runtime::ResultDocument> found;
  session().run(std::move(progress), [&](const runtime::Backend& backend, Watch& watch) {
    const auto start = runtime::Clock::now();
    const auto launcher =
        backend.run_with(request.model->name, runtime::SeriesTask{request.values, request.seed, request.runs});
    SeriesRuns runs(*launcher);
    const auto result =
        steady_state(runs, request.goal, [&](const SteadyStateProgress& now) -> std::optional<StopReason> {
          const double seconds = runtime::seconds_since(start);
          if (!watch.goes_on([&] { return dict_of(now, seconds); })) return StopReason::interrupted;
          return seconds >= request.time_limit ? std::optional(StopReason::time_limit) : std::nullopt;
        });
    found = document_of(runtime::SteadyStateReport{request, result, runtime::seconds_since(start),
                                                   runtime::machine_of(backend), exact_means(request)});
  });
  return object_of(*found);
}

// A question and the function that returns its answer, in the format of the command line's JSON.
struct Answer {
  const runtime::Question& question;
  py::object (*answer)(const runtime::ModelOptions& options, py::object progress);
};

template <const runtime::Question& question>
py::object analysed_as_asked(const runtime::ModelOptions& options, py::object progress) {
  return analysed(sensitivity_request(question, options), std::move(progress));
}

py::object steady_state_as_asked(const runtime::ModelOptions& options, py::object progress) {
  return steady_state_of(steady_state_request(options), std::move(progress));
}

// Returns the entry of the question that Python calls `name`; null if there is none.
const Answer* answer_named(const std::string& name) {
  using namespace runtime;
  static const Answer all[] = {{steady_state_question, steady_state_as_asked},
                               {rare_event_question, answered<rare_event_request>},
                               {multilevel_question, answered<multilevel_request>},
                               {stratify_question, answered<stratified_request>},
                               {array_rqmc_question, answered<array_rqmc_request>},
                               {sensitivity_question, analysed_as_asked<sensitivity_question>},
                               {input_uncertainty_question, analysed_as_asked<input_uncertainty_question>}};
  const std::string command = name_of_option(name);
  const auto found = std::ranges::find_if(all, [&](const Answer& one) { return one.question.command == command; });
  return found == std::end(all) ? nullptr : found;
}

// Answers the question that Python calls `name`; `lists` are the options that can be repeated.
py::object answer(const std::string& name, const std::string& model_name, const OptionTexts& texts,
                  const OptionLists& lists, const OptionTexts& parameters, py::object progress) {
  const auto& [question, answer] = *answer_named(name);
  const runtime::ModelDescription& model = model_with(model_name, parameters);
  check_model(question, model);
  return answer(model_options(question, model, parameters, texts, lists), std::move(progress));
}

}  // namespace

const runtime::Question* question_named(const std::string& name) {
  const Answer* const found = answer_named(name);
  return found == nullptr ? nullptr : &found->question;
}

void bind_answer(py::module_& module) {
  module.def("answer", answer, py::arg("question"), py::arg("model"), py::arg("options"), py::arg("lists"),
             py::arg("parameters"), py::arg("progress"),
             "Answers a question. Returns the result. `question` is the name of its Python function.");
}

}  // namespace sporos::python
