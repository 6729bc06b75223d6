// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/mapping.hpp>

#include <algorithm>
#include <cstdint>

namespace sporos {

/// What decides whether replications of a model end sooner by warps than by threads of a GPU.
struct WarpUse {
  bool in_step;                                   ///< whether all replications make the same draws
  DrawTransform transform = DrawTransform::none;  ///< of its draws
  bool draws_ahead = false;                       ///< whether other warps make its draws ahead, where rows are many
};

namespace impl {

// Warps that run side by side about as fast as one alone, of a device that holds `threads` threads: two for each
// scheduler of an H200, four where replications do not run in step and their warps more often wait.
inline std::int64_t wave_of_warps(std::int64_t threads, bool in_step) {
  return std::max<std::int64_t>(threads / (in_step ? 256 : 128), 1);
}

// Waves of warps that end sooner than threads, with as few lanes for each row as pays (docs/gpu.md).
inline std::int64_t waves_for_warps(const WarpUse& use) {
  if (!use.in_step) return 5;
  switch (use.transform) {
    case DrawTransform::logarithm:
      return 22;
    case DrawTransform::quantile:
      return 13;
    case DrawTransform::none:
      break;
  }
  return 8;
}

// Rows up to which warps end sooner than threads.
inline std::int64_t most_rows_for_warps(std::int64_t threads, const WarpUse& use) {
  if (use.draws_ahead) return INT64_MAX;
  return waves_for_warps(use) * wave_of_warps(threads, use.in_step);
}

// Rows that share a warp: as many as let one wave of warps run all, but not more than pay.
inline int rows_of_a_warp(std::int64_t rows, std::int64_t threads, bool in_step) {
  const int most = in_step ? 8 : 4;
  int rows_of_warp = 1;
  while (rows_of_warp < most && rows > rows_of_warp * wave_of_warps(threads, in_step)) rows_of_warp *= 2;
  return rows_of_warp;
}

// Whether the lanes of a warp run a row each, while another warp makes their draws.
inline bool makes_draws_ahead(std::int64_t rows, std::int64_t threads, const WarpUse& use) {
  return use.draws_ahead && rows > 2 * wave_of_warps(threads, use.in_step);
}

}  // namespace impl

/// One launch: how it maps replications to hardware, and how many rows (replications over all design points) at most.
struct Launch {
  Mapping mapping;    ///< thread or warp
  std::int64_t rows;  ///< at most
};

/// Chooses mapping and size of each launch of an experiment. No choice changes any bit of a result, so the launches
/// that it learns from are part of the work.
///
/// On a host both mappings cost the same and `thread` is taken. On a GPU a warp of its own is the fastest place for a
/// replication, but a wave of warps, what the schedulers keep busy at full speed, is small. With more rows than that,
/// two, four or eight share a warp; with still more, threads get most done, or warps whose draws others make ahead. The
/// numbers at which one overtakes the other depend on the device, and hardly on the model but for what it says: whether
/// its replications run in step, what they make of their draws, and whether these should be made ahead.
class MappingChooser {
 public:
  /// For an experiment on a host or a device of that many threads; a `wanted` mapping other than automatic is kept.
  MappingChooser(bool on_host, std::int64_t threads, Mapping wanted, const WarpUse& use)
      : m_on_host(on_host), m_wanted(wanted), m_use(use), m_threads(threads) {}

  /// The next launch, with at most `rows_left` rows to go.
  Launch next(std::int64_t rows_left) const;

  /// Rows of a launch that take no longer than one.
  std::int64_t free_rows() const { return m_on_host ? 0 : impl::wave_of_warps(m_threads, m_use.in_step); }

  /// Rows below which a launch leaves hardware idle, but not so many that a process which has `rows` to run would have
  /// less than four launches.
  std::int64_t least_rows(std::int64_t rows) const {
    return m_on_host ? m_threads : std::clamp(rows / 4, free_rows(), m_threads);
  }

  /// Takes note of how long `rows` rows took under `mapping`.
  void record(Mapping mapping, std::int64_t rows, double seconds);

  /// The mapping that has run most rows.
  Mapping mostly_used() const { return m_warp.rows > m_thread.rows ? Mapping::warp : Mapping::thread; }

 private:
  struct Experience {
    std::int64_t rows = 0, last_rows = 0;
    double rate = 0;  // rows per second in the last launch
  };

  Mapping mapping_for(std::int64_t rows_left) const {
    if (m_wanted != Mapping::automatic) return m_wanted;
    const bool warps = !m_on_host && rows_left <= impl::most_rows_for_warps(m_threads, m_use);
    return warps ? Mapping::warp : Mapping::thread;
  }

  // How long a launch should take: long enough to hide its cost, short enough to be watched and interrupted.
  static constexpr double launch_seconds = 0.25;

  bool m_on_host;
  Mapping m_wanted;
  WarpUse m_use;
  std::int64_t m_threads;
  Experience m_thread, m_warp;
};

inline Launch MappingChooser::next(std::int64_t rows_left) const {
  const Mapping mapping = mapping_for(rows_left);
  const Experience& experience = mapping == Mapping::warp ? m_warp : m_thread;
  // Where nothing is known of a replication's length: as few as keep every thread busy, on a GPU as many as run at
  // once.
  if (experience.rows == 0) return {mapping, std::min(rows_left, m_threads)};
  const double in_time = std::min(experience.rate * launch_seconds, 16.0 * static_cast<double>(experience.last_rows));
  return {mapping, static_cast<std::int64_t>(std::min(in_time, 1e15)) + 1};
}

inline void MappingChooser::record(Mapping mapping, std::int64_t rows, double seconds) {
  Experience& experience = mapping == Mapping::warp ? m_warp : m_thread;
  experience.rows += rows;
  experience.last_rows = rows;
  experience.rate = static_cast<double>(rows) / std::max(seconds, 1e-9);
}

}  // namespace sporos
