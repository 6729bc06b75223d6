// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "interruption.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/options/usage.hpp>

#include <sporos/core/execution/execution_settings.hpp>
#include <sporos/core/io/json.hpp>

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sporos::apps {

/// How a run has ended.
struct Ending {
  int status = 0;               ///< of the program
  std::string message = {};     ///< what kept it from its goal; empty where nothing did
  bool is_interrupted = false;  ///< by a signal: the message says where the run is kept, too

  /// That of a run that `signal` has ended.
  static Ending interrupted(int signal, std::string message) {
    return {exit_status_of(signal), std::move(message), true};
  }
  /// The same, where it had come so far: "3 iterations".
  static Ending interrupted_after(int signal, const std::string& done) {
    return interrupted(signal, "interrupted after " + done + ", whose results are written");
  }
};

/// What a run under way is given.
struct RunControl {
  Interruption& interruption;            ///< what asks it to end
  bool shows_progress;                   ///< on a terminal
  const std::optional<KeptRun>& kept;    ///< where it keeps its state now and then; of several processes the first does
  std::function<int(int signal)> write;  ///< for another thread, by Interruption::rescue_by: writes the results so far,
                                         ///< concludes, and returns the exit status
};

/// A computation of a command, with its data loaded and its files known to be writable: in what such commands differ.
class Run {
 public:
  Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  virtual ~Run() = default;

  /// Seconds after which it is to end.
  virtual double time_limit() const { return std::numeric_limits<double>::infinity(); }
  /// What a checkpoint of it is of: all that decides the result.
  virtual io::Json description() const = 0;
  /// Called once `backend` is started. Throws std::invalid_argument on all processes where they are not asked for the
  /// same. Collective.
  virtual void start(const Backend&) {}
  /// Makes it go on from the state that a checkpoint holds, which messages call `what`; how far that is, for people: "3
  /// iterations".
  virtual std::string restore(const io::Json& state, const std::string& what) = 0;
  /// Computes, until it ends or is asked to.
  virtual void compute(const Backend& backend, const RunControl& control) = 0;
  /// Makes the results of what was computed; a sentence why there are none, where there are none. Collective.
  virtual std::optional<std::string> make_results() { return std::nullopt; }
  /// Whether there is nothing left to go on with.
  virtual bool has_ended() const = 0;
  /// What a checkpoint holds.
  virtual io::Json state() const = 0;
  /// Writes all files, of a run that took so many seconds, the report last.
  virtual void write(const Machine& machine, double seconds) = 0;
  /// What has come of it, where `signal` came or, if that is 0, none.
  virtual Ending ending(int signal) const = 0;
};

/// Says that a run was asked to end before it had come so far, as in "the run began", and returns the exit status.
int conclude_too_early(const Interruption& interruption, std::string_view before);

/// Carries out a run: opens its checkpoint, starts the backend, goes on from the checkpoint where that holds a state,
/// computes, writes the results, keeps the state or removes the checkpoint, and says what kept the run from its goal.
/// The exit status. `options` have --checkpoint, --every and --no-progress.
int carry_out(Run& run, const OptionTable& options, const ExecutionSettings& settings, Backend& backend);

}  // namespace sporos::apps
