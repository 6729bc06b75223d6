// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "complaint.hpp"
#include "interruption.hpp"
#include "start_backend.hpp"
#include "status_line.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/laboratory/laboratory.hpp>
#include <sporos/runtime/laboratory/options.hpp>
#include <sporos/runtime/laboratory/report.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>

#include <sporos/core/execution/processes.hpp>

#include <algorithm>
#include <string_view>

namespace sporos::apps {

namespace {

// Runs an experiment, and gives what asked it to end.
EndRequest run(Laboratory& laboratory, const Backend& backend, Interruption& interruption, bool is_shown) {
  StatusLine line(is_shown);
  const auto start = Clock::now();
  LaunchLimit limit(interruption);
  const auto is_enough = [&](const ExperimentProgress& progress) {
    const double seconds = seconds_since(start);
    if (line.is_due(seconds)) {
      line.show(seconds, fmt::format("experiment: {} by {}, {} of {} done", progress.problem, progress.solver,
                                     progress.done, progress.all));
    }
    return interruption.end_request().has_come();
  };
  constexpr double time_of_measures = 0.3;
  laboratory.run(backend, is_enough, [&] { limit.extend(time_of_measures); });
  return interruption.end_request();
}

}  // namespace

int experiment_command(std::span<const std::string> arguments, Backend& backend) {
  const Arguments given = parsed(experiment_usage(), arguments);
  const OptionTable& options = given.options;
  ExperimentRequest request = experiment_request(options);
  const Format format = options.choice("format", Format::table);
  const auto settings = execution_settings(options, backend);
  const Destination destination(options.text("output"));
  const ReportFile page(options, "experiment");
  Laboratory laboratory(std::move(request));

  start_backend(backend, settings);
  check_same_task(options, 0);
  const auto start = Clock::now();
  Interruption interruption(laboratory.request().time_limit);
  const EndRequest end = run(laboratory, backend, interruption, shows_progress(options));
  interruption.begin_writing();
  const std::string cells =
      plural(static_cast<std::int64_t>(laboratory.cells()), "solver on a problem", "solvers on problems");
  if (laboratory.cells() == 0) {
    complain("ended before the first solver on a problem was done: there are no results");
    return end.signal != 0 ? exit_status_of(end.signal) : 1;
  }
  const ExperimentReport report =
      laboratory.report(end.has_come() ? end.word() : "complete", seconds_since(start), machine_of(backend));
  page.write(report, report.machine);
  destination.write(text_of(report, format));
  if (end.signal == 0) return 0;
  complain("interrupted after " + cells + ", whose results are written");
  return exit_status_of(end.signal);
}

}  // namespace sporos::apps
