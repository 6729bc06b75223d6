// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/mapping.hpp>

#include <algorithm>
#include <cstdint>

namespace sporos {

/// Properties of a model that determine whether warp-level or thread-level replications finish sooner on a GPU.
struct WarpUse {
  bool in_step;                                   ///< whether all replications make the same draws
  DrawTransform transform = DrawTransform::none;  ///< function that the model applies to its draws
  bool buffers_draws = false;                     ///< whether other warps pre-generate draws if rows are many
};

namespace impl {

// Number of warps that run concurrently about as fast as a single warp, on a device that holds `threads` threads: two
// per scheduler of an H200, or four if replications do not run in step, because their warps wait more often.
inline std::int64_t wave_of_warps(std::int64_t threads, bool in_step) {
  return std::max<std::int64_t>(threads / (in_step ? 256 : 128), 1);
}

// Number of replications that a device with `threads` threads runs side by side, one in each lane, such as the workers
// of an arena. More would hide latency, but their state does not fit in registers and caches. Half or twice as many
// take the same time for networks on an H200.
inline std::int64_t replications_side_by_side(std::int64_t threads) { return std::max<std::int64_t>(threads / 4, 1); }

// Largest number of waves for which warps finish sooner than threads, with the smallest useful number of lanes for each
// row (docs/explanation/threads-and-warps.md).
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

// Largest number of rows for which warps finish sooner than threads.
inline std::int64_t max_rows_for_warps(std::int64_t threads, const WarpUse& use) {
  if (use.buffers_draws) return INT64_MAX;
  return waves_for_warps(use) * wave_of_warps(threads, use.in_step);
}

// Number of rows that share a warp: enough for one wave of warps to run all rows, but at most the largest useful
// number.
inline int rows_of_a_warp(std::int64_t rows, std::int64_t threads, bool in_step) {
  const int most = in_step ? 8 : 4;
  int rows_of_warp = 1;
  while (rows_of_warp < most && rows > rows_of_warp * wave_of_warps(threads, in_step)) rows_of_warp *= 2;
  return rows_of_warp;
}

// Whether each lane of a warp runs one row, while another warp pre-generates the draws.
inline bool buffers_draws_for(std::int64_t rows, std::int64_t threads, const WarpUse& use) {
  return use.buffers_draws && rows > 2 * wave_of_warps(threads, use.in_step);
}

}  // namespace impl

/// Mapping and size of one launch. A row is one replication of one design point.
struct Launch {
  Mapping mapping;    ///< Mapping::thread or Mapping::warp
  std::int64_t rows;  ///< largest number of rows of the launch
};

/// Chooses the mapping and size of each launch of an experiment. No choice changes any bit of a result, so that the
/// launches from which the chooser learns are part of the work.
///
/// On a host, both mappings cost the same, and the chooser uses `thread`. On a GPU, a replication runs fastest in a
/// dedicated warp, but a wave of warps, which the schedulers keep busy at full speed, is small. With more rows, two,
/// four or eight rows share a warp. With still more rows, threads have the highest throughput, or warps for which other
/// warps pre-generate the draws. The crossover points depend on the device. They hardly depend on the model, except for
/// what it states: whether its replications run in step, which function it applies to its draws, and whether these
/// should be pre-generated.
class MappingChooser {
 public:
  /// Creates a chooser for a host or a device with `threads` threads. A `wanted` mapping other than automatic is always
  /// used.
  MappingChooser(bool on_host, std::int64_t threads, Mapping wanted, const WarpUse& use)
      : m_on_host(on_host), m_wanted(wanted), m_use(use), m_threads(threads) {}

  /// Returns the next launch of an experiment that has `rows_left` rows left.
  Launch next(std::int64_t rows_left) const;

  /// Largest number of rows that take no longer than one row in a launch; 0 on a host.
  std::int64_t free_rows() const { return m_on_host ? 0 : impl::wave_of_warps(m_threads, m_use.in_step); }

  /// Number of rows below which a launch leaves hardware idle. On a device it is limited so that a process with `rows`
  /// rows has at least four launches.
  std::int64_t min_rows(std::int64_t rows) const {
    return m_on_host ? m_threads : std::clamp(rows / 4, free_rows(), m_threads);
  }

  /// Records that `rows` rows under `mapping` took `seconds`.
  void record(Mapping mapping, std::int64_t rows, double seconds);

  /// The mapping under which most rows have run.
  Mapping mostly_used() const { return m_warp.rows > m_thread.rows ? Mapping::warp : Mapping::thread; }

 private:
  struct Experience {
    std::int64_t rows = 0, last_rows = 0;
    double rate = 0;  // rows per second in the last launch
  };

  Mapping mapping_for(std::int64_t rows_left) const {
    if (m_wanted != Mapping::automatic) return m_wanted;
    const bool warps = !m_on_host && rows_left <= impl::max_rows_for_warps(m_threads, m_use);
    return warps ? Mapping::warp : Mapping::thread;
  }

  // Number of rows that run concurrently. Fewer rows take as long on a device, so that launches of long replications
  // would become smaller and smaller without becoming shorter.
  std::int64_t concurrent_rows(Mapping mapping) const {
    if (m_on_host) return 1;
    return mapping == Mapping::warp ? free_rows() : impl::replications_side_by_side(m_threads);
  }

  // Target duration of a launch: long enough to hide its cost, short enough to report progress and allow interrupts.
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
  // The first launch, while the duration of a replication is unknown: just enough rows to keep every thread busy, which
  // on a GPU are as many as can run at once.
  if (experience.rows == 0) return {mapping, std::min(rows_left, m_threads)};
  const double in_time = std::min(experience.rate * launch_seconds, 16.0 * static_cast<double>(experience.last_rows));
  return {mapping, std::max(static_cast<std::int64_t>(std::min(in_time, 1e15)) + 1, concurrent_rows(mapping))};
}

inline void MappingChooser::record(Mapping mapping, std::int64_t rows, double seconds) {
  Experience& experience = mapping == Mapping::warp ? m_warp : m_thread;
  experience.rows += rows;
  experience.last_rows = rows;
  experience.rate = static_cast<double>(rows) / std::max(seconds, 1e-9);
}

}  // namespace sporos
