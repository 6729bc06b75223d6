// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "failure.hpp"
#include "interruption.hpp"
#include "run.hpp"

#include <sporos/runtime/array_rqmc/array_rqmc.hpp>
#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/multilevel/multilevel.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/rare_events/rare_events.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/stratification/stratification.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

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

// Answers a question and writes the result. The run keeps no checkpoint. If it ends early, the result covers the
// finished work, provided that this is at least the minimum work. Several processes share the work, and all have the
// result.
template <auto request_of>
int answer_at_once(const Question& question, std::span<const std::string> arguments, Backend& backend) {
  const ModelOptions options = parsed_question(question, arguments);
  const auto request = request_of(options);
  using Request = std::remove_const_t<decltype(request)>;
  const auto settings = execution_settings(options.table, backend);
  const ResultFiles files(options.table, fmt::format("{} {}", question.command, request.model->name));
  start_backend(backend, settings);
  const auto start = Clock::now();
  Interruption interruption(request.time_limit);
  std::optional<typename Request::Result> result;
  try {
    const LaunchLimit limit(interruption);
    together(processes(),
             [&] { result.emplace(backend.run_with<typename Request::Task>(request.model->name, request)); });
  } catch (const LaunchStopped&) {
    return conclude_too_early(interruption, min_work(request));
  }
  const Machine machine = machine_of(backend);
  AnswerReport<Request> report{request, *result, seconds_since(start), machine};
  if (is_ended_early(report))
    report.ended_by = interruption.signal() != 0 ? StopReason::interrupted : StopReason::time_limit;
  const auto write = [&](int signal) {
    ResultDocument document = document_of(report);
    for (std::string& note : notes_of(options, request.values)) document.notes.push_back(std::move(note));
    files.write(document);
    return conclude(report, signal);
  };
  report.exact = interruption.completed(write, [&] { return exact_mean(request); });
  interruption.begin_writing();
  return write(interruption.signal());
}

}  // namespace

int rare_event_command(std::span<const std::string> arguments, Backend& backend) {
  return answer_at_once<rare_event_request>(rare_event_question, arguments, backend);
}

int multilevel_command(std::span<const std::string> arguments, Backend& backend) {
  return answer_at_once<multilevel_request>(multilevel_question, arguments, backend);
}

int stratify_command(std::span<const std::string> arguments, Backend& backend) {
  return answer_at_once<stratified_request>(stratify_question, arguments, backend);
}

int array_rqmc_command(std::span<const std::string> arguments, Backend& backend) {
  return answer_at_once<array_rqmc_request>(array_rqmc_question, arguments, backend);
}

}  // namespace sporos::apps
