// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "steady_state.hpp"

#include "complaint.hpp"
#include "interruption.hpp"
#include "start_backend.hpp"
#include "status_line.hpp"

#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/files/picture_files.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/steady_state/report.hpp>

#include <sporos/core/io/format.hpp>

#include <string>
#include <string_view>

namespace sporos::apps {

namespace {

std::string progress_text(const SteadyStateRequest& request, const SteadyStateProgress& progress) {
  const std::string excess =
      progress.excess > 0 ? fmt::format(", half-width {:.3g} times the wanted one", progress.excess) : "";
  return fmt::format("{}: {} of {} observations{}", request.model->name, progress.observations, progress.next_look,
                     excess);
}

}  // namespace

int estimate_steady_state(const SteadyStateRequest& request, const SimulateOptions& options, Backend& backend) {
  const auto settings = execution_settings(options.table, backend);
  const Destination destination(options.table.text("output"));
  const PictureFiles pictures(options.table.list("picture"));
  start_backend(backend, settings);
  const auto launcher = backend.runner_of(request.model->name).series(request.values, request.seed, request.runs);
  SeriesRuns runs(*launcher);
  Interruption interruption(request.time_limit);
  const auto start = Clock::now();
  StatusLine line(shows_progress(options.table));
  const SteadyStateResult result =
      steady_state(runs, request.goal, [&](const SteadyStateProgress& progress) -> std::string_view {
        const double seconds = seconds_since(start);
        if (line.is_due(seconds)) line.show(seconds, progress_text(request, progress));
        if (interruption.signal() != 0) return "interrupted";
        return seconds >= request.time_limit ? "time" : "";
      });
  interruption.begin_writing();
  const SteadyStateReport report{request, result, seconds_since(start), machine_of(backend)};
  if (!pictures.empty()) pictures.draw(picture_of(report, runs));
  destination.write(text_of(report, options.format));
  if (interruption.signal() != 0) {
    complain(fmt::format("interrupted after {}, whose results are written",
                         plural(result.observations, "observation", "observations")));
    return exit_status_of(interruption.signal());
  }
  const std::string missed = missed_precision(request, result);
  if (!missed.empty()) complain(missed);
  return missed.empty() ? 0 : 2;
}

}  // namespace sporos::apps
