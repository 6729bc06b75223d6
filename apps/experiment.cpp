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

// What asks an experiment to end.
struct AskedToEnd {
  int signal;
  bool is_time;
};

// Why an experiment ended, where something asked it to.
struct ExperimentEnd {
  int signal = 0;
  bool is_time = false;

  bool has_come() const { return signal != 0 || is_time; }
  std::string_view word() const { return signal != 0 ? "interrupted" : is_time ? "time" : "complete"; }
};

ExperimentEnd run(Laboratory& laboratory, const Backend& backend, Interruption& interruption, bool is_shown) {
  ExperimentEnd end;
  const auto look = [&] {
    for (const auto& [signal, is_time] :
         gather(processes(), AskedToEnd{interruption.signal(), interruption.is_late()})) {
      end.signal = std::max(end.signal, signal);
      end.is_time = end.is_time || is_time;
    }
  };
  StatusLine line(is_shown);
  const auto start = Clock::now();
  interruption.stop_launches();
  const auto is_enough = [&](const ExperimentProgress& progress) {
    const double seconds = seconds_since(start);
    look();
    if (line.is_due(seconds)) {
      line.show(seconds, fmt::format("experiment: {} by {}, {} of {} done", progress.problem, progress.solver,
                                     progress.done, progress.all));
    }
    return end.has_come();
  };
  constexpr double time_of_measures = 0.3;
  laboratory.run(backend, is_enough, [&] { interruption.allow_launches(time_of_measures); });
  look();
  return end;
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
  const ExperimentEnd end = run(laboratory, backend, interruption, shows_progress(options));
  interruption.begin_writing();
  const std::string cells =
      plural(static_cast<std::int64_t>(laboratory.cells()), "solver on a problem", "solvers on problems");
  if (laboratory.cells() == 0) {
    complain("ended before the first solver on a problem was done: there are no results");
    return end.signal != 0 ? exit_status_of(end.signal) : 1;
  }
  const ExperimentReport report = laboratory.report(end.word(), seconds_since(start), machine_of(backend));
  page.write(report, report.machine);
  destination.write(text_of(report, format));
  if (end.signal == 0) return 0;
  complain("interrupted after " + cells + ", whose results are written");
  return exit_status_of(end.signal);
}

}  // namespace sporos::apps
