// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <type_traits>

/// Long runs of a model whose observations are analysed as a series. A model offers them by a second, optional call:
///
///     struct SeriesState { double wait; };                            // where a run stands; bytes
///     static constexpr auto series_names = std::array{"time in queue"};  // what is observed
///     static constexpr auto series_ignores = std::array{"customers"};    // what only ends replications
///
///     template <class Inputs>
///     KOKKOS_FUNCTION SeriesState begin_series(Inputs& inputs) const;
///
///     template <class Inputs, class Series>
///     KOKKOS_FUNCTION void observe(SeriesState& state, Inputs& inputs, Series& series) const {
///       while (series.goes_on()) {
///         if (state.wait == 0) series.regenerate();   // where it can: the future depends on nothing before
///         series.record(state.wait);                  // one number for each name
///         ...
///       }
///     }
///     std::array<std::optional<double>, 1> series_means() const;   // in steady state, where theory knows them
///     void check_series() const;                                   // throws where there is no steady state
///     static constexpr bool series_regenerates = true;
///
/// A run is made in segments of segment_observations observations. Segment s of run r draws the random numbers of
/// replication s · runs + r, which no other one draws, and goes on from the state that the one before has left. So a
/// run goes on where it ended, at no cost, and its bits are a function of (parameters, seed, runs) alone: the same on
/// every backend, with any number of threads.
namespace sporos {

/// A model that offers series.
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
