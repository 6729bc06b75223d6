// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/optimizers/stopping.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sporos::runtime {

/// A stopped optimization, as stored in a file: its options, the digest of its data, and its state.
class SavedOptimization {
 public:
  /// Reads the file. Throws std::invalid_argument, naming the file, if it is not of this kind, or if its problem is not
  /// `problem`.
  SavedOptimization(const std::string& path, const std::string& problem);

  /// Returns `read(state, name)`; `state` is the state as the optimizer has written it, and `name` is its name in
  /// messages. Throws the same exceptions as io::JsonText::read.
  template <class Read>
  auto read_state(const Read& read) const {
    return m_file.read([&](const io::Json& json, const std::string& path) {
      return read(io::json_member<io::Json>(json, path, "state"), path + ": state");
    });
  }

  /// Sets the options that the stopped run had and `table` lacks. Throws std::invalid_argument if `table` has another
  /// value for an option that affects the result. Throws the same exceptions as check_files for the files of these
  /// options and `named`.
  void fill(OptionTable& table, NamedFiles named) const;

  /// Throws std::invalid_argument if `digest` is not that of the stopped run's data.
  void check_data(std::uint64_t digest) const;

 private:
  io::JsonText m_file;
  std::map<std::string, std::string> m_options;
  std::string m_digest;
};

/// Returns the contents of the file of a stopped optimization.
std::string saved_text(const std::string& problem, const OptionTable& table, std::uint64_t digest, io::Json state);

/// Whether an optimizer that has ended for this reason cannot be continued.
inline bool is_final(StoppedBy reason) { return reason != StoppedBy::callback && reason != StoppedBy::time_limit; }

/// Trajectory of an optimization that may have a checkpoint. Concatenates the points of its runs to those of a single
/// run. `Point` is FrankWolfeProgress or QuasiNewtonProgress.
template <class Point>
class KeptTrajectory {
 public:
  /// Continues after the iteration `first` and after the earlier `points`.
  KeptTrajectory(const std::optional<KeptRun>& kept, std::vector<Point> points, std::int64_t first)
      : m_kept(kept), m_points(std::move(points)), m_first(first) {
    if (!m_points.empty()) m_seconds = m_points.back().seconds;
  }

  /// Adds the next point of the current run. Returns it as a point of the whole optimization.
  const Point& add(Point point) {
    point.seconds += m_seconds;
    if (m_begins && m_has_paused) {
      if (m_kept) m_kept->note_cost(seconds_since(m_last_at));
      m_saved_at = Clock::now();
    }
    m_last_at = Clock::now();
    if (std::exchange(m_begins, false) && !m_points.empty() && m_points.back().iteration == m_first) {
      // A run that stops reports its last point, which an uninterrupted run reports only if a point is due there. In
      // that case the next run also reports the point, without its last step.
      if (point.iteration == m_first) point.step = m_points.back().step;
      m_points.pop_back();
    }
    m_points.push_back(std::move(point));
    return m_points.back();
  }

  /// Returns the first point of the whole optimization. There must be one.
  const Point& first() const { return m_points.front(); }

  /// Whether a checkpoint is due, and the run has made iterations since the last one.
  bool is_due() const {
    return m_kept && m_points.back().iteration > m_first && seconds_since(m_saved_at) >= m_kept->every();
  }

  /// Marks a pause of the run, and writes a checkpoint with `state` and the points if this process keeps the
  /// checkpoint.
  void save(const io::Json& state) {
    m_has_paused = true;
    if (m_kept) m_kept->save(json(state));
    m_first = m_points.back().iteration;
    m_begins = true;
  }

  /// Returns the contents of a checkpoint.
  io::Json json(io::Json state) const {
    io::Json points = io::Json::array();
    for (const Point& point : m_points) points.push_back(json_of(point));
    return {{"state", std::move(state)}, {"trajectory", std::move(points)}};
  }

  /// Replaces the trajectory of the last run by that of the whole optimization. If no points were added here, leaves it
  /// unchanged: the problem was solved without iterations.
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
  std::int64_t m_first;  // number of iterations before the current run
  bool m_begins = true;  // whether the current run has no point yet
  double m_seconds = 0;  // seconds that earlier processes took
  bool m_has_paused = false;
  Clock::time_point m_last_at;                  // time of the last point
  Clock::time_point m_saved_at = Clock::now();  // time when the run continued after the last checkpoint
};

}  // namespace sporos::runtime
