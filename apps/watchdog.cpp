// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "watchdog.hpp"

#include "complaint.hpp"
#include "runtime_names.hpp"

#include <sporos/runtime/options/duration.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/leftovers.hpp>

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <utility>

namespace sporos::apps {

Watchdog::Watchdog(const char* name, std::function<void()> look)
    : m_look(std::move(look)), m_thread([this, name] {
        ::pthread_setname_np(::pthread_self(), name);
        constexpr std::chrono::milliseconds between_looks{50};
        std::unique_lock lock(m_mutex);
        while (!m_changed.wait_for(lock, between_looks, [&] { return m_ends; })) m_look();
      }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(m_mutex);
    m_ends = true;
  }
  m_changed.notify_all();
  m_thread.join();
}

void end_program(int status, std::string_view message) {
  io::remove_leftovers();
  clear_status_line();
  complain(message);
  ::_exit(status);
}

ReadingLimit::ReadingLimit(double seconds) {
  if (!std::isfinite(seconds)) return;
  m_watchdog.emplace("reading limit", [seconds, start = Clock::now()] {
    if (seconds_since(start) < seconds + grace_period) return;
    end_program(
        1, fmt::format("the time limit of {:g} s is over before the input is read: expected a longer one", seconds));
  });
}

}  // namespace sporos::apps
