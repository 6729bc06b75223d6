// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/mapping.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace sporos {

/// One launch: how it maps replications to hardware, and how many rows (replications over all design points) at most.
struct Launch {
  Mapping mapping;    ///< thread or warp
  std::int64_t rows;  ///< at most
};

/// Chooses mapping and size of each launch of an experiment. No choice changes any bit of a result, so the launches
/// that it learns from are part of the work.
///
/// On a host both mappings cost the same and `thread` is taken. On a GPU a replication ends soonest on a warp of its
/// own, but threads run 32 times as many at once: while what is left fits a few waves of warps, warps win. With more,
/// the first wave runs on warps as a pilot; what is left then goes to threads where a thread's wave, `thread_slowdown`
/// times as long, is expected to end sooner, and the mapping with the better measured rate goes on.
class MappingChooser {
 public:
  /// For an experiment on `space`; a `wanted` mapping other than automatic is kept.
  template <class ExecutionSpace>
  MappingChooser(const ExecutionSpace& space, Mapping wanted)
      : m_on_host(runs_on_host<ExecutionSpace>),
        m_wanted(m_on_host && wanted == Mapping::automatic ? Mapping::thread : wanted),
        m_threads(space.concurrency()) {}

  /// The next launch, with `rows_left` rows to go at most.
  Launch next(std::int64_t rows_left) const;

  /// Takes note of how long `rows` rows took under `mapping`.
  void record(Mapping mapping, std::int64_t rows, double seconds);

  /// The mapping that has run most rows.
  Mapping mostly_used() const { return m_warp.rows > m_thread.rows ? Mapping::warp : Mapping::thread; }

  /// A replication's time on a thread that shares its warp with 31 others, over its time on a warp of its own: between
  /// what the models of this library showed on an H200 (docs/gpu.md).
  static constexpr double thread_slowdown = 2.5;
  /// How long a launch should take: long enough to hide its cost, short enough to be watched and interrupted.
  static constexpr double launch_seconds = 0.25;

 private:
  struct Experience {
    std::int64_t rows = 0, last_rows = 0;
    double rate = 0;  // rows per second of the last launch
  };

  std::int64_t warps() const { return std::max<std::int64_t>(m_threads / impl::warp_lanes, 1); }
  Mapping mapping_for(std::int64_t rows_left) const;

  bool m_on_host;
  Mapping m_wanted;
  std::int64_t m_threads;
  Experience m_thread, m_warp;
};

inline Mapping MappingChooser::mapping_for(std::int64_t rows_left) const {
  if (m_wanted != Mapping::automatic) return m_wanted;
  if (m_warp.rows == 0 || rows_left <= warps()) return Mapping::warp;
  if (m_thread.rows > 0) return m_thread.rate > m_warp.rate ? Mapping::thread : Mapping::warp;
  const double waves_of_warps = static_cast<double>(rows_left) / static_cast<double>(warps());
  const double waves_of_threads = std::max(1.0, static_cast<double>(rows_left) / static_cast<double>(m_threads));
  return waves_of_warps > thread_slowdown * waves_of_threads ? Mapping::thread : Mapping::warp;
}

inline Launch MappingChooser::next(std::int64_t rows_left) const {
  const Mapping mapping = mapping_for(rows_left);
  const Experience& experience = mapping == Mapping::warp ? m_warp : m_thread;
  if (experience.rows > 0) {
    const double in_time = std::min(experience.rate * launch_seconds, 16.0 * static_cast<double>(experience.last_rows));
    return {mapping, static_cast<std::int64_t>(std::min(in_time, 1e15)) + 1};
  }
  if (m_on_host) return {mapping, 256 * m_threads};
  const bool pilot = m_wanted == Mapping::automatic && mapping == Mapping::warp;
  if (!pilot) return {mapping, std::numeric_limits<std::int64_t>::max()};
  const auto few_waves = static_cast<std::int64_t>((1 + thread_slowdown) * static_cast<double>(warps()));
  return {mapping, rows_left <= few_waves ? rows_left : warps()};
}

inline void MappingChooser::record(Mapping mapping, std::int64_t rows, double seconds) {
  Experience& experience = mapping == Mapping::warp ? m_warp : m_thread;
  experience.rows += rows;
  experience.last_rows = rows;
  experience.rate = static_cast<double>(rows) / std::max(seconds, 1e-9);
}

}  // namespace sporos
