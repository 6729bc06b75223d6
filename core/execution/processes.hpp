// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <span>
#include <stdexcept>
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
  virtual void gather_into(std::byte* all, std::span<const std::byte> mine, std::span<const std::int64_t> sizes) {
    static_cast<void>(sizes);
    for (const auto& bytes : gathered(mine)) all = std::copy(bytes.begin(), bytes.end(), all);
  }
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
  std::vector<std::vector<std::byte>> gathered(std::span<const std::byte> mine) override {
    return {{mine.begin(), mine.end()}};
  }
  void share(std::int64_t parts, const std::function<void(std::int64_t)>& work) override {
    for (std::int64_t part = 0; part < parts; ++part) work(part);
  }
};

/// The processes of whoever names none: this one.
inline OneProcess alone;

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
inline std::vector<std::string> gather(Processes& processes, const std::string& mine) {
  std::vector<std::string> texts;
  for (const auto& bytes : processes.gathered(std::as_bytes(std::span(mine)))) {
    texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return texts;
}

/// The text that the first process gives. Collective.
inline std::string text_of_first(Processes& processes, const std::string& mine) {
  return gather(processes, processes.rank() == 0 ? mine : std::string()).front();
}

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
/// std::runtime_error otherwise, with the same words. Collective.
inline void check_together(Processes& processes, const std::exception_ptr& mine) {
  constexpr char is_well = 0, is_wrong_input = 1, is_failure = 2;
  std::string verdict(1, is_well);
  try {
    if (mine) std::rethrow_exception(mine);
  } catch (const std::invalid_argument& error) {
    verdict = std::string(1, is_wrong_input).append(error.what());
  } catch (const std::exception& error) {
    verdict = std::string(1, is_failure).append(error.what());
  }
  const auto verdicts = gather(processes, std::span<const char>(verdict.data(), 1));
  for (int rank = 0; rank < processes.count(); ++rank) {
    if (verdicts[static_cast<std::size_t>(rank)] == is_well) continue;
    const std::string text = gather(processes, verdict)[static_cast<std::size_t>(rank)].substr(1);
    processes.m_failed_together = true;
    if (rank == processes.rank()) std::rethrow_exception(mine);
    if (verdicts[static_cast<std::size_t>(rank)] == is_wrong_input) throw std::invalid_argument(text);
    throw std::runtime_error(text);
  }
}

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
inline void check_same(Processes& processes, const std::string& what, const std::string& text) {
  const std::vector<std::string> texts = gather(processes, text);
  for (std::size_t rank = 1; rank < texts.size(); ++rank) {
    if (texts[rank] == texts[0]) continue;
    processes.m_failed_together = true;
    throw std::invalid_argument(std::string(what)
                                    .append(" is ")
                                    .append(texts[rank])
                                    .append(" on process ")
                                    .append(std::to_string(rank))
                                    .append(", expected ")
                                    .append(texts[0])
                                    .append(" as on process 0"));
  }
}

}  // namespace sporos
