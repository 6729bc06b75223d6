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
  std::unique_lock lock(m_mutex);
  m_task = &task;
  m_changed.notify_all();
  while (m_task != nullptr) {
    const bool woken =
        m_changed.wait_for(lock, between_looks, [&] { return m_task == nullptr || m_question != nullptr; });
    if (m_question != nullptr) {
      lock.unlock();
      (*m_question)();
      lock.lock();
      m_question = nullptr;
      m_changed.notify_all();
    } else if (!woken) {
      lock.unlock();
      look();
      lock.lock();
    }
  }
  if (m_failure) std::rethrow_exception(std::exchange(m_failure, nullptr));
}

void Worker::ask(const Task& question) {
  std::unique_lock lock(m_mutex);
  m_question = &question;
  m_changed.notify_all();
  m_changed.wait(lock, [&] { return m_question == nullptr; });
}

void Worker::serve() {
  std::unique_lock lock(m_mutex);
  while (true) {
    m_changed.wait(lock, [&] { return m_ends || m_task != nullptr; });
    if (m_task == nullptr) return;
    lock.unlock();
    std::exception_ptr failure;
    try {
      (*m_task)();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    m_failure = std::move(failure);
    m_task = nullptr;
    m_changed.notify_all();
  }
}

}  // namespace sporos::python
