// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json_text.hpp>

#include <limits>

namespace sporos::apps {

namespace {

// Ends a run that has no results. Keeps the checkpoint only if the run was interrupted or reached its time limit.
int conclude_without_results(const Run& run, const std::optional<KeptRun>& kept, int signal, const std::string& why) {
  const bool goes_on = signal != 0 || !run.has_ended();
  if (kept && goes_on) kept->save(run.state());
  if (kept && !goes_on) kept->remove();
  complain(why);
  return signal != 0 ? exit_status_of(signal) : 1;
}

int conclude(const Run& run, const std::optional<KeptRun>& kept, int signal) {
  const Ending ending = run.ending(signal);
  if (!ending.message.empty()) {
    complain(ending.message + (ending.is_interrupted && kept ? kept->note() : ""));
  }
  return ending.status;
}

// Continues from the state in the checkpoint, if there is one. All processes use the state that the first one has read.
void restore(Run& run, const std::optional<KeptRun>& kept, const OptionTable& options) {
  const OptionText& path = options.text("checkpoint");
  if (!path) return;
  const std::string text = text_of_first(processes(), kept && kept->state() ? kept->state()->dump() : "");
  if (text.empty()) return;
  const std::string name = *path + ": state";
  std::string done;
  together(processes(), [&] { done = run.restore(io::parse_json(name, text), name); });
  if (kept) kept->announce(done, shows_progress(options));
}

}  // namespace

int conclude_too_early(const Interruption& interruption, std::string_view before) {
  complain(fmt::format("{} before {}: no results are written", interruption.reason(), before));
  return interruption.signal() != 0 ? exit_status_of(interruption.signal()) : 1;
}

int carry_out(Run& run, const OptionTable& options, const ExecutionSettings& settings, Backend& backend) {
  std::optional<KeptRun> kept;
  Interruption interruption(std::numeric_limits<double>::infinity(), [&] { return note_of(kept); });
  keep(kept, options, [&] { return run.description(); });
  start_backend(backend, settings);  // takes up to seconds on a GPU
  interruption.limit_time(run.time_limit());
  try {
    const LaunchLimit limit(interruption);
    run.start(backend);
    restore(run, kept, options);
  } catch (const LaunchStopped&) {
    return conclude_too_early(interruption, "the run began");
  }

  const auto start = Clock::now();
  const auto write = [&](int signal) {
    if (const auto why = run.make_results()) return conclude_without_results(run, kept, signal, *why);
    const double seconds = seconds_since(start);
    write_kept(
        kept, run.has_ended(), [&] { return run.state(); }, [&] { run.write(machine_of(backend), seconds); });
    return conclude(run, kept, signal);
  };
  run.compute(backend, {interruption, shows_progress(options), kept, write});
  interruption.begin_writing();
  return write(interruption.signal());
}

}  // namespace sporos::apps
