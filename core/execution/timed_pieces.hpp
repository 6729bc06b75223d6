// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/processes.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace sporos {

/// Sizes of the pieces in which a computation of many independent parts is done. If it is stopped early
/// (launch_stop.hpp), at most the last piece is lost. Pieces grow until each takes about a tenth of a second. Results
/// must not depend on the sizes.
class TimedPieces {
 public:
  /// The first piece has `least` parts. Every other piece has `least` to `most` parts; only the last may have fewer.
  explicit TimedPieces(std::int64_t least, std::int64_t most = std::int64_t{1} << 60)
      : m_min(least), m_max(most), m_size(least) {}

  /// Returns the size of the next piece, whose time starts with the call; `left` is the number of remaining parts. With
  /// several processes the call is collective: they agree on the largest size that one of them proposes, and all throw
  /// LaunchStopped if a stop is requested on one (request_piece_stop).
  std::int64_t next(std::int64_t left, Processes& processes = single_process) {
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - m_start).count();
    if (m_last == m_size && seconds < wanted_seconds / 2) m_size = std::min(m_size * growth, m_max);
    if (m_last > 0 && seconds > wanted_seconds * 2) m_size = std::max(m_size / growth, m_min);
    m_start = now;
    m_size = greatest(processes, m_size);
    if (greatest(processes, is_piece_stop_requested() ? 1 : 0) != 0) throw LaunchStopped();
    m_last = std::min(m_size, left);
    return m_last;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double wanted_seconds = 0.1;
  static constexpr std::int64_t growth = 4;

  std::int64_t m_min, m_max, m_size;
  std::int64_t m_last = 0;    // parts of the last piece
  Clock::time_point m_start;  // start time of the last piece
};

/// Calls `compute(begin, end)` for one piece of the parts [first, last) after another, each of at least `least` parts
/// except for the last. Stops early if a stop is requested (request_piece_stop) or a call throws LaunchStopped; such a
/// call must discard its whole piece.
template <class Compute>
void for_each_timed_piece(std::int64_t first, std::int64_t last, std::int64_t least, const Compute& compute) {
  TimedPieces pieces(least);
  try {
    while (first < last && !is_piece_stop_requested()) {
      const std::int64_t end = first + pieces.next(last - first);
      compute(first, end);
      first = end;
    }
  } catch (const LaunchStopped&) {  // earlier pieces are complete
  }
}

}  // namespace sporos
