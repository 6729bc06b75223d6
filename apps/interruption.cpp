// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interruption.hpp"

#include "failure.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/backend/program.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/leftovers.hpp>

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <exception>
#include <initializer_list>

namespace sporos::apps {

namespace {

volatile std::sig_atomic_t noted_signal = 0;

void note(int signal) { noted_signal = signal; }

// The second signal ends the program as if there were no handler, for users who do not want to wait.
void note_once(int signal) {
  if (noted_signal == 0) return note(signal);
  io::remove_leftovers();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::string end_message;  // made in advance, because a signal handler must not allocate memory

void end_at_once(int signal) {
  io::remove_leftovers();
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, end_message.data(), end_message.size());
  ::_exit(exit_status_of(signal));
}

// Sets the handler unless the signal is ignored: a shell's background jobs ignore Ctrl-C, and continue to do so.
void set_handler(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM}) {
    if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

}  // namespace

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

EndOnSignals::EndOnSignals() {
  if (processes().count() > 1) return;
  end_message = program().name + ": interrupted while input was read: no results are written\n";
  set_handler(end_at_once);
}

EndOnSignals::~EndOnSignals() { set_handler(SIG_DFL); }

Interruption::Interruption(double time_limit, std::function<std::string()> kept)
    : m_time_limit(time_limit), m_is_single(processes().count() == 1), m_kept(std::move(kept)) {
  noted_signal = 0;
  withdraw_launch_stop();
  // A batch system may send a signal to each process and one to their launcher, which forwards it.
  set_handler(m_is_single ? note_once : note);
  m_watchdog.emplace("interruption", [this] { look(); });
}

Interruption::~Interruption() {
  m_watchdog.reset();
  set_handler(SIG_DFL);
}

int Interruption::signal() const { return noted_signal; }

void Interruption::limit_time(double seconds) {
  const std::lock_guard lock(m_mutex);
  m_time_limit = seconds;
  m_start = Clock::now();
  if (m_signal_at) m_signal_at = 0;
}

bool Interruption::is_late() const { return seconds_since(m_start) >= m_time_limit; }

EndRequest Interruption::end_request() const {
  EndRequest any;
  for (const EndRequest& request : gather(processes(), EndRequest{signal(), is_late()})) {
    any.signal = std::max(any.signal, request.signal);
    any.is_late = any.is_late || request.is_late;
  }
  return any;
}

void Interruption::set_launch_rule(std::optional<LaunchRule> rule) {
  const std::lock_guard lock(m_mutex);
  m_launch_rule = rule;
  withdraw_launch_stop();
}

void Interruption::begin_writing() {
  const std::lock_guard lock(m_mutex);
  m_is_computing = false;
  m_rescue = nullptr;
  m_heeds_signal = noted_signal != 0;
}

void Interruption::rescue_by(std::function<std::optional<int>(int)> rescue) {
  const std::lock_guard lock(m_mutex);
  m_rescue = std::move(rescue);
}

void Interruption::look() {
  const std::lock_guard lock(m_mutex);
  const double now = seconds_since(m_start);
  if (noted_signal != 0 && !m_signal_at) m_signal_at = now;
  const double cause = std::min(m_signal_at.value_or(m_time_limit), m_time_limit);
  if (m_launch_rule && now >= std::max(cause + m_launch_rule->after, m_launch_rule->earliest)) {
    m_is_single ? request_launch_stop() : request_piece_stop();
  }
  // A launcher that forwards signals to its processes ends them itself, after a time that its user chooses.
  if (m_is_single && m_signal_at && !m_heeds_signal && now > *m_signal_at + grace_period) return end(noted_signal);
  const double until_all_answer = m_is_single ? grace_period : 4 * grace_period;
  if (m_is_computing && now > m_time_limit + until_all_answer) end(0);
}

// Writes the results by the rescue function, or ends the program without results. If the rescue returns no status, the
// computation may just have ended: the next look decides.
void Interruption::end(int signal) {
  if (m_rescue) {
    clear_status_line();
    std::optional<int> status;
    try {
      status = std::exchange(m_rescue, nullptr)(signal);
    } catch (...) {
      status = tell_failure(std::current_exception());
    }
    if (!status) return;
    ::_exit(*status);
  }
  constexpr int failure = 1;
  end_program(signal != 0 ? exit_status_of(signal) : failure, unfinished(signal));
}

std::string Interruption::reason_of(int signal) const {
  return signal != 0 ? "interrupted" : fmt::format("the time limit of {:g} s is over", m_time_limit);
}

std::string Interruption::unfinished(int signal) const {
  const std::string cause = reason_of(signal);
  if (!m_is_computing) return cause + " while results were written: some files may be missing";
  return cause + " in a step that takes longer than a second: no results are written" + (m_kept ? m_kept() : "");
}

LaunchLimit::LaunchLimit(Interruption& interruption, double after) : m_interruption(interruption) {
  m_interruption.set_launch_rule(Interruption::LaunchRule{after, 0});
}

LaunchLimit::~LaunchLimit() { m_interruption.set_launch_rule({}); }

void LaunchLimit::extend(double seconds) {
  m_interruption.set_launch_rule(Interruption::LaunchRule{0, seconds_since(m_interruption.m_start) + seconds});
}

}  // namespace sporos::apps
