// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker.hpp"

#include <chrono>
#include <utility>

namespace sporos::python {

Worker::~Worker() {
  if (!m_thread.joinable()) return;
  {
    const std::lock_guard lock(m_mutex);
    m_ends = true;
  }
  m_changed.notify_all();
  m_thread.join();
}

void Worker::run(const Task& task, const Task& look) {
  constexpr std::chrono::milliseconds between_looks{100};
  Job job{&task};
  std::unique_lock lock(m_mutex);
  m_waiting.push_back(&job);
  m_changed.notify_all();
  while (!job.is_done) {
    const bool woken = m_changed.wait_for(lock, between_looks, [&] { return job.is_done || job.question != nullptr; });
    if (job.question != nullptr) {
      lock.unlock();
      (*job.question)();
      lock.lock();
      job.question = nullptr;
      m_changed.notify_all();
    } else if (!woken) {
      lock.unlock();
      look();
      lock.lock();
    }
  }
  if (job.failure) std::rethrow_exception(std::move(job.failure));
}

void Worker::ask(const Task& question) {
  std::unique_lock lock(m_mutex);
  Job& asking = *m_current;
  asking.question = &question;
  m_changed.notify_all();
  while (asking.question != nullptr) {
    m_changed.wait(lock, [&] { return asking.question == nullptr || !m_waiting.empty(); });
    if (asking.question != nullptr) carry_out_next(lock);
  }
}

void Worker::ask_from_kernel(const Task& question) {
  std::unique_lock lock(m_mutex);
  Job& asking = *m_current;
  asking.question = &question;
  m_changed.notify_all();
  m_changed.wait(lock, [&] { return asking.question == nullptr; });
}

void Worker::carry_out_next(std::unique_lock<std::mutex>& lock) {
  Job& job = *m_waiting.front();
  m_waiting.pop_front();
  Job* const outer = std::exchange(m_current, &job);
  lock.unlock();
  std::exception_ptr failure;
  try {
    (*job.task)();
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  m_current = outer;
  job.failure = std::move(failure);
  job.is_done = true;
  m_changed.notify_all();
}

void Worker::serve() {
  std::unique_lock lock(m_mutex);
  while (true) {
    m_changed.wait(lock, [&] { return m_ends || !m_waiting.empty(); });
    if (m_waiting.empty()) return;
    carry_out_next(lock);
  }
}

}  // namespace sporos::python
