// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

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

}  // namespace sporos::apps
