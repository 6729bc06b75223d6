// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "worker.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/options/option_table.hpp>

#include <pybind11/pybind11.h>

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace sporos::python {

/// A run in C++, as Python sees it: it can be stopped, by Ctrl-C or by the callback that is shown its progress.
class Watch {
 public:
  /// A callback of None is never called.
  Watch(Worker& worker, pybind11::object callback) : m_worker(worker), m_callback(std::move(callback)) {}

  /// Called by the run now and then: whether it is to go on. `describe` makes what the callback is shown; it is called
  /// with the GIL, by the thread that has called from Python.
  bool goes_on(const std::function<pybind11::dict()>& describe);

  /// Called by the thread that waits for the run, without the GIL: notices Ctrl-C.
  void look();

  /// Whether the run is to stop.
  bool stops() const { return m_stops; }

  /// Throws what was raised meanwhile.
  void raise() {
    if (m_raised) throw std::exchange(m_raised, std::nullopt).value();
  }

 private:
  void note_signals();

  Worker& m_worker;
  pybind11::object m_callback;
  std::atomic<bool> m_stops = false;
  std::optional<pybind11::error_already_set> m_raised;
};

/// The backend of this module, started once, at its first use, and ended with Python.
class Session {
 public:
  /// Of `backend`, which has not been started.
  explicit Session(std::unique_ptr<runtime::Backend> backend) : m_backend(std::move(backend)) {}

  /// Before `run`, only what needs no start may be asked of it.
  const runtime::Backend& backend() const { return *m_backend; }
  /// Whether it computes already.
  bool is_started() const { return m_worker != nullptr; }
  /// Starts the backend with the threads and the device that the texts name, if they do. Throws std::runtime_error
  /// where it runs already, or ran before.
  void start(const runtime::OptionText& threads, const runtime::OptionText& device);
  /// Ends the backend; nothing can be run then.
  void finish();

  /// Runs `work` with the GIL released, the backend started, and no other run at the same time. Throws what it throws,
  /// or what the callback or Ctrl-C have raised.
  void run(pybind11::object callback, const std::function<void(const runtime::Backend&, Watch&)>& work);

  /// Runs work that does not take a Watch. Ctrl-C and the end of the time limit, in seconds, stop its launches of
  /// replications (core/execution/launch_stop.hpp).
  void run_launches(pybind11::object callback, double time_limit,
                    const std::function<void(const runtime::Backend&)>& work);

  /// Has a question answered by the thread that has called from Python, with the GIL, and throws what it throws.
  using Ask = std::function<void(const std::function<void()>& question)>;

  /// Runs `work` as above, but that other runs, those that answering a question takes included, may be carried out
  /// while it asks.
  void run_asking(const std::function<void(const Ask&)>& work);

 private:
  void check_usable() const;
  void wait_for_turn();
  void run(pybind11::object callback, const std::function<void(const runtime::Backend&, Watch&)>& work,
           const std::function<void(const Watch&)>& look);

  std::unique_ptr<runtime::Backend> m_backend;
  std::unique_ptr<Worker> m_worker;
  std::timed_mutex m_turn;
  std::atomic<std::thread::id> m_caller;
  pid_t m_process = 0;
};

/// That of this module.
Session& session();

}  // namespace sporos::python
