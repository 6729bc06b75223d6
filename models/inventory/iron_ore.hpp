// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// IRONORE of SimOpt: iron ore is mined and sold at a price that changes from day to day. The price is a random walk
/// that reverts to its mean m: it moves by a normal variate with mean sgn(m − p) |m − p|^(1/4) and is clamped to its
/// range.
///
/// Nothing happens on the first day. On every other day:
/// 1. The price moves.
/// 2. If the stock is below `stop_stock`, a day's ore is mined, provided that the price is at least `start_price` or,
///   after a day of mining, at least `stop_price`.
/// 3. If the price is at least `sell_price`, the whole stock is sold.
/// 4. Holding cost is charged for the remaining stock.
struct IronOre {
  static constexpr std::string_view name = "iron-ore";  ///< model name on the command line
  /// One-line description for lists.
  static constexpr std::string_view title = "prices at which iron ore is mined and sold";

  double start_price;             ///< smallest price at which mining starts
  std::int64_t stop_stock;        ///< smallest stock at which nothing is mined
  double stop_price;              ///< price below which mining stops
  double sell_price;              ///< smallest price at which the stock is sold
  double mean_price;              ///< m, which is also the price of the first day
  double lowest_price;            ///< lower bound of the price
  double highest_price;           ///< upper bound of the price
  double deviation;               ///< standard deviation of a day's move of the price
  std::int64_t capacity;          ///< largest stock
  std::int64_t daily_production;  ///< units mined per day
  double production_cost;         ///< cost of mining a unit
  double holding_cost;            ///< cost of a unit in stock at the end of a day
  std::int64_t days;              ///< number of days, including the first

  /// The only input variable, with one draw for each day except the first.
  enum Input { movement, input_count };

  /// Profit is sales less costs. Mining is the share of days with mining. Mean stock is taken at the ends of days.
  static constexpr auto response_names = std::array{"profit", "mining", "mean stock"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using I = IronOre;
    const auto number = [](std::string_view parameter, double I::*member, double default_value,
                           std::string_view meaning, void (*check)(std::string_view, double)) {
      return Parameter<I, double>{parameter, member, default_value, "money", meaning, check};
    };
    const auto whole = [](std::string_view parameter, std::int64_t I::*member, std::int64_t default_value,
                          std::string_view unit, std::string_view meaning,
                          void (*check)(std::string_view, std::int64_t)) {
      return Parameter<I, std::int64_t>{parameter, member, default_value, unit, meaning, check};
    };
    constexpr auto check_units = [](std::string_view parameter, std::int64_t value) {
      sporos::impl::check_parameter(value >= 0 && value <= 1'000'000'000, parameter, static_cast<double>(value),
                                    "a whole number from 0 to 1000000000");
    };
    constexpr auto check_days = [](std::string_view parameter, std::int64_t value) {
      sporos::impl::check_parameter(value >= 2, parameter, static_cast<double>(value), "a whole number of at least 2");
      check_steps(parameter, value);
    };
    return std::tuple{
        number("start_price", &I::start_price, 80.0, "price at which mining starts", check_non_negative),
        whole("stop_stock", &I::stop_stock, 7000, "units", "stock at which mining stops", check_units),
        number("stop_price", &I::stop_price, 40.0, "price below which mining stops", check_non_negative),
        number("sell_price", &I::sell_price, 100.0, "price at which all stock is sold", check_non_negative),
        number("mean_price", &I::mean_price, 100.0, "initial price, to which prices revert", check_non_negative),
        number("lowest_price", &I::lowest_price, 0.0, "lower bound of the price", check_non_negative),
        number("highest_price", &I::highest_price, 200.0, "upper bound of the price", check_non_negative),
        number("deviation", &I::deviation, 7.5, "standard deviation of the daily price change", check_positive),
        whole("capacity", &I::capacity, 10'000, "units", "largest stock", check_units),
        whole("daily_production", &I::daily_production, 100, "units", "units mined per day", check_units),
        number("production_cost", &I::production_cost, 100.0, "cost of mining a unit", check_non_negative),
        number("holding_cost", &I::holding_cost, 1.0, "cost per unit in stock at the end of a day", check_non_negative),
        whole("days", &I::days, 365, "days", "number of days, including the first without activity", check_days)};
  }

  /// Optimization problems over this model. SimOpt's decision variables have no upper bounds; here they are bounded by
  /// the largest price and stock.
  static std::vector<DescribedProblem> problems() {
    const auto prices = [](const std::string& drawn) {
      return std::vector<ProblemDecision>{
          {"start_price", 0, 200, 80, drawn}, {"stop_price", 0, 200, 40, drawn}, {"sell_price", 0, 200, 100, drawn}};
    };
    DescribedProblem two{
        .name = "ironore-2",
        .title = "prices for mining and selling ore that maximize the profit",
        .source = "SimOpt, IRONORE-2",
        .decisions = prices("lognormal(4.605170, 1.174788)"),
        .objective = "profit",
        .is_maximized = true,
        .budget = 1000,
        .optimum = KnownOptimum{.kind = OptimumKind::certified,
                                .value = 253'830,
                                .x = {98.25, 98.25, 100.25},
                                .source = "upper bound by dynamic programming over all policies, lower bound from x",
                                .half_width = 2300}};
    DescribedProblem one = two;
    one.name = "ironore-1";
    one.title = "prices and a stock for mining and selling ore that maximize the profit";
    one.source = "SimOpt, IRONORE-1";
    one.decisions = prices("lognormal(3.800451, 0.764217)");
    one.decisions.insert(one.decisions.begin() + 1, {"stop_stock", 0, 10'000, 7000, "lognormal(8.059048, 0.587394)"});
    one.optimum->x.insert(one.optimum->x.begin() + 1, 7000);
    return {one, two};
  }

  /// Throws std::invalid_argument if a parameter is out of range or the mean price is outside the range of prices.
  void check() const {
    check_parameters(*this);
    check_not_above("lowest_price", lowest_price, "mean_price", mean_price);
    check_not_above("mean_price", mean_price, "highest_price", highest_price);
  }

  /// Mining is a share, and the mean stock is at most the capacity.
  ResponseRange response_range(int response) const {
    if (response == 0) return {};
    return {0, response == 1 ? 1 : static_cast<double>(capacity)};
  }

  /// One draw for each day except the first.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{days - 1}}}; }

  /// Replications may run in the lanes of a Pack.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// Responses of a replication, or of the lanes of a pack.
  template <class Inputs>
  using Responses = Kokkos::Array<NumberIn<Inputs>, 3>;

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Responses<Inputs> operator()(Inputs& inputs) const {
    State<NumberIn<Inputs>> state{mean_price};
    for (std::int64_t day = 1; day < days; ++day) advance(state, inputs);
    return responses(state);
  }

  /// Simulates two packs of replications side by side. Two square roots, one after the other, take half of a day's
  /// time; the processor computes those of one pack while it waits for those of the other.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Responses<Inputs>, 2> side_by_side(Inputs& inputs, Inputs& others) const {
    State<NumberIn<Inputs>> state{mean_price}, other{mean_price};
    for (std::int64_t day = 1; day < days; ++day) {
      advance(state, inputs);
      advance(other, others);
    }
    return {{responses(state), responses(other)}};
  }

 private:
  // Sums from the first day on, except for the price, the stock and the units mined on the last day.
  template <class Number>
  struct State {
    Number price, stock = 0, profit = 0, days_of_mining = 0, stocks = 0, mined = 0;
  };

  // Simulates a day.
  template <class Number, class Inputs>
  KOKKOS_FORCEINLINE_FUNCTION void advance(State<Number>& now, Inputs& inputs) const {
    const auto full = static_cast<double>(stop_stock), most = static_cast<double>(capacity),
               of_a_day = static_cast<double>(daily_production);
    const Number away = mean_price - now.price, drift = math::sqrt(math::sqrt(math::abs(away)));
    now.price = normal(inputs(movement), now.price + math::select(away < 0.0, -drift, drift), deviation);
    now.price = math::max(math::min(now.price, highest_price), lowest_price);
    const Number least = math::select(now.mined > 0.0, stop_price, start_price);
    now.mined = math::select((now.stock < full) & (now.price >= least), math::min(of_a_day, most - now.stock), 0.0);
    now.days_of_mining += math::indicator(now.mined > 0.0);
    now.stock += now.mined;
    now.profit -= production_cost * now.mined;
    const auto is_sold = now.price >= sell_price;
    now.profit = math::select(is_sold, now.profit + now.price * now.stock, now.profit);
    now.stock = math::select(is_sold, 0.0, now.stock);
    now.profit -= holding_cost * now.stock;
    now.stocks += now.stock;
  }

  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Number, 3> responses(const State<Number>& last) const {
    const double share = 1.0 / static_cast<double>(days);
    return {{last.profit, last.days_of_mining * share, last.stocks * share}};
  }
};

}  // namespace sporos::models
