// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace sporos::python {

/// A thread that carries out tasks for others. Kokkos lives on it: of some versions, what one thread has initialized
/// only that thread can use, and Python calls from any.
class Worker {
 public:
  /// What is to be done.
  using Task = std::function<void()>;

  Worker() : m_thread([this] { serve(); }) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Has the thread carry out `task`, waits for its end and throws what it has thrown. Meanwhile this thread answers
  /// what the task asks, and calls `look` ten times a second. One thread at a time may call it.
  void run(const Task& task, const Task& look);

  /// Called by the task: has the thread that waits in `run` carry out `question`, which throws nothing, and waits.
  void ask(const Task& question);

  /// Leaves the thread alone, for a process in which there is none, as after a fork.
  void abandon() { m_thread.detach(); }

 private:
  void serve();

  std::mutex m_mutex;
  std::condition_variable m_changed;
  const Task* m_task = nullptr;
  const Task* m_question = nullptr;
  bool m_ends = false;
  std::exception_ptr m_failure;
  std::thread m_thread;
};

}  // namespace sporos::python
