// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "complaint.hpp"
#include "interruption.hpp"
#include "start_backend.hpp"
#include "status_line.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/files/picture_files.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/selection/model_selection.hpp>
#include <sporos/runtime/selection/options.hpp>
#include <sporos/runtime/selection/report.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace sporos::apps {

namespace {

// What asks a selection to end.
struct AskedEnd {
  int signal;
  bool is_time;
};

// Runs the selection and shows how far it is; the signal that ended it, or 0.
int run_selection(ModelSelection& selection, const Interruption& interruption, bool is_shown) {
  StatusLine line(is_shown);
  const auto start = Clock::now();
  int signal = 0;
  selection.run([&](const SelectionStep& step) -> std::string_view {
    const double seconds = seconds_since(start);
    bool is_late = false;
    for (const auto& [other, is_time] :
         gather(processes(), AskedEnd{interruption.signal(), seconds >= selection.request().time_limit})) {
      signal = std::max(signal, other);
      is_late = is_late || is_time;
    }
    if (line.is_due(seconds)) {
      line.show(seconds, fmt::format("{}: {}, {}, {}", selection.request().model->name, step.stage,
                                     plural(step.survivors, "survivor", "survivors"),
                                     plural(step.replications, "replication", "replications")));
    }
    return signal != 0 ? "interrupted" : is_late ? "time" : "";
  });
  return signal;
}

}  // namespace

int select_command(std::span<const std::string> arguments, Backend& backend) {
  const ModelDescription& model = selected_model(arguments);
  const Arguments given = parsed(select_usage(model), arguments.subspan(1));
  ModelSelection selection(selection_request(model, given.options));
  const Format format = given.options.choice("format", Format::table);
  const auto settings = execution_settings(given.options, backend);
  const Destination destination(given.options.text("output"));
  const PictureFiles pictures(given.options.list("picture"));

  start_backend(backend, settings);
  check_same_task(given.options, 0);
  selection.start(backend);
  const auto start = Clock::now();
  Interruption interruption(selection.request().time_limit);
  const int signal = run_selection(selection, interruption, shows_progress(given.options));
  interruption.begin_writing();
  const SelectionReport report = selection.report(seconds_since(start), machine_of(backend));
  if (!pictures.empty()) pictures.draw(picture_of(report));
  destination.write(text_of(report, format));
  if (signal == 0) return 0;
  complain("interrupted after " + plural(report.replications, "replication", "replications") +
           ", whose results are written");
  return exit_status_of(signal);
}

}  // namespace sporos::apps
