// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run.hpp"

#include "complaint.hpp"
#include "start_backend.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/duration.hpp>

#include <sporos/core/execution/processes.hpp>

namespace sporos::apps {

namespace {

// What cannot go on is not kept; what was interrupted may.
int conclude_without_results(const Run& run, const std::optional<KeptRun>& kept, int signal, const std::string& why) {
  if (kept && signal != 0) kept->save(run.state());
  if (kept && signal == 0) kept->remove();
  complain(why);
  return 1;
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
  keep(kept, options, [&] { return run.description(); });
  start_backend(backend, settings);
  run.start(backend);
  restore(run, kept, options);

  const auto start = Clock::now();
  const auto write = [&](int signal) {
    if (const auto why = run.make_results()) return conclude_without_results(run, kept, signal, *why);
    const double seconds = seconds_since(start);
    write_kept(
        kept, run.has_ended(), [&] { return run.state(); }, [&] { run.write(machine_of(backend), seconds); });
    return conclude(run, kept, signal);
  };
  Interruption interruption(run.time_limit(), [&] { return note_of(kept); });
  run.compute(backend, {interruption, shows_progress(options), kept, write});
  interruption.begin_writing();
  return write(interruption.signal());
}

}  // namespace sporos::apps
