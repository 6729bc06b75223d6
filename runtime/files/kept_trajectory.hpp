// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/options/duration.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/optimizers/stopping.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sporos::runtime {

/// Whether nothing is left to go on with where an optimizer has ended for that reason.
inline bool is_final(StoppedBy reason) { return reason != StoppedBy::callback && reason != StoppedBy::time_limit; }

/// The points of an optimization that may be kept: those of its runs one after the other are made those of a single
/// run. `Point` is FrankWolfeProgress or QuasiNewtonProgress.
template <class Point>
class KeptTrajectory {
 public:
  /// Of a run that goes on after the iteration `first`, and after `points`.
  KeptTrajectory(const std::optional<KeptRun>& kept, std::vector<Point> points, std::int64_t first)
      : m_kept(kept), m_points(std::move(points)), m_first(first) {
    if (!m_points.empty()) m_seconds = m_points.back().seconds;
  }

  /// Takes the next point of the run under way; its place in the whole.
  const Point& add(Point point) {
    point.seconds += m_seconds;
    if (m_begins && m_has_paused) {
      if (m_kept) m_kept->note_cost(seconds_since(m_last_at));
      m_saved_at = Clock::now();
    }
    m_last_at = Clock::now();
    if (std::exchange(m_begins, false) && !m_points.empty() && m_points.back().iteration == m_first) {
      // A run that stops sees a point there that a single run sees only where one is due; then the next run sees it,
      // too, and does not know the last step.
      if (point.iteration == m_first) point.step = m_points.back().step;
      m_points.pop_back();
    }
    m_points.push_back(std::move(point));
    return m_points.back();
  }

  /// The first point of all; there must be one.
  const Point& first() const { return m_points.front(); }

  /// Whether a checkpoint is due, and this run has come further than the last one.
  bool is_due() const {
    return m_kept && m_points.back().iteration > m_first && seconds_since(m_saved_at) >= m_kept->every();
  }

  /// Writes a checkpoint, where this process keeps the run: the state, of which this is the JSON, and the points.
  void save(const io::Json& state) {
    m_has_paused = true;
    if (m_kept) m_kept->save(json(state));
    m_first = m_points.back().iteration;
    m_begins = true;
  }

  /// What a checkpoint holds.
  io::Json json(io::Json state) const {
    io::Json points = io::Json::array();
    for (const Point& point : m_points) points.push_back(json_of(point));
    return {{"state", std::move(state)}, {"trajectory", std::move(points)}};
  }

  /// Makes the trajectory of the last run that of the whole. One whose points were not shown here stays as it is: a
  /// problem that is solved without iterations.
  void complete(std::vector<Point>& trajectory) const {
    if (m_points.empty()) return;
    std::vector<Point> all = m_points;
    if (!trajectory.empty()) {
      trajectory.back().step = all.back().step;
      trajectory.back().seconds = all.back().seconds;
      all.back() = trajectory.back();
    }
    trajectory = std::move(all);
  }

 private:
  const std::optional<KeptRun>& m_kept;
  std::vector<Point> m_points;
  std::int64_t m_first;  // iterations before the run under way
  bool m_begins = true;  // whether that has no point yet
  double m_seconds = 0;  // that earlier processes have taken
  bool m_has_paused = false;
  Clock::time_point m_last_at;                  // the last point
  Clock::time_point m_saved_at = Clock::now();  // and gone on
};

}  // namespace sporos::runtime
