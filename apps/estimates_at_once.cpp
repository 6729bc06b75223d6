// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "complaint.hpp"
#include "interruption.hpp"
#include "run.hpp"
#include "start_backend.hpp"

#include <sporos/runtime/array_rqmc/report.hpp>
#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/multilevel/report.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/rare_events/report.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/stratification/report.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sporos::apps {

namespace {

template <class Report>
int conclude(const Report& report, int signal) {
  const bool is_interrupted = signal != 0 && report.ended_by;
  const std::string message = is_interrupted
                                  ? fmt::format("interrupted after {}, whose results are written", done_text(report))
                                  : missed_goal(report);
  if (!message.empty()) complain(message);
  if (is_interrupted) return exit_status_of(signal);
  return message.empty() ? 0 : 2;
}

// Runs the task that `request` describes and writes the result. The run keeps no checkpoint. If it ends early, the
// result covers the finished work, provided that this is at least the minimum work. Several processes share the work,
// and all have the result.
template <class Task, class Report, class Request>
int carry_out_at_once(const Question& question, const Request& request, const ModelOptions& options, Backend& backend) {
  const auto settings = execution_settings(options.table, backend);
  const Destination destination(options.table.text("output"));
  const ReportFile page(options.table, fmt::format("{} {}", question.command, request.model->name));
  start_backend(backend, settings);
  const auto start = Clock::now();
  Interruption interruption(request.time_limit);
  std::optional<typename Task::Result> result;
  try {
    const LaunchLimit limit(interruption);
    together(processes(), [&] { result.emplace(backend.run_with<Task>(request.model->name, request)); });
  } catch (const LaunchStopped&) {
    return conclude_too_early(interruption, min_work(request));
  }
  const Machine machine = machine_of(backend);
  Report report{request, *result, seconds_since(start), machine};
  if (is_ended_early(report))
    report.ended_by = interruption.signal() != 0 ? StopReason::interrupted : StopReason::time_limit;
  const auto write = [&](int signal) {
    ResultDocument document = document_of(report);
    for (std::string& note : notes_of(options, request.values)) document.notes.push_back(std::move(note));
    page.write(document);
    destination.write(text_of(document, options.table));
    return conclude(report, signal);
  };
  report.exact = interruption.completed(write, [&] { return exact_mean(request); });
  interruption.begin_writing();
  return write(interruption.signal());
}

}  // namespace

int rare_event_command(std::span<const std::string> arguments, Backend& backend) {
  const ModelOptions options = parsed_question(rare_event_question, arguments);
  const RareEventRequest request = rare_event_request(options);
  check_table(options.table, request.method == RareMethod::importance
                                 ? std::vector<std::string>{"probabilities", "steps", "levels", "tilts"}
                                 : std::vector<std::string>{"probabilities", "runs", "levels"});
  return carry_out_at_once<RareEventTask, RareEventReport>(rare_event_question, request, options, backend);
}

int multilevel_command(std::span<const std::string> arguments, Backend& backend) {
  const ModelOptions options = parsed_question(multilevel_question, arguments);
  check_table(options.table, {"means", "levels"});
  return carry_out_at_once<MultilevelTask, MultilevelReport>(multilevel_question, multilevel_request(options), options,
                                                             backend);
}

int stratify_command(std::span<const std::string> arguments, Backend& backend) {
  const ModelOptions options = parsed_question(stratify_question, arguments);
  check_table(options.table, {"means", "strata"});
  return carry_out_at_once<StratifiedTask, StratifiedReport>(stratify_question, stratified_request(options), options,
                                                             backend);
}

int array_rqmc_command(std::span<const std::string> arguments, Backend& backend) {
  const ModelOptions options = parsed_question(array_rqmc_question, arguments);
  check_table(options.table, {"means", "randomizations"});
  return carry_out_at_once<ArrayRqmcTask, ArrayRqmcReport>(array_rqmc_question, array_rqmc_request(options), options,
                                                           backend);
}

}  // namespace sporos::apps
