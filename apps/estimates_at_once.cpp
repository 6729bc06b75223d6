// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "complaint.hpp"
#include "interruption.hpp"
#include "run.hpp"
#include "start_backend.hpp"

#include <sporos/runtime/array_rqmc/report.hpp>
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

// Computes the answer to `request`, of which nothing can be kept, and writes it. If it is ended early, the results are
// of what is done, if that is the least work. Several processes share the work, and all have the result.
template <class Report, class Request, class Compute>
int carry_out_at_once(const Question& question, const Request& request, const ModelOptions& options, Backend& backend,
                      const Compute& compute) {
  const auto settings = execution_settings(options.table, backend);
  const Destination destination(options.table.text("output"));
  const ReportFile page(options.table, fmt::format("{} {}", question.command, request.model->name));
  start_backend(backend, settings);
  const auto start = Clock::now();
  Interruption interruption(request.time_limit);
  std::optional<decltype(compute(request, backend))> result;
  try {
    const LaunchLimit limit(interruption);
    together(processes(), [&] { result.emplace(compute(request, backend)); });
  } catch (const LaunchStopped&) {
    return conclude_too_early(interruption, least_work(request));
  }
  const Machine machine = machine_of(backend);
  Report report{request, *result, seconds_since(start), machine};
  if (is_ended_early(report))
    report.ended_by = interruption.signal() != 0 ? StopReason::interrupted : StopReason::time_limit;
  const auto write = [&](int signal) {
    const ResultDocument document = document_of(report);
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
  return carry_out_at_once<RareEventReport>(rare_event_question, request, options, backend, rare_event_result);
}

int multilevel_command(std::span<const std::string> arguments, Backend& backend) {
  const ModelOptions options = parsed_question(multilevel_question, arguments);
  check_table(options.table, {"means", "levels"});
  return carry_out_at_once<MultilevelReport>(multilevel_question, multilevel_request(options), options, backend,
                                             multilevel_result_of);
}

int stratify_command(std::span<const std::string> arguments, Backend& backend) {
  const ModelOptions options = parsed_question(stratify_question, arguments);
  check_table(options.table, {"means", "strata"});
  return carry_out_at_once<StratifiedReport>(stratify_question, stratified_request(options), options, backend,
                                             stratified_result_of);
}

int array_rqmc_command(std::span<const std::string> arguments, Backend& backend) {
  const ModelOptions options = parsed_question(array_rqmc_question, arguments);
  check_table(options.table, {"means", "randomizations"});
  return carry_out_at_once<ArrayRqmcReport>(array_rqmc_question, array_rqmc_request(options), options, backend,
                                            array_rqmc_result);
}

}  // namespace sporos::apps
