// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "coverage.hpp"

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/replication/series.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos::bench {

/// First-order autoregressive series x' = 0.9 x + z, which starts 8.7 standard deviations from its stationary mean 0.
struct Autoregressive {
  /// Input variables.
  enum Input { noise, input_count };
  /// State of a run.
  struct SeriesState {
    double last;  ///< current value x
  };
  static constexpr ObservedSeries<1> observed_series{{"value"}};             ///< observed series
  std::array<std::optional<double>, 1> series_means() const { return {0}; }  ///< exact stationary mean
  void check_series() const {}                                               ///< every instance is valid

  /// Initial state.
  template <class Inputs>
  KOKKOS_FUNCTION SeriesState begin_series(Inputs&) const {
    return {20};
  }
  /// Simulates one segment.
  template <class Inputs, class Series>
  KOKKOS_FUNCTION void observe(SeriesState& state, Inputs& inputs, Series& series) const {
    while (series.goes_on()) {
      state.last = 0.9 * state.last + normal(inputs(noise), 0.0, 1.0);
      series.record(state.last);
    }
  }
};

/// The runs of one experiment, as a slice of a launcher that simulates many experiments.
class ExperimentSlice final : public SegmentLauncher {
 public:
  /// Selects the runs [first, first + runs) of `all`.
  ExperimentSlice(SegmentLauncher& all, std::int64_t first, std::int64_t runs)
      : m_all(all), m_first(first), m_runs(runs) {}

  /// Sets the observations of all runs in the latest segment. The span must stay valid until the next call.
  void take(std::span<const double> segment) { m_segment = segment; }

  std::int64_t runs() const override { return m_runs; }
  std::vector<std::string> names() const override { return m_all.names(); }
  bool regenerates() const override { return m_all.regenerates(); }
  std::span<const double> launch(std::int64_t) override {
    const auto all = static_cast<std::size_t>(m_all.runs()), own = static_cast<std::size_t>(m_runs);
    m_own.clear();
    for (std::size_t column = static_cast<std::size_t>(m_first); column < m_segment.size(); column += all) {
      m_own.insert(m_own.end(), &m_segment[column], &m_segment[column] + own);
    }
    return m_own;
  }
  CycleSums cycles(std::int64_t run, std::size_t series) override { return m_all.cycles(m_first + run, series); }
  SegmentState state() override { return {}; }
  void restore(const SegmentState&) override {}

 private:
  SegmentLauncher& m_all;
  std::int64_t m_first, m_runs;
  std::span<const double> m_segment;
  std::vector<double> m_own;
};

/// Long runs of many experiments. Each segment of all experiments is simulated in one launch.
template <class Model>
class SeriesExperiments {
 public:
  /// Prepares `number` experiments of `runs` runs each.
  SeriesExperiments(const Model& model, std::uint64_t seed, std::int64_t number, std::int64_t runs)
      : m_launcher(Device(), model, seed, number * runs) {
    m_slices.reserve(static_cast<std::size_t>(number));
    for (std::int64_t i = 0; i < number; ++i) {
      m_slices.emplace_back(m_launcher, i * runs, runs);
      m_all.emplace_back(m_slices.back());
    }
  }

  /// Extends all runs to at least `observations` observations.
  void extend_to(std::int64_t observations) {
    while (m_all.front().observations() < observations) {
      const auto segment = m_launcher.launch(std::min(m_all.front().block_size(), segment_observations));
      for (std::size_t i = 0; i < m_all.size(); ++i) {
        m_slices[i].take(segment);
        m_all[i].extend();
      }
    }
  }

  /// Runs of each experiment.
  std::span<const SeriesRuns> all() const { return m_all; }

 private:
  SeriesLauncher<Model, Device> m_launcher;
  std::vector<ExperimentSlice> m_slices;
  std::vector<SeriesRuns> m_all;
};

}  // namespace sporos::bench
