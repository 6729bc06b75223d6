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

/// Other processes, and how long each of the messages took of which all knew the sizes.
class TimedProcesses final : public Processes {
 public:
  /// Those of `processes`, which must live longer.
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

  /// Of each message since the last call of this, with the wait for those who came to it later.
  std::vector<double> taken_seconds() { return std::exchange(m_seconds, {}); }

 private:
  Processes& m_processes;
  std::vector<double> m_seconds;
};

/// The first of many processes, without the others: they are taken to give what it gives. So one core shows all that a
/// process does among many, but for the network.
class OneOfMany final : public Processes {
 public:
  /// Of so many.
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
