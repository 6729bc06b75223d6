// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/mapping.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace sporos {

/// One launch: how it maps replications to hardware, and how many rows (replications over all design points) at most.
struct Launch {
  Mapping mapping;    ///< thread or warp
  std::int64_t rows;  ///< at most
};

/// What the experiments of a process have learned about a model on a kind of execution space.
struct MappingMemory {
  /// A replication's time on a thread that shares its warp with 31 others, over its time on a warp of its own; 0 where
  /// not measured yet.
  std::atomic<double> slowdown{0};
};

/// Chooses mapping and size of each launch of an experiment. No choice changes any bit of a result, so the launches
/// that it learns from are part of the work.
///
/// On a host both mappings cost the same and `thread` is taken. On a GPU a warp of its own is the fastest place for a
/// replication, but a wave of warps, what the schedulers keep busy at full speed, is small; beyond it time grows with
/// the number of waves, while threads go on at their slower pace. So warps win up to `slowdown` waves. The slowdown
/// depends on the model (1.4 to 6.3 on an H200, docs/gpu.md). Where the number of rows is such that it matters, the
/// first experiment is the pilot: a wave on warps, the rest on threads.
class MappingChooser {
 public:
  /// For an experiment on `space`; a `wanted` mapping other than automatic is kept.
  template <class ExecutionSpace>
  MappingChooser(const ExecutionSpace& space, Mapping wanted, MappingMemory& memory)
      : m_on_host(runs_on_host<ExecutionSpace>),
        m_wanted(m_on_host && wanted == Mapping::automatic ? Mapping::thread : wanted),
        m_threads(space.concurrency()),
        m_memory(memory) {}

  /// The next launch, with at most `rows_left` rows to go.
  Launch next(std::int64_t rows_left) const;

  /// Takes note of how long `rows` rows took under `mapping`.
  void record(Mapping mapping, std::int64_t rows, double seconds);

  /// The mapping that has run most rows.
  Mapping mostly_used() const { return m_warp.rows > m_thread.rows ? Mapping::warp : Mapping::thread; }

 private:
  struct Experience {
    std::int64_t rows = 0, last_rows = 0;
    double rate = 0;     // rows per second in the last launch
    double latency = 0;  // seconds of a launch of at most a wave
  };

  // Rows that run side by side as fast as one alone: on an H200 measured 1650 to 2150 warps and 25 000 to 38 000
  // threads of 270 336 that are resident.
  std::int64_t wave_of_warps() const { return std::max<std::int64_t>(m_threads / 128, 1); }
  std::int64_t wave_of_threads() const { return std::max<std::int64_t>(m_threads / 8, 1); }

  Mapping mapping_for(double waves_left) const;

  // How long a launch should take: long enough to hide its cost, short enough to be watched and interrupted.
  static constexpr double launch_seconds = 0.25;
  // No slowdown was measured below or above these.
  static constexpr double least_slowdown = 1.4, most_slowdown = 8;

  bool m_on_host;
  Mapping m_wanted;
  std::int64_t m_threads;
  MappingMemory& m_memory;
  Experience m_thread, m_warp;
};

inline Mapping MappingChooser::mapping_for(double waves_left) const {
  if (m_wanted != Mapping::automatic) return m_wanted;
  if (waves_left <= least_slowdown) return Mapping::warp;
  if (waves_left >= most_slowdown) return Mapping::thread;
  if (m_memory.slowdown == 0) return m_warp.rows == 0 ? Mapping::warp : Mapping::thread;
  return waves_left <= m_memory.slowdown ? Mapping::warp : Mapping::thread;
}

inline Launch MappingChooser::next(std::int64_t rows_left) const {
  const double waves_left = static_cast<double>(rows_left) / static_cast<double>(wave_of_warps());
  const Mapping mapping = mapping_for(waves_left);
  const Experience& experience = mapping == Mapping::warp ? m_warp : m_thread;
  if (experience.rows > 0) {
    const double in_time = std::min(experience.rate * launch_seconds, 16.0 * static_cast<double>(experience.last_rows));
    return {mapping, static_cast<std::int64_t>(std::min(in_time, 1e15)) + 1};
  }
  if (m_on_host) return {mapping, 256 * m_threads};
  const bool pilot = m_wanted == Mapping::automatic && mapping == Mapping::warp && m_memory.slowdown == 0;
  return {mapping, pilot ? std::min(rows_left, wave_of_warps()) : rows_left};
}

inline void MappingChooser::record(Mapping mapping, std::int64_t rows, double seconds) {
  Experience& experience = mapping == Mapping::warp ? m_warp : m_thread;
  experience.rows += rows;
  experience.last_rows = rows;
  experience.rate = static_cast<double>(rows) / std::max(seconds, 1e-9);
  if (rows <= (mapping == Mapping::warp ? wave_of_warps() : wave_of_threads())) experience.latency = seconds;
  if (m_thread.latency > 0 && m_warp.latency > 0) m_memory.slowdown = m_thread.latency / m_warp.latency;
}

}  // namespace sporos
