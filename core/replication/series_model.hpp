// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <type_traits>

/// Long runs of a model, whose observations are analysed as a series. A model provides them by optional members:
///
///     struct SeriesState { double wait; };                            // state of a run; trivially copyable
///     static constexpr auto series_names = std::array{"time in queue"};  // names of the observed series
///     static constexpr auto series_ignores = std::array{"customers"};    // parameters that only end replications
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
///     static constexpr bool series_regenerates = true;
///
/// A run consists of segments of segment_observations observations. Segment s of run r continues from the state at the
/// end of the previous segment. It draws the random numbers of replication s · runs + r, which no other segment draws.
/// A run can therefore be continued at no cost. Its bits are a function of (parameters, seed, runs) alone: they are the
/// same on every backend, with any number of threads.
namespace sporos {

/// A model that provides long runs as series.
template <class Model>
concept SeriesModel = requires(const Model& model) {
  requires std::is_trivially_copyable_v<typename Model::SeriesState>;
  Model::series_names.size();
  Model::series_ignores.size();
  { Model::series_regenerates } -> std::convertible_to<bool>;
  model.series_means();
  model.check_series();
};

}  // namespace sporos
