// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace sporos {

/// The processes that do a piece of work together. What is collective is called by all of them, in the same order.
///
/// Sporos keeps the same state on every process: each does a part of the work, all gather what came out, and all come
/// to the same decisions from it. So there is no process that the others wait for.
class Processes {
 public:
  virtual ~Processes() = default;

  /// How many there are.
  virtual int count() const = 0;
  /// The number of this one, from 0.
  virtual int rank() const = 0;
  /// The bytes that each process gives, by rank. Collective.
  virtual std::vector<std::vector<std::byte>> gathered(std::span<const std::byte> mine) = 0;
  /// The same into `all`, one after the other by rank, where every process knows how many bytes each gives, by rank:
  /// `sizes`. Collective.
  virtual void gather_into(std::byte* all, std::span<const std::byte> mine, std::span<const std::int64_t> sizes);
  /// Calls `work` with each number from 0 to `parts` − 1 on one of the processes, the next one on whichever is free
  /// first; a process gets its numbers in order. Collective. An exception that `work` throws is thrown on all
  /// processes as check_together has it, and parts may be missing then.
  virtual void share(std::int64_t parts, const std::function<void(std::int64_t)>& work) = 0;

  /// Whether all of them have failed for the same reason, so that nobody waits for another.
  bool failed_together() const { return m_failed_together; }

 private:
  friend void check_together(Processes& processes, const std::exception_ptr& mine);
  friend void check_same(Processes& processes, const std::string& what, const std::string& text);

  bool m_failed_together = false;
};

/// A process alone.
class OneProcess : public Processes {
 public:
  int count() const override { return 1; }
  int rank() const override { return 0; }
  std::vector<std::vector<std::byte>> gathered(std::span<const std::byte> mine) override;
  void share(std::int64_t parts, const std::function<void(std::int64_t)>& work) override;
};

/// The processes of whoever names none: this one.
extern OneProcess alone;

/// Gathers the values of each process, those of rank 0 first. Collective.
template <class T>
requires std::is_trivially_copyable_v<T> std::vector<T> gather(Processes& processes, std::span<const T> mine) {
  std::vector<T> all;
  for (const auto& bytes : processes.gathered(std::as_bytes(mine))) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(all.data() + before, bytes.data(), bytes.size());
  }
  return all;
}

/// Gathers one value of each process, by rank. Collective.
template <class T>
requires std::is_trivially_copyable_v<T> std::vector<T> gather(Processes& processes, const T& mine) {
  return gather(processes, std::span<const T>(&mine, 1));
}

/// Gathers the values of each process into `all`, where every process knows how many values each gives, by rank:
/// `counts`. Collective.
template <class T>
requires std::is_trivially_copyable_v<T>
void gather_into(T* all, Processes& processes, std::span<const T> mine, std::vector<std::int64_t> counts) {
  for (std::int64_t& count : counts) count *= static_cast<std::int64_t>(sizeof(T));
  processes.gather_into(reinterpret_cast<std::byte*>(all), std::as_bytes(mine), counts);
}

/// The greatest of the values that the processes give. Collective.
template <class T>
T greatest(Processes& processes, const T& mine) {
  const std::vector<T> all = gather(processes, mine);
  return *std::max_element(all.begin(), all.end());
}

/// Gathers one text of each process, by rank. Collective.
std::vector<std::string> gather(Processes& processes, const std::string& mine);

/// The text that the first process gives. Collective.
std::string text_of_first(Processes& processes, const std::string& mine);

/// Neighbouring parts of a piece of work.
struct PartRange {
  std::int64_t first;  ///< the first of them
  std::int64_t end;    ///< the one after the last

  /// How many there are.
  std::int64_t count() const { return end - first; }
};

/// The parts of a process where `parts` equal ones are given evenly to all, those of process 0 first.
inline PartRange parts_of_process(const Processes& processes, int rank, std::int64_t parts) {
  return {parts * rank / processes.count(), parts * (rank + 1) / processes.count()};
}

/// Lets all processes fail where one does. `mine` is what this one has caught, or nothing. Throws on all of them what
/// the first by rank has caught: there the exception itself; elsewhere std::invalid_argument where it is one, and
/// std::runtime_error otherwise, with the same words. Where launches of some were asked to end and none failed, all
/// throw LaunchStopped. Collective.
void check_together(Processes& processes, const std::exception_ptr& mine);

/// Calls `work` on every process, and lets all fail as check_together has it where it throws on one. Collective.
template <class Work>
void together(Processes& processes, const Work& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  check_together(processes, failure);
}

/// Throws std::invalid_argument on all processes, naming `what`, where it is not the same `text` on all. Collective.
void check_same(Processes& processes, const std::string& what, const std::string& text);

}  // namespace sporos
