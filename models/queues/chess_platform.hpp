// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/counts.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/math/first_where.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/math/normal_quantiles.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// Players arrive one by one at a platform (CHESS of SimOpt). A player plays against the first waiting player whose
/// rating differs by at most `largest_difference`, or waits. Ratings are normal, truncated to between 0 and 2400.
///
/// As in SimOpt, the time since the previous arrival is a Poisson variate. It counts as waiting time once for each
/// waiting player whom the new player passes over.
struct ChessPlatform {
  static constexpr std::string_view name = "chess-platform";  ///< name on the command line
  static constexpr std::string_view title =
      "chess players who wait for an opponent of similar rating";  ///< title in lists

  static constexpr int max_players = 1000;  ///< maximum number of players in a replication

  double largest_difference;  ///< largest difference of ratings of two opponents
  double rating_mean;         ///< mean of the normal distribution of ratings
  double rating_deviation;    ///< standard deviation of the normal distribution of ratings
  double gap_mean;            ///< mean time between arrivals
  std::int64_t players;       ///< number of arriving players

  /// Input variables, each with one draw per player.
  enum Input { rating, gap, input_count };

  /// Mean difference of the ratings of opponents (0 if nobody plays), waiting time per player, and fraction of the
  /// players who play.
  static constexpr auto response_names = std::array{"mean difference", "waiting time", "playing"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using C = ChessPlatform;
    const auto number = [](std::string_view parameter, double C::*member, double default_value,
                           std::string_view meaning, void (*check)(std::string_view, double)) {
      return Parameter<C, double>{parameter, member, default_value, "", meaning, check};
    };
    constexpr auto check_players = [](std::string_view parameter, std::int64_t value) {
      sporos::impl::check_parameter(value >= 1 && value <= max_players, parameter, static_cast<double>(value),
                                    "a whole number from 1 to 1000");
    };
    constexpr auto check_mean = [](std::string_view parameter, double value) {
      sporos::impl::check_parameter(value >= 0 && value <= 1000, parameter, value, "a number from 0 to 1000");
    };
    constexpr auto check_rating = [](std::string_view parameter, double value) {
      sporos::impl::check_parameter(value >= 0 && value <= 2400, parameter, value, "a number from 0 to 2400");
    };
    return std::tuple{
        number("largest_difference", &C::largest_difference, 150.0, "largest rating difference of two opponents",
               check_non_negative),
        number("rating_mean", &C::rating_mean, 1200.0, "mean rating of the players", check_rating),
        number("rating_deviation", &C::rating_deviation, 515.8, "standard deviation of the ratings", check_positive),
        number("gap_mean", &C::gap_mean, 1.0, "mean time between arrivals", check_mean),
        Parameter<C, std::int64_t>{"players", &C::players, 1000, "", "number of arriving players", check_players}};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    return {{.name = "chess-1",
             .title = "smallest rating difference with a mean waiting time of at most 5",
             .source = "SimOpt, CHESS-1",
             .decisions = {{"largest_difference", 0, 2400, 150, "normal(150, 50)"}},
             .objective = "mean difference",
             .constraints = {"waiting time <= 5"},
             .budget = 1000,
             // Estimates from 100 000 replications, with intervals of 99.9 %. At 97.7, players wait for 5.0118 ± 0.0038
             // and ratings differ by 47.296 ± 0.013. At 98.1, they wait for 4.9900 ± 0.0038 and ratings differ by
             // 47.493 ± 0.013. The waiting time decreases and the mean difference increases with the decision variable,
             // as observed at other points (not proved).
             .optimum = KnownOptimum{.kind = OptimumKind::certified,
                                     .value = 47.395,
                                     .x = {98.1},
                                     .source = "replications on both sides of the limit, 99.6 % confidence",
                                     .half_width = 0.12}}};
  }

  /// Throws std::invalid_argument if a parameter is out of range.
  void check() const { check_parameters(*this); }

  /// Range of a response: a fraction, or non-negative.
  ResponseRange response_range(int response) const {
    return response == 2 ? ResponseRange{0, 1} : ResponseRange{.least = 0};
  }

  /// Number of draws: one of each input variable per player.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 2> input_draws() const { return {{{players}, {players}}}; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(Inputs& inputs) const {
    const double low = math::normal_cdf((0 - rating_mean) / rating_deviation),
                 high = math::normal_cdf((2400 - rating_mean) / rating_deviation);
    if (players > max_players) Kokkos::abort("Sporos: players of chess-platform are outside their checked range\n");
    const PoissonVariates gaps(gap_mean);
    double waiting[max_players];
    std::int64_t count = 0, pairs = 0;
    double differences = 0, waited = 0;
    constexpr int block = sporos::impl::on_device() ? 1 : 64;  // ratings that are computed together
    for (std::int64_t first = 0; first < players; first += block) {
      const int size = players - first < block ? static_cast<int>(players - first) : block;
      double ratings[block];
      for (int i = 0; i < size; ++i) {
        const double u = low + (high - low) * standard_variate<StandardUniform>(inputs(rating));
        ratings[i] = u < largest_uniform ? u : largest_uniform;
      }
      math::replace_by_normal_quantiles(ratings, size);
      for (int player = 0; player < size; ++player) {
        const double own = rating_mean + rating_deviation * ratings[player];
        const double since = gaps(inputs(gap));
        const auto is_near = [&](std::int64_t other) { return math::abs(own - waiting[other]) <= largest_difference; };
        std::int64_t i = math::first_where(0, count, is_near);
        waited += since * static_cast<double>(i);  // whole numbers: as exact as adding them one by one
        if (i == count) {
          waiting[count++] = own;
          continue;
        }
        differences += math::abs(own - waiting[i]);
        ++pairs;
        for (--count; i < count; ++i) waiting[i] = waiting[i + 1];
      }
    }
    const auto played = static_cast<double>(pairs), all = static_cast<double>(players);
    return {{pairs > 0 ? differences / played : 0.0, waited / all, 2 * played / all}};
  }

 private:
  static constexpr double largest_uniform = 1 - 0x1p-53;  // largest argument of normal quantiles
};

}  // namespace sporos::models
