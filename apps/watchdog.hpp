// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

namespace sporos::apps {

/// Seconds after a signal, or after a time limit, in which a program may end by itself.
inline constexpr double grace_period = 0.8;

/// A thread that calls a function twenty times a second while an object of this class lives.
class Watchdog {
 public:
  /// Calls `look`, which ends the program or returns, in a thread called `name`, of up to 15 characters.
  Watchdog(const char* name, std::function<void()> look);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

 private:
  std::function<void()> m_look;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_ends = false;
  std::thread m_thread;  // uses all of the above
};

/// Ends the program, whatever its other threads do, with `message` on standard error and without a temporary file.
[[noreturn]] void end_program(int status, std::string_view message);

/// Ends the program where its input is not read within a limit of time: while an object of this class lives.
class ReadingLimit {
 public:
  /// `seconds` from now, and a moment; never where that is infinite.
  explicit ReadingLimit(double seconds);

 private:
  std::optional<Watchdog> m_watchdog;
};

}  // namespace sporos::apps
