// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

/// Long runs of a model, whose observations are analysed as a series. A model provides them by optional members:
///
///     struct SeriesState { double wait; };                            // state of a run; trivially copyable
///     static constexpr ObservedSeries<1, 1> observed_series{{"time in queue"}, {"customers"}, true};
///
///     template <class Inputs>
///     KOKKOS_FUNCTION SeriesState begin_series(Inputs& inputs) const;
///
///     template <class Inputs, class Series>
///     KOKKOS_FUNCTION void observe(SeriesState& state, Inputs& inputs, Series& series) const {
///       while (series.goes_on()) {
///         if (state.wait == 0) series.regenerate();   // if possible: the future does not depend on the past
///         series.record(state.wait);                  // one number for each name
///         ...
///       }
///     }
///     std::array<std::optional<double>, 1> series_means() const;   // steady-state means, if known
///     void check_series() const;                                   // throws if there is no steady state
///
/// A run consists of segments of segment_observations observations. Segment s of run r continues from the state at the
/// end of the previous segment. It draws the random numbers of replication s · runs + r, which no other segment draws.
/// A run can therefore be continued at no cost. It depends only on (parameters, seed, runs): its bits are the same on
/// every backend, with any number of threads.
namespace sporos {

/// Series that the long runs of a model observe.
template <std::size_t count, std::size_t ignored = 0>
struct ObservedSeries {
  std::array<std::string_view, count> names;           ///< name of each series
  std::array<std::string_view, ignored> ignores = {};  ///< parameters that only end replications
  bool regenerates = false;                            ///< whether runs report regeneration points
};

/// A model that provides long runs as series.
template <class Model>
concept SeriesModel = requires(const Model& model) {
  requires std::is_trivially_copyable_v<typename Model::SeriesState>;
  Model::observed_series.names.size();
  Model::observed_series.ignores.size();
  { Model::observed_series.regenerates } -> std::convertible_to<bool>;
  model.series_means();
  model.check_series();
};

}  // namespace sporos
