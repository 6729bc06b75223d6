// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "failure.hpp"
#include "interruption.hpp"
#include "progress_line.hpp"
#include "run.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/solver_comparison/options.hpp>
#include <sporos/runtime/solver_comparison/report.hpp>
#include <sporos/runtime/solver_comparison/solver_comparison.hpp>

#include <sporos/core/execution/processes.hpp>

namespace sporos::apps {

namespace {

// Runs the comparison, and returns the request that ended it.
EndRequest run(SolverComparison& comparison, const Backend& backend, Interruption& interruption, bool is_shown) {
  StatusLine line(is_shown);
  const auto start = Clock::now();
  LaunchLimit limit(interruption);
  const auto is_enough = [&](const SolverComparisonProgress& progress) {
    const double seconds = seconds_since(start);
    if (line.is_due(seconds)) {
      line.show(seconds, fmt::format("compare-solvers: {} by {}, {} of {} done", progress.problem, progress.solver,
                                     progress.done, progress.all));
    }
    return interruption.end_request().has_come();
  };
  constexpr double time_of_measures = 0.3;
  comparison.run(backend, is_enough, [&] { limit.extend(time_of_measures); });
  return interruption.end_request();
}

}  // namespace

int compare_solvers_command(std::span<const std::string> arguments, Backend& backend) {
  const Arguments given = parsed(compare_solvers_usage(), arguments);
  const OptionTable& options = given.options;
  SolverComparisonRequest request = compare_solvers_request(options);
  check_table(options, {"comparison", "problems", "left_out", "effects", "solvers", "profiles", "curves", "ends"});
  const auto settings = execution_settings(options, backend);
  const ResultFiles files(options, "compare-solvers");
  SolverComparison comparison(std::move(request));

  start_backend(backend, settings);
  check_same_task(options, 0);
  const auto start = Clock::now();
  Interruption interruption(comparison.request().time_limit);
  const EndRequest end = run(comparison, backend, interruption, shows_progress(options));
  interruption.begin_writing();
  const std::string cells =
      plural(static_cast<std::int64_t>(comparison.cells()), "solver-problem pair", "solver-problem pairs");
  if (comparison.cells() == 0) {
    complain("ended before the first solver-problem pair finished: there are no results");
    return end.signal != 0 ? exit_status_of(end.signal) : 1;
  }
  files.write(document_of(comparison.report(end.reason(), seconds_since(start), machine_of(backend))));
  if (end.signal == 0) return 0;
  complain("interrupted after " + cells + ", whose results are written");
  return exit_status_of(end.signal);
}

}  // namespace sporos::apps
