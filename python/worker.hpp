// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace sporos::python {

/// A thread that runs tasks for others. Kokkos is initialized on it, because in some versions only the thread that
/// initialized Kokkos can use it, whereas Python calls from any thread.
class Worker {
 public:
  /// A function that the thread runs.
  using Task = std::function<void()>;

  Worker() : m_thread([this] { serve(); }) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Runs `task` on the thread, waits for its end and throws its exceptions. Meanwhile the calling thread runs the
  /// questions of the task, and calls `look` ten times a second.
  void run(const Task& task, const Task& look);

  /// Called by the task: makes the thread that waits in `run` execute `question`, which must not throw, and waits for
  /// its end. Meanwhile other tasks can run, including those that the question starts.
  void ask(const Task& question);

  /// Does the same as `ask`, but runs no other tasks. Kernels of the task call it, from one thread at a time.
  void ask_from_kernel(const Task& question);

  /// Detaches the thread, for a process in which it does not exist, as after a fork.
  void abandon() { m_thread.detach(); }

 private:
  struct Job {
    const Task* task;
    const Task* question = nullptr;  // question that waits for its answer
    bool is_done = false;
    std::exception_ptr failure = nullptr;
  };

  void serve();
  void carry_out_next(std::unique_lock<std::mutex>& lock);

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<Job*> m_waiting;
  Job* m_current = nullptr;  // the innermost running job
  bool m_ends = false;
  std::thread m_thread;
};

}  // namespace sporos::python
