// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run.hpp"

#include "complaint.hpp"
#include "start_backend.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/duration.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json_text.hpp>

namespace sporos::apps {

namespace {

// Keeps the checkpoint only of a run that was interrupted or reached its time limit.
int conclude_without_results(const Run& run, const std::optional<KeptRun>& kept, int signal, const std::string& why) {
  const bool goes_on = signal != 0 || !run.has_ended();
  if (kept && goes_on) kept->save(run.state());
  if (kept && !goes_on) kept->remove();
  complain(why);
  return signal != 0 ? exit_status_of(signal) : 1;
}

// The exit status of a run that was interrupted before it began.
int conclude_before_the_start(const Interruption& interruption, double time_limit) {
  const int signal = interruption.signal();
  const std::string cause = signal != 0 ? "interrupted" : fmt::format("the time limit of {:g} s is over", time_limit);
  complain(cause + " before the run began: no results are written");
  return signal != 0 ? exit_status_of(signal) : 1;
}

int conclude(const Run& run, const std::optional<KeptRun>& kept, int signal) {
  const Ending ending = run.ending(signal);
  if (!ending.message.empty()) {
    complain(ending.message + (ending.is_interrupted && kept ? kept->note() : ""));
  }
  return ending.status;
}

// Where the checkpoint holds a state, all processes go on from what the first has read.
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

int carry_out(Run& run, const OptionTable& options, const ExecutionSettings& settings, Backend& backend) {
  std::optional<KeptRun> kept;
  Interruption interruption(run.time_limit(), [&] { return note_of(kept); });
  keep(kept, options, [&] { return run.description(); });
  start_backend(backend, settings);
  interruption.restart_time();
  try {
    interruption.stop_launches();
    run.start(backend);
    restore(run, kept, options);
  } catch (const LaunchStopped&) {
    return conclude_before_the_start(interruption, run.time_limit());
  }

  const auto start = Clock::now();
  const auto write = [&](int signal) {
    if (const auto why = run.make_results()) return conclude_without_results(run, kept, signal, *why);
    const double seconds = seconds_since(start);
    write_kept(
        kept, run.has_ended(), [&] { return run.state(); }, [&] { run.write(machine_of(backend), seconds); });
    return conclude(run, kept, signal);
  };
  interruption.keep_launches();
  run.compute(backend, {interruption, shows_progress(options), kept, write});
  interruption.begin_writing();
  return write(interruption.signal());
}

}  // namespace sporos::apps
