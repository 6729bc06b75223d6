// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace sporos::bench {

/// Forwards to other processes and records the duration of each `gather_into`, the message whose sizes all processes
/// know.
class TimedProcesses final : public Processes {
 public:
  /// Wraps `processes`, which must outlive this object.
  explicit TimedProcesses(Processes& processes) : m_processes(processes) {}

  int count() const override { return m_processes.count(); }
  int rank() const override { return m_processes.rank(); }
  std::vector<std::vector<std::byte>> gathered(std::span<const std::byte> mine) override {
    return m_processes.gathered(mine);
  }
  void gather_into(std::byte* all, std::span<const std::byte> mine, std::span<const std::int64_t> sizes) override {
    const Kokkos::Timer timer;
    m_processes.gather_into(all, mine, sizes);
    m_seconds.push_back(timer.seconds());
  }
  void share(std::int64_t parts, const std::function<void(std::int64_t)>& work) override {
    m_processes.share(parts, work);
  }

  /// Returns the duration of each message since the previous call, including the wait for processes that arrive later.
  std::vector<double> taken_seconds() { return std::exchange(m_seconds, {}); }

 private:
  Processes& m_processes;
  std::vector<double> m_seconds;
};

/// The first of many processes, without the others: each of them is assumed to send what the first one sends. One core
/// thus does all the work of a process among many, except for the network.
class OneOfMany final : public Processes {
 public:
  /// Stands for the first of `count` processes.
  explicit OneOfMany(int count) : m_count(count) {}

  int count() const override { return m_count; }
  int rank() const override { return 0; }
  std::vector<std::vector<std::byte>> gathered(std::span<const std::byte> mine) override {
    return std::vector<std::vector<std::byte>>(static_cast<std::size_t>(m_count), {mine.begin(), mine.end()});
  }
  void gather_into(std::byte* all, std::span<const std::byte> mine, std::span<const std::int64_t> sizes) override {
    for (std::size_t rank = 0; rank < sizes.size(); ++rank) all = std::copy(mine.begin(), mine.end(), all);
  }
  void share(std::int64_t parts, const std::function<void(std::int64_t)>& work) override {
    for (std::int64_t part = 0; part < parts; ++part) work(part);
  }

 private:
  int m_count;
};

}  // namespace sporos::bench
