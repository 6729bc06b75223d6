// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/station_animation.hpp>
#include <sporos/models/networks/network_case.hpp>

#include <cstddef>
#include <vector>

/// Pictures of what happens in a network over one replication.
namespace sporos::models {

/// Changes of the numbers of customers at the stations in one replication, from empty stations at time 0.
class NumberRecord {
 public:
  static constexpr std::size_t default_max_steps = 10'000'000;  ///< Number of changes that a record holds by default.

  /// Prepares a record of at most `max_steps` changes.
  explicit NumberRecord(std::size_t max_steps = default_max_steps) : m_max_steps(max_steps) {}

  /// Records a change. Times must not decrease. If the record is full, ends it at `time` and returns false.
  bool add(double time, int station, int number) {
    if (m_steps.size() < m_max_steps) {
      m_steps.push_back({time, station, number});
      return true;
    }
    finish(time, false);
    m_is_cut = true;
    return false;
  }

  /// Ends the record of a replication that has ended at `end`. A failed replication ends with its last change. A
  /// record without duration gets a duration of 1.
  void finish(double end, bool has_failed) {
    m_has_failed = has_failed;
    if (has_failed && !m_steps.empty()) end = m_steps.back().time;
    m_end = end > 0 ? end : 1;
  }

  const std::vector<io::NumberStep>& steps() const { return m_steps; }  ///< changes in order of time
  double end() const { return m_end; }                                  ///< end of the recorded period
  bool is_cut() const { return m_is_cut; }                              ///< whether the record was full before the end
  bool has_failed() const { return m_has_failed; }                      ///< whether the replication has failed

 private:
  std::size_t m_max_steps;
  std::vector<io::NumberStep> m_steps;
  double m_end = 0;
  bool m_is_cut = false, m_has_failed = false;
};

/// Maximum number of changes in an animation of at most so many stations. Of a longer record, the animation has the
/// numbers at the multiples of an interval. The interval is the shortest of the form 1, 2 or 5 times a power of ten for
/// which this maximum holds.
inline constexpr std::size_t max_animated_steps = 5000;

/// Returns a still and an animated picture of the numbers of customers at the stations.
io::StationTimeline network_timeline(const NetworkDescription& network, const NumberRecord& record);

}  // namespace sporos::models
