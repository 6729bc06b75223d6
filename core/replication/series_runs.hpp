// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/blocked_series.hpp>
#include <sporos/core/statistics/regenerative_mean.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sporos {

/// Number of observations in a segment of a run, a power of two. One launch simulates a segment, which draws the random
/// numbers of one replication.
inline constexpr std::int64_t segment_observations = 4096;

/// A mean that is estimated from series: the mean of one, or a ratio of the means of two.
struct SeriesMean {
  std::size_t series = 0;               ///< the series, or the numerator
  std::optional<std::size_t> per = {};  ///< the denominator, if the mean is a ratio
};

/// State of long runs of a model, from which a launcher can continue them.
struct SegmentState {
  std::int64_t segments = 0;             ///< completed segments of each run
  std::vector<unsigned char> runs = {};  ///< the states of the runs, byte by byte
};

/// Simulates long runs of a model, one segment at a time. This is the interface of SeriesLauncher (series.hpp).
class SegmentLauncher {
 public:
  virtual ~SegmentLauncher() = default;

  /// Number of independent runs.
  virtual std::int64_t runs() const = 0;
  /// Names of the means that are estimated: by default, those of the observed series.
  virtual std::vector<std::string> names() const = 0;
  /// Number of observed series.
  virtual std::size_t series_count() const { return names().size(); }
  /// Mean number `index` in names().
  virtual SeriesMean mean(std::size_t index) const { return {index}; }
  /// Description of one observation, such as "5 min"; empty if it is an entity, such as a customer.
  virtual std::string observation() const { return ""; }
  /// Whether the model marks the regeneration points of its runs.
  virtual bool regenerates() const = 0;
  /// Simulates the next segment of every run and returns averages of blocks of `block_size` observations. `block_size`
  /// is a power of two up to segment_observations. The average of block b of series s in run r is at index
  /// (s · blocks + b) · runs + r. The result is valid until the next call. This call blocks.
  virtual std::span<const double> launch(std::int64_t block_size) = 0;
  /// Sums over the completed cycles of one series in a run. This call blocks.
  virtual CycleSums cycles(std::int64_t run, std::size_t series) = 0;
  /// State from which another launcher with the same model, seed and number of runs can continue on any backend.
  /// This call blocks.
  virtual SegmentState state() = 0;
  /// Continues from `state`. Throws std::invalid_argument if it is the state of other runs.
  virtual void restore(const SegmentState& state) = 0;
};

/// The series observed in long runs, in bounded memory.
class SeriesRuns {
 public:
  /// Creates empty series of the runs that `launcher` simulates. `launcher` must outlive this object, which keeps up to
  /// 2^16 blocks of each run, and fewer if there are many runs or series.
  explicit SeriesRuns(SegmentLauncher& launcher);

  /// Simulates the next segment of every run.
  void extend();

  /// State of the runs. Runs that continue from it have the same bits as runs that were not stopped.
  struct State {
    SegmentState segments;                                  ///< state of the launcher
    std::vector<std::vector<BlockedSeries::State>> series;  ///< blocks, by series and run
  };

  /// The current state. This call blocks.
  State state() const;
  /// Continues from `state`. Throws std::invalid_argument if it is the state of other runs.
  void restore(const State& state);

  /// Number of observations of each run.
  std::int64_t observations() const { return m_observations; }
  /// Number of observations in a block.
  std::int64_t block_size() const { return m_series.front().front().block_size(); }
  /// The blocks of one series, for each run.
  std::span<const BlockedSeries> of(std::size_t series) const { return m_series[series]; }
  /// Sums over the completed cycles of one series in all runs.
  CycleSums cycles(std::size_t series) const;
  /// The launcher that simulates the runs.
  const SegmentLauncher& launcher() const { return m_launcher; }

 private:
  SegmentLauncher& m_launcher;
  std::vector<std::vector<BlockedSeries>> m_series;  // by series and run
  std::int64_t m_observations = 0;
};

}  // namespace sporos
