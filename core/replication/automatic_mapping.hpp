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
  /// The number of rows up to which warps end sooner than threads; 0 where not measured yet.
  std::atomic<double> crossing{0};
};

/// Chooses mapping and size of each launch of an experiment. No choice changes any bit of a result, so the launches
/// that it learns from are part of the work.
///
/// On a host both mappings cost the same and `thread` is taken. On a GPU a warp of its own is the fastest place for a
/// replication, but a wave of warps, what the schedulers keep busy at full speed, is small. Beyond it time grows with
/// the rows, while threads go on at their slower pace for many more. The two meet at a number of rows that depends on
/// the model (docs/gpu.md). Where it matters, the first experiment is the pilot: two waves on warps, the rest on
/// threads.
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

  /// Rows of a launch that take no longer than one.
  std::int64_t free_rows() const { return m_on_host ? 0 : wave_of_warps(); }

  /// Takes note of how long `rows` rows took under `mapping`.
  void record(Mapping mapping, std::int64_t rows, double seconds);

  /// The mapping that has run most rows.
  Mapping mostly_used() const { return m_warp.rows > m_thread.rows ? Mapping::warp : Mapping::thread; }

 private:
  struct Experience {
    std::int64_t rows = 0, last_rows = 0;
    double rate = 0;  // rows per second in the last launch
  };

  // Rows that run side by side about as fast as one alone: on an H200 measured 1650 to 2150 warps and 25 000 to 38 000
  // threads of 270 336 that are resident.
  std::int64_t wave_of_warps() const { return std::max<std::int64_t>(m_threads / 128, 1); }
  std::int64_t wave_of_threads() const { return std::max<std::int64_t>(m_threads / 8, 1); }

  Mapping mapping_for(std::int64_t rows_left) const;

  // How long a launch should take: long enough to hide its cost, short enough to be watched and interrupted.
  static constexpr double launch_seconds = 0.25;
  // Warps and threads were never seen to meet outside of this many waves of warps.
  static constexpr std::int64_t fewest_waves = 2, most_waves = 8;

  bool m_on_host;
  Mapping m_wanted;
  std::int64_t m_threads;
  MappingMemory& m_memory;
  Experience m_thread, m_warp;
  double m_warp_rate = 0;       // rows per second of warps, all busy
  double m_thread_latency = 0;  // seconds of a launch of at most a wave of threads
};

inline Mapping MappingChooser::mapping_for(std::int64_t rows_left) const {
  if (m_wanted != Mapping::automatic) return m_wanted;
  if (rows_left <= fewest_waves * wave_of_warps()) return Mapping::warp;
  if (rows_left >= most_waves * wave_of_warps()) return Mapping::thread;
  if (m_memory.crossing == 0) return m_warp.rows == 0 ? Mapping::warp : Mapping::thread;
  return static_cast<double>(rows_left) <= m_memory.crossing ? Mapping::warp : Mapping::thread;
}

inline Launch MappingChooser::next(std::int64_t rows_left) const {
  const Mapping mapping = mapping_for(rows_left);
  const Experience& experience = mapping == Mapping::warp ? m_warp : m_thread;
  if (experience.rows > 0) {
    const double in_time = std::min(experience.rate * launch_seconds, 16.0 * static_cast<double>(experience.last_rows));
    return {mapping, static_cast<std::int64_t>(std::min(in_time, 1e15)) + 1};
  }
  // Nothing is known of a replication's length: as few as keep every thread busy, on a GPU as many as run at once.
  const bool pilot = m_wanted == Mapping::automatic && mapping == Mapping::warp && m_memory.crossing == 0;
  return {mapping, std::min(rows_left, pilot ? fewest_waves * wave_of_warps() : m_threads)};
}

inline void MappingChooser::record(Mapping mapping, std::int64_t rows, double seconds) {
  Experience& experience = mapping == Mapping::warp ? m_warp : m_thread;
  experience.rows += rows;
  experience.last_rows = rows;
  experience.rate = static_cast<double>(rows) / std::max(seconds, 1e-9);
  if (mapping == Mapping::warp && rows >= fewest_waves * wave_of_warps()) m_warp_rate = experience.rate;
  if (mapping == Mapping::thread && rows <= wave_of_threads()) m_thread_latency = seconds;
  if (!m_on_host && m_warp_rate > 0 && m_thread_latency > 0) m_memory.crossing = m_thread_latency * m_warp_rate;
}

}  // namespace sporos
