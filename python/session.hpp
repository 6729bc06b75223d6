// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "worker.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/model_functions.hpp>
#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <pybind11/pybind11.h>

#include <sys/types.h>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace sporos::python {

/// A run in C++ that Python watches. Ctrl-C stops it, as does the callback that receives its progress.
class Watch {
 public:
  /// Watches the run on `worker`. A `callback` of None is never called.
  Watch(Worker& worker, pybind11::object callback) : m_worker(worker), m_callback(std::move(callback)) {}

  /// Called by the run from time to time; returns whether the run continues. `describe` makes the argument of the
  /// callback; the thread that has called from Python runs it with the GIL held.
  bool goes_on(const std::function<pybind11::dict()>& describe);

  /// Called without the GIL by the thread that waits for the run; checks for Ctrl-C.
  void look();

  /// Whether the run must stop.
  bool stops() const { return m_stops; }

  /// Throws the Python exception that was raised during the run, if any.
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

/// The backend of this module. It starts once, at its first use, and ends with Python.
class Session {
 public:
  /// Creates the session of `backend`, which has not been started.
  explicit Session(std::unique_ptr<runtime::Backend> backend) : m_backend(std::move(backend)) {}

  /// Returns the backend. Before `run`, use only functions that do not require a started backend.
  const runtime::Backend& backend() const { return *m_backend; }
  /// Whether the backend is started.
  bool is_started() const { return m_worker != nullptr; }
  /// Starts the backend with the threads and the device that the strings name, if any. Throws std::runtime_error if the
  /// backend runs already or has ended.
  void start(const runtime::OptionText& threads, const runtime::OptionText& device);
  /// Ends the backend. No run is possible afterwards.
  void finish();

  /// Starts the backend if necessary, and runs `work` with the GIL released and no other run at the same time. Throws
  /// the exceptions of `work`, of the callback and of Ctrl-C.
  void run(pybind11::object callback, const std::function<void(const runtime::Backend&, Watch&)>& work);

  /// Runs `work`, which does not take a Watch. Ctrl-C and the end of the time limit, in seconds, stop its launches of
  /// replications (core/execution/launch_stop.hpp).
  void run_launches(pybind11::object callback, double time_limit,
                    const std::function<void(const runtime::Backend&)>& work);

  /// Adds a model that the program does not list. A later model of the same name replaces it in later runs.
  void add_model(runtime::ModelDescription description, runtime::ModelFunctions functions);

  /// Runs `question` on the thread that has called from Python, with the GIL held. Kernels call it, from any thread. If
  /// the question throws an exception, all launches stop and the run throws it.
  void ask_from_kernel(const std::function<void()>& question);

  /// Type of a function that runs `question` on the thread that has called from Python, with the GIL held, and throws
  /// the exceptions of `question`.
  using Ask = std::function<void(const std::function<void()>& question)>;

  /// Runs `work` as `run` does. While `work` waits for an answer, other runs may execute, including those that the
  /// question itself starts.
  void run_asking(const std::function<void(const Ask&)>& work);

  /// Type of a function that a run calls from time to time; returns whether the run continues. `describe` makes the
  /// argument of the callback; the thread that has called from Python runs it with the GIL held.
  using GoesOn = std::function<bool(const std::function<pybind11::dict()>& describe)>;

  /// Runs `work` as `run` does, or, if `asks`, as `run_asking` does; otherwise `work` gets a null pointer.
  void run_or_ask(bool asks, pybind11::object callback,
                  const std::function<void(const runtime::Backend&, const GoesOn&, const Ask*)>& work);

 private:
  void check_usable() const;
  void wait_for_turn();
  // Runs a task on the worker. Throws the exception of a question of its kernels, rather than that of the launch that
  // has stopped for it.
  void carry_out(const Worker::Task& task, const Worker::Task& look);
  void run(pybind11::object callback, const std::function<void(const runtime::Backend&, Watch&)>& work,
           const std::function<void(const Watch&)>& look);

  std::unique_ptr<runtime::Backend> m_backend;
  std::unique_ptr<Worker> m_worker;
  std::timed_mutex m_turn;
  std::atomic<std::thread::id> m_caller;
  std::mutex m_kernels;  // held by the kernel that asks
  std::exception_ptr m_raised_in_kernel;
  pid_t m_process = 0;
};

/// Returns the session of this module.
Session& session();

}  // namespace sporos::python
