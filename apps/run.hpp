// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "failure.hpp"
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

/// The way in which a run has ended.
struct Ending {
  int status = 0;               ///< exit status of the program
  std::string message = {};     ///< why the run missed its goal; empty if it did not
  bool is_interrupted = false;  ///< whether a signal ended the run; the message then also names the checkpoint

  /// Returns the ending of a run that `signal` ended.
  static Ending interrupted(int signal, std::string message) {
    return {exit_status_of(signal), std::move(message), true};
  }
  /// Returns the ending of a run that `signal` ended after the work that `done` describes, such as "3 iterations".
  static Ending interrupted_after(int signal, const std::string& done) {
    return interrupted(signal, "interrupted after " + done + ", whose results are written");
  }
};

/// The means by which a run is controlled while it computes.
struct RunControl {
  Interruption& interruption;  ///< source of requests to end
  bool shows_progress;         ///< whether progress is shown on a terminal
  /// Checkpoint in which the run saves its state from time to time; only the first of several processes has one.
  const std::optional<KeptRun>& kept;
  /// For another thread, by Interruption::rescue_by: writes the results so far, concludes the run, and returns the exit
  /// status.
  std::function<int(int signal)> write;
};

/// A computation of a command, with its data loaded and its output files known to be writable. Derived classes define
/// the steps in which such commands differ.
class Run {
 public:
  Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  virtual ~Run() = default;

  /// Returns the number of seconds after which the run must end.
  virtual double time_limit() const { return std::numeric_limits<double>::infinity(); }
  /// Returns the description that identifies the run in its checkpoint: everything that determines the result.
  virtual io::Json description() const = 0;
  /// Called after `backend` is started. Throws std::invalid_argument on all processes if their requests differ.
  /// Collective.
  virtual void start(const Backend&) {}
  /// Continues from the state that a checkpoint holds; `what` names the state in messages. Returns the progress of that
  /// state for messages, such as "3 iterations".
  virtual std::string restore(const io::Json& state, const std::string& what) = 0;
  /// Computes until the run ends or is requested to end.
  virtual void compute(const Backend& backend, const RunControl& control) = 0;
  /// Makes the results of the computation. Returns a sentence with the reason if there are none. Collective.
  virtual std::optional<std::string> make_results() { return std::nullopt; }
  /// Whether the run is complete, so that nothing is left to continue.
  virtual bool has_ended() const = 0;
  /// Returns the state that a checkpoint stores.
  virtual io::Json state() const = 0;
  /// Writes all files of a run that took `seconds`, and the report last.
  virtual void write(const Machine& machine, double seconds) = 0;
  /// Returns how the run has ended; `signal` is the signal that was received, or 0.
  virtual Ending ending(int signal) const = 0;
};

/// Reports that a run was requested to end before the event that `before` describes, such as "the run began", and
/// returns the exit status.
int conclude_too_early(const Interruption& interruption, std::string_view before);

/// Runs `run` and returns the exit status. Opens its checkpoint, starts the backend, continues from the state in the
/// checkpoint if there is one, computes and writes the results. Then saves the state or removes the checkpoint, and
/// reports why the run missed its goal. `options` have --checkpoint, --every and --no-progress.
int carry_out(Run& run, const OptionTable& options, const ExecutionSettings& settings, Backend& backend);

/// Starts the backend, and sets the device that messages about later failures name.
inline void start_backend(runtime::Backend& backend, const ExecutionSettings& settings) {
  backend.start(settings);
  set_failing_device(backend.device() + " (" + std::string(backend.name()) + ")");
}

}  // namespace sporos::apps
