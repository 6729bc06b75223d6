// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.hpp"

#include "device_array.hpp"

#include <sporos/runtime/options/common_options.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/io/format.hpp>

#include <unistd.h>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <utility>

namespace sporos::python {

namespace py = pybind11;

bool Watch::goes_on(const std::function<py::dict()>& describe) {
  if (m_stops || m_callback.is_none()) return !m_stops;
  m_worker.ask([&] {
    const py::gil_scoped_acquire gil;
    try {
      if (m_callback(describe()).is(py::bool_(false))) m_stops = true;
    } catch (py::error_already_set& error) {
      m_raised.emplace(std::move(error));
      m_stops = true;
    }
    note_signals();
  });
  return !m_stops;
}

void Watch::look() {
  const py::gil_scoped_acquire gil;
  note_signals();
}

void Watch::note_signals() {
  if (m_raised || PyErr_CheckSignals() == 0) return;
  m_raised.emplace();
  m_stops = true;
}

void Session::check_usable() const {
  if (m_backend == nullptr)
    throw std::runtime_error("sporos has ended because Python exits: expected no call during the exit");
  if (is_started() && m_process != ::getpid()) {
    throw std::runtime_error(
        "this process was forked from one that uses sporos: spawn processes instead, or fork them before the first use "
        "of sporos");
  }
  if (m_caller.load() == std::this_thread::get_id()) {
    throw std::runtime_error(
        "a progress callback, or the function of a model, has called sporos: expected calls only after the current "
        "run");
  }
}

void Session::start(const runtime::OptionText& threads, const runtime::OptionText& device) {
  check_usable();
  const auto settings = runtime::execution_settings(threads, device, *m_backend);
  if (is_started()) {
    throw std::runtime_error(
        fmt::format("the {} backend runs already, with {} thread{}: call initialize before its first use",
                    m_backend->name(), m_backend->threads(), m_backend->threads() == 1 ? "" : "s"));
  }
  auto worker = std::make_unique<Worker>();
  worker->run([&] { m_backend->start(settings); }, [] {});
  m_worker = std::move(worker);
  m_process = ::getpid();
}

void Session::finish() {
  if (is_started() && m_process != ::getpid()) {
    m_worker->abandon();
    static_cast<void>(m_worker.release());
    static_cast<void>(m_backend.release());
    return;
  }
  const py::gil_scoped_release no_gil;
  if (is_started())
    m_worker->run(
        [&] {
          release_device_arrays();
          m_backend.reset();
        },
        [] {});
  m_worker.reset();
  m_backend.reset();
}

void Session::wait_for_turn() {
  constexpr std::chrono::milliseconds between_looks{100};
  while (true) {
    {
      const py::gil_scoped_release no_gil;
      if (m_turn.try_lock_for(between_looks)) return;
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

void Session::add_model(runtime::ModelDescription description, runtime::ModelFunctions functions) {
  m_backend->add_model(runtime::add_model(std::move(description)).name, std::move(functions));
}

void Session::ask_from_kernel(const std::function<void()>& question) {
  const std::lock_guard one_at_a_time(m_kernels);
  if (is_launch_stop_requested()) return;
  m_worker->ask_from_kernel([&] {
    const py::gil_scoped_acquire gil;
    const auto outer = m_caller.exchange(std::this_thread::get_id());
    try {
      question();
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    } catch (...) {
      m_raised_in_kernel = std::current_exception();
      request_launch_stop();
    }
    m_caller = outer;
  });
}

void Session::carry_out(const Worker::Task& task, const Worker::Task& look) {
  struct Withdrawal {
    ~Withdrawal() { withdraw_launch_stop(); }
  } const withdrawal;  // runs before other runs have their turn
  const auto raise = [this] {
    if (m_raised_in_kernel) std::rethrow_exception(std::exchange(m_raised_in_kernel, nullptr));
  };
  try {
    m_worker->run(task, look);
  } catch (...) {
    raise();
    throw;
  }
  raise();
}

void Session::run(py::object callback, const std::function<void(const runtime::Backend&, Watch&)>& work) {
  run(std::move(callback), work, [](const Watch&) {});
}

void Session::run_launches(py::object callback, double time_limit,
                           const std::function<void(const runtime::Backend&)>& work) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  run(
      std::move(callback), [&](const runtime::Backend& backend, Watch&) { work(backend); },
      [&](const Watch& watch) {
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (watch.stops() || seconds >= time_limit) request_launch_stop();
      });
}

void Session::run(py::object callback, const std::function<void(const runtime::Backend&, Watch&)>& work,
                  const std::function<void(const Watch&)>& look) {
  check_usable();
  if (!is_started()) start({}, {});
  Watch watch(*m_worker, std::move(callback));
  wait_for_turn();
  {
    const py::gil_scoped_release no_gil;
    const std::lock_guard turn(m_turn, std::adopt_lock);
    m_caller = std::this_thread::get_id();
    struct Forgotten {
      std::atomic<std::thread::id>& caller;
      ~Forgotten() { caller = std::thread::id(); }
    } const forgotten{m_caller};
    carry_out([&] { work(*m_backend, watch); },
              [&] {
                watch.look();
                look(watch);
              });
  }
  watch.raise();
}

void Session::run_asking(const std::function<void(const Ask&)>& work) {
  check_usable();
  if (!is_started()) start({}, {});
  const auto wait_for_others = [this] {
    wait_for_turn();
    m_turn.unlock();
  };
  wait_for_others();
  const py::gil_scoped_release no_gil;
  const Ask ask = [&](const std::function<void()>& question) {
    std::exception_ptr failure;
    m_worker->ask([&] {
      const py::gil_scoped_acquire gil;
      try {
        question();
        wait_for_others();
      } catch (...) {
        failure = std::current_exception();
      }
    });
    if (failure) std::rethrow_exception(failure);
  };
  carry_out([&] { work(ask); }, [] {});
}

void Session::run_or_ask(bool asks, py::object callback,
                         const std::function<void(const runtime::Backend&, const GoesOn&, const Ask*)>& work) {
  if (!asks) {
    return run(std::move(callback), [&](const runtime::Backend& backend, Watch& watch) {
      work(
          backend, [&](const auto& describe) { return watch.goes_on(describe); }, nullptr);
    });
  }
  run_asking([&](const Ask& ask) {
    const GoesOn goes_on = [&](const std::function<py::dict()>& describe) {
      bool is_wanted = true;
      ask([&] {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (!callback.is_none()) is_wanted = !callback(describe()).is(py::bool_(false));
      });
      return is_wanted;
    };
    work(*m_backend, goes_on, &ask);
  });
}

Session& session() {
  static auto* const only = new Session(runtime::kokkos_backend());  // never destroyed, because Python ends the session
  return *only;
}

}  // namespace sporos::python
