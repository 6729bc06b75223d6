// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime_names.hpp"

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/replication/result.hpp>

#include <condition_variable>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace sporos::apps {

/// Seconds after a signal or a time limit within which a program may end by itself.
inline constexpr double grace_period = 0.8;

/// A thread that calls a function twenty times a second while the object lives.
class Watchdog {
 public:
  /// Calls `look`, which returns or ends the program, in a thread called `name`, which has at most 15 characters.
  Watchdog(const char* name, std::function<void()> look);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

 private:
  std::function<void()> m_look;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_ends = false;
  std::thread m_thread;  // uses all members above
};

/// Ends the program, whatever its other threads do. Writes `message` on standard error and removes temporary files.
[[noreturn]] void end_program(int status, std::string_view message);

/// Ends the program if its input is not read within a time limit, while an object of this class lives.
class ReadingLimit {
 public:
  /// Ends the program if the object still lives `seconds` plus grace_period from now; never if `seconds` is infinite.
  explicit ReadingLimit(double seconds);

 private:
  std::optional<Watchdog> m_watchdog;
};

/// Immediately ends a single process if SIGINT or SIGTERM arrives while it reads its input, which may be a pipe to
/// which nobody writes. The process prints one sentence and returns the signal's exit status. Applies while an object
/// of this class but no Interruption lives.
class EndOnSignals {
 public:
  EndOnSignals();
  EndOnSignals(const EndOnSignals&) = delete;
  EndOnSignals& operator=(const EndOnSignals&) = delete;
  ~EndOnSignals();
};

/// A request to end a run.
struct EndRequest {
  int signal = 0;        ///< signal that was received, or 0
  bool is_late = false;  ///< whether the time limit has passed

  /// Whether there is a reason to end the run.
  bool has_come() const { return signal != 0 || is_late; }
  /// Returns the reason for reports; empty if the run need not end.
  std::optional<StopReason> reason() const {
    if (signal != 0) return StopReason::interrupted;
    return is_late ? std::optional(StopReason::time_limit) : std::nullopt;
  }
};

/// Records the first SIGINT or SIGTERM while an object of this class lives, instead of ending the process. The
/// computation must check for the signal and end soon. A single process is otherwise ended after grace_period, within a
/// second of the signal. Every process is ended some time after its time limit. Files that were already written stay
/// complete. A second signal immediately ends a single process.
class Interruption {
 public:
  /// Watches a run that must end after `time_limit` seconds. `kept` returns the note on the checkpoint for the message
  /// about an unfinished run.
  explicit Interruption(double time_limit = std::numeric_limits<double>::infinity(),
                        std::function<std::string()> kept = {});
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  /// Returns the signal that was received, or 0.
  int signal() const;

  /// Sets a time limit that counts from now.
  void limit_time(double seconds);

  /// Whether the time limit has passed.
  bool is_late() const;

  /// Returns the request to end that any of the processes has received. Collective.
  EndRequest end_request() const;

  /// Returns the reason why the run ends, for messages: "interrupted", or "the time limit of 2 s is over".
  std::string reason() const { return reason_of(signal()); }

  /// Declares that the computation is over and only writing remains. After an earlier signal or the time limit, writing
  /// may take any time. Removes the function of rescue_by, which may be set again.
  void begin_writing();

  /// Sets the function by which another thread writes the results so far if the computation does not end in time.
  /// `rescue` receives the signal, 0 for the time limit, and returns the exit status, or nothing if there are no
  /// results.
  void rescue_by(std::function<std::optional<int>(int signal)> rescue);

  /// Returns the result of `compute`. If a signal or the time limit comes and `compute` takes too long, another thread
  /// calls `write`. It must write the results without that of `compute`, and return the exit status.
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

  // Launches are requested to stop `after` seconds after a signal or the time limit, but not before `earliest`, in
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
  bool m_is_single;
  std::function<std::string()> m_kept;
  Clock::time_point m_start = Clock::now();
  std::mutex m_mutex;  // guards the members below; the thread that ends the program keeps it
  std::function<std::optional<int>(int)> m_rescue;
  std::optional<double> m_signal_at;  // seconds since the start, as seen by the watchdog
  bool m_is_computing = true;
  std::optional<LaunchRule> m_launch_rule;
  bool m_heeds_signal = false;  // whether the run writes because of the signal
  std::optional<Watchdog> m_watchdog;
};

/// Requests launches of replications to stop (request_launch_stop) after a signal or the time limit, while an object of
/// this class lives. Code that computes meanwhile must handle LaunchStopped. Several processes stop after a piece
/// instead (request_piece_stop), because one process may not stop a launch while the others continue.
class LaunchLimit {
 public:
  /// Requests launches to stop `after` seconds after a signal or the time limit.
  explicit LaunchLimit(Interruption& interruption, double after = 0);
  LaunchLimit(const LaunchLimit&) = delete;
  LaunchLimit& operator=(const LaunchLimit&) = delete;
  ~LaunchLimit();

  /// Allows launches again for `seconds` from now.
  void extend(double seconds);

 private:
  Interruption& m_interruption;
};

/// Returns the exit status that shells report for a program that `signal` ended.
constexpr int exit_status_of(int signal) { return 128 + signal; }

}  // namespace sporos::apps
