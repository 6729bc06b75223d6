// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/blocked_series.hpp>
#include <sporos/core/statistics/regenerative_mean.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sporos {

/// Observations of a run that draw the random numbers of one replication, and are made by one launch: a power of two.
inline constexpr std::int64_t segment_observations = 4096;

/// Where long runs of a model stand: what its launcher goes on from.
struct SegmentState {
  std::int64_t segments = 0;             ///< that were made of each run
  std::vector<unsigned char> runs = {};  ///< the states of the runs, byte by byte
};

/// Makes long runs of a model, a segment at a time: the abstract side of SeriesLauncher (series.hpp).
class SegmentLauncher {
 public:
  virtual ~SegmentLauncher() = default;

  /// How many independent runs there are.
  virtual std::int64_t runs() const = 0;
  /// The names of what is observed.
  virtual std::vector<std::string> names() const = 0;
  /// Whether the model says where its runs begin anew.
  virtual bool regenerates() const = 0;
  /// Makes the next segment of every run, and returns averages of blocks of `block_size` observations, a power of two
  /// up to segment_observations: value (series · blocks + block) · runs + run. They are good until the next call.
  /// Waits.
  virtual std::span<const double> launch(std::int64_t block_size) = 0;
  /// Sums over the cycles of a run that have ended, of one series. Waits.
  virtual CycleSums cycles(std::int64_t run, std::size_t series) = 0;
  /// All that it takes to go on, by another launcher of the same model, seed and runs, on any backend. Waits.
  virtual SegmentState state() = 0;
  /// Goes on from there. Throws std::invalid_argument where it is the state of other runs.
  virtual void restore(const SegmentState& state) = 0;
};

/// The series of some runs, in bounded memory.
class SeriesRuns {
 public:
  /// Of what `launcher` makes, which must live as long. It keeps up to 2^16 blocks of a run, fewer of many runs.
  explicit SeriesRuns(SegmentLauncher& launcher);

  /// Makes a further segment of every run.
  void extend();

  /// Where the runs stand: to the last bit, those that go on from it are those that were not stopped.
  struct State {
    SegmentState segments;                                  ///< of the launcher
    std::vector<std::vector<BlockedSeries::State>> series;  ///< by series and run
  };

  /// The state now. Waits.
  State state() const;
  /// Goes on from there. Throws std::invalid_argument where it is the state of other runs.
  void restore(const State& state);

  /// Observations of each run.
  std::int64_t observations() const { return m_observations; }
  /// Observations in a block.
  std::int64_t block_size() const { return m_series.front().front().block_size(); }
  /// The runs of one of the series.
  std::span<const BlockedSeries> of(std::size_t series) const { return m_series[series]; }
  /// Sums over the cycles of all runs.
  CycleSums cycles(std::size_t series) const;
  /// What makes them.
  const SegmentLauncher& launcher() const { return m_launcher; }

 private:
  SegmentLauncher& m_launcher;
  std::vector<std::vector<BlockedSeries>> m_series;  // by series and run
  std::int64_t m_observations = 0;
};

}  // namespace sporos
