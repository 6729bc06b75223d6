// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <deque>
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
  /// what the task asks, and calls `look` ten times a second.
  void run(const Task& task, const Task& look);

  /// Called by the task: has the thread that waits in its `run` carry out `question`, which throws nothing, and waits.
  /// Meanwhile other tasks are carried out, those that the question leads to included.
  void ask(const Task& question);

  /// Leaves the thread alone, for a process in which there is none, as after a fork.
  void abandon() { m_thread.detach(); }

 private:
  struct Job {
    const Task* task;
    const Task* question = nullptr;  // that waits for its answer
    bool is_done = false;
    std::exception_ptr failure = nullptr;
  };

  void serve();
  void carry_out_next(std::unique_lock<std::mutex>& lock);

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<Job*> m_waiting;
  Job* m_current = nullptr;  // the innermost that is carried out
  bool m_ends = false;
  std::thread m_thread;
};

}  // namespace sporos::python
