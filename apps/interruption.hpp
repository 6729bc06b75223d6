// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime_names.hpp"
#include "watchdog.hpp"

#include <sporos/runtime/options/duration.hpp>

#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>

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

  /// From now on until writing begins, launches of replications are asked to end (request_launch_stop) so many seconds
  /// after a signal or the end of the time limit; of a process alone. Who computes handles LaunchStopped.
  void stop_launches(double after = 0);

  /// Lets launches begin again, for so many seconds.
  void allow_launches(double seconds);

  /// Undoes stop_launches.
  void keep_launches();

  /// Told that nothing is computed any more, only written: after a signal or the time limit before, as long as that
  /// takes. There is no rescue then, but where it is given anew.
  void begin_writing();

  /// How another thread writes what there is and returns the exit status, or nothing where there is nothing: `rescue`
  /// is called with the signal, 0 for the time limit, where who computes has not ended in time.
  void rescue_by(std::function<std::optional<int>(int signal)> rescue);

 private:
  void look();
  void end(int signal);
  std::string unfinished(int signal) const;

  double m_time_limit;
  bool m_is_alone;
  std::function<std::string()> m_kept;
  Clock::time_point m_start = Clock::now();
  std::mutex m_mutex;  // of what follows; whoever ends the program keeps it
  std::function<std::optional<int>(int)> m_rescue;
  std::optional<double> m_signal_at;  // seconds since the start, seen by the watchdog
  bool m_is_computing = true;
  double m_stops_after = 0;          // seconds after a signal or the time limit
  std::optional<double> m_stops_at;  // seconds since the start from which launches are asked to end
  bool m_heeds_signal = false;       // writes because of it
  std::optional<Watchdog> m_watchdog;
};

/// The exit status of a program that `signal` has ended, as shells have it.
constexpr int exit_status_of(int signal) { return 128 + signal; }

}  // namespace sporos::apps
