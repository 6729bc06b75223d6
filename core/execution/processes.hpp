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

/// Group of processes that share a computation. All of them call each collective function, in the same order.
///
/// Sporos keeps the same state on every process. Each process does a part of the work, all gather the results, and all
/// make the same decisions from them. There is no main process that the others wait for.
class Processes {
 public:
  virtual ~Processes() = default;

  /// Number of processes.
  virtual int count() const = 0;
  /// Rank of this process, from 0.
  virtual int rank() const = 0;
  /// Gathers bytes from every process; the result is indexed by rank. Collective.
  virtual std::vector<std::vector<std::byte>> gathered(std::span<const std::byte> mine) = 0;
  /// Gathers bytes from every process into `all`, concatenated in the order of ranks. Every process passes the same
  /// `sizes`: the number of bytes that each rank contributes. Collective.
  virtual void gather_into(std::byte* all, std::span<const std::byte> mine, std::span<const std::int64_t> sizes);
  /// Calls `work` once for each number from 0 to `parts` − 1, distributed dynamically over the processes: the next
  /// number goes to whichever process is free first. Each process gets its numbers in increasing order. Collective. If
  /// `work` throws, all processes throw as described for check_together, and some parts may not have been run.
  virtual void share(std::int64_t parts, const std::function<void(std::int64_t)>& work) = 0;

  /// Whether all processes have failed for the same reason, so that none waits for another.
  bool failed_together() const { return m_failed_together; }

 private:
  friend void check_together(Processes& processes, const std::exception_ptr& mine);
  friend void check_same(Processes& processes, const std::string& what, const std::string& text);

  bool m_failed_together = false;
};

/// Group that consists of a single process.
class OneProcess : public Processes {
 public:
  int count() const override { return 1; }
  int rank() const override { return 0; }
  std::vector<std::vector<std::byte>> gathered(std::span<const std::byte> mine) override;
  void share(std::int64_t parts, const std::function<void(std::int64_t)>& work) override;
};

/// Default group: this process only.
extern OneProcess single_process;

/// Gathers the values of each process, concatenated in the order of ranks. Collective.
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

/// Gathers one value of each process; the result is indexed by rank. Collective.
template <class T>
requires std::is_trivially_copyable_v<T> std::vector<T> gather(Processes& processes, const T& mine) {
  return gather(processes, std::span<const T>(&mine, 1));
}

/// Gathers the values of each process into `all`, concatenated in the order of ranks. Every process passes the same
/// `counts`: the number of values that each rank contributes. Collective.
template <class T>
requires std::is_trivially_copyable_v<T>
void gather_into(T* all, Processes& processes, std::span<const T> mine, std::vector<std::int64_t> counts) {
  for (std::int64_t& count : counts) count *= static_cast<std::int64_t>(sizeof(T));
  processes.gather_into(reinterpret_cast<std::byte*>(all), std::as_bytes(mine), counts);
}

/// Largest of the values that the processes pass. Collective.
template <class T>
T greatest(Processes& processes, const T& mine) {
  const std::vector<T> all = gather(processes, mine);
  return *std::max_element(all.begin(), all.end());
}

/// Gathers one string of each process; the result is indexed by rank. Collective.
std::vector<std::string> gather(Processes& processes, const std::string& mine);

/// String that rank 0 passes, on all processes. Collective.
std::string text_of_first(Processes& processes, const std::string& mine);

/// Contiguous range of parts of a computation.
struct PartRange {
  std::int64_t first;  ///< the first part
  std::int64_t end;    ///< one after the last part

  /// Number of parts.
  std::int64_t count() const { return end - first; }
};

/// Range of parts of process `rank` when `parts` equal parts are divided evenly; process 0 gets the first ones.
inline PartRange parts_of_process(const Processes& processes, int rank, std::int64_t parts) {
  return {parts * rank / processes.count(), parts * (rank + 1) / processes.count()};
}

/// Makes all processes fail if one of them does. `mine` is the exception that this process caught, or nullptr. All
/// processes throw the failure of the lowest failing rank. That rank rethrows its exception; the others throw
/// std::invalid_argument if it is one, otherwise std::runtime_error, with the same message. If no process failed but
/// launches of some were stopped, all throw LaunchStopped. Collective.
void check_together(Processes& processes, const std::exception_ptr& mine);

/// Calls `work` on every process. If it throws on one, all processes throw as described for check_together. Collective.
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

/// Throws std::invalid_argument on all processes if `text` is not the same on all; `what` names it in the message.
/// Collective.
void check_same(Processes& processes, const std::string& what, const std::string& text);

}  // namespace sporos
