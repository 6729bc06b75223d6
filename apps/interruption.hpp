// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime_names.hpp"
#include "watchdog.hpp"

#include <sporos/runtime/options/duration.hpp>

#include <sporos/core/replication/result.hpp>

#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sporos::apps {

/// While an object of this class lives and no Interruption, SIGINT and SIGTERM end this process, if it is alone, by one
/// sentence and with their exit status, at once: input is read, maybe from a pipe that nobody writes to.
class EndOnSignals {
 public:
  EndOnSignals();
  EndOnSignals(const EndOnSignals&) = delete;
  EndOnSignals& operator=(const EndOnSignals&) = delete;
  ~EndOnSignals();
};

/// A request that a run end.
struct EndRequest {
  int signal = 0;        ///< the signal that came, 0 where none did
  bool is_late = false;  ///< whether the time limit is over

  /// Whether anything does.
  bool has_come() const { return signal != 0 || is_late; }
  /// The reason, for reports; nothing if the run need not end.
  std::optional<StopReason> reason() const {
    if (signal != 0) return StopReason::interrupted;
    return is_late ? std::optional(StopReason::time_limit) : std::nullopt;
  }
};

/// While an object of this class lives, the first SIGINT or SIGTERM is only noted: whoever computes is to look at it,
/// and to end soon. A moment later (grace_period) a process alone is ended all the same, within a second of the signal,
/// and any process after a limit of time; what others have written by then stays, whole. A second signal ends a process
/// alone at once.
class Interruption {
 public:
  /// Of a run to be ended after `time_limit` seconds; `kept` gives what the message about that says of a checkpoint.
  explicit Interruption(double time_limit = std::numeric_limits<double>::infinity(),
                        std::function<std::string()> kept = {});
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  /// The signal that came, 0 where none did.
  int signal() const;

  /// Counts the time limit from now on.
  void restart_time();

  /// Whether the time limit is over.
  bool is_late() const;

  /// The request to end that any of the processes received. Collective.
  EndRequest end_request() const;

  /// The reason why the run ends, for messages: "interrupted", or "the time limit of 2 s is over".
  std::string reason() const { return reason_of(signal()); }

  /// Told that nothing is computed any more, only written: after a signal or the time limit before, as long as that
  /// takes. There is no rescue then, but where it is given anew.
  void begin_writing();

  /// How another thread writes what there is and returns the exit status, or nothing where there is nothing: `rescue`
  /// is called with the signal, 0 for the time limit, where who computes has not ended in time.
  void rescue_by(std::function<std::optional<int>(int signal)> rescue);

  /// Returns what `compute` returns. Where a signal or the time limit comes and `compute` takes too long, `write` is
  /// called by another thread, writes the results without that, and returns the exit status.
  template <class Compute>
  auto completed(std::function<int(int signal)> write, const Compute& compute) {
    rescue_by(std::move(write));
    struct End {
      Interruption& interruption;
      ~End() { interruption.rescue_by({}); }
    } const end{*this};
    return compute();
  }

 private:
  friend class LaunchLimit;

  // When launches are asked to end: so many seconds after a signal or the time limit, but not before `earliest`, in
  // seconds since the start.
  struct LaunchRule {
    double after;
    double earliest;
  };

  void set_launch_rule(std::optional<LaunchRule> rule);
  void look();
  void end(int signal);
  std::string reason_of(int signal) const;
  std::string unfinished(int signal) const;

  double m_time_limit;
  bool m_is_alone;
  std::function<std::string()> m_kept;
  Clock::time_point m_start = Clock::now();
  std::mutex m_mutex;  // of what follows; whoever ends the program keeps it
  std::function<std::optional<int>(int)> m_rescue;
  std::optional<double> m_signal_at;  // seconds since the start, seen by the watchdog
  bool m_is_computing = true;
  std::optional<LaunchRule> m_launch_rule;
  bool m_heeds_signal = false;  // writes because of it
  std::optional<Watchdog> m_watchdog;
};

/// While an object of this class lives, launches of replications are asked to end (request_launch_stop) after a signal
/// or the time limit. Code that computes meanwhile handles LaunchStopped. Several processes end after a piece
/// (request_piece_stop): none of them may end a launch alone.
class LaunchLimit {
 public:
  /// Launches are asked to end `after` seconds after a signal or the time limit.
  explicit LaunchLimit(Interruption& interruption, double after = 0);
  LaunchLimit(const LaunchLimit&) = delete;
  LaunchLimit& operator=(const LaunchLimit&) = delete;
  ~LaunchLimit();

  /// Lets launches begin again, for so many seconds.
  void extend(double seconds);

 private:
  Interruption& m_interruption;
};

/// The exit status of a program that `signal` has ended, as shells have it.
constexpr int exit_status_of(int signal) { return 128 + signal; }

}  // namespace sporos::apps
