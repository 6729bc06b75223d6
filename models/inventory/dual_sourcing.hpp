// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::models {

/// Dual sourcing with integer units and backorders, DUALSOURCING of SimOpt. There are a regular source and an expedited
/// one, which is faster and more expensive. A period has these events:
/// 1. An expedited order raises the stock, plus what arrives within the expedited lead time, to `expedited_level`.
/// 2. A regular order raises the stock, plus all outstanding orders, to `regular_level`.
/// 3. Due orders arrive, a demand (normal, rounded, at least 0) is met or backordered, and costs are charged.
struct DualSourcing {
  static constexpr std::string_view name = "dual-sourcing";  ///< model name on the command line
  /// One-line description for lists.
  static constexpr std::string_view title = "inventory with a regular and an expedited supplier";

  std::int64_t expedited_level;  ///< order-up-to level of expedited orders
  std::int64_t regular_level;    ///< order-up-to level of regular orders
  std::int64_t expedited_lead;   ///< periods until an expedited order arrives
  std::int64_t regular_lead;     ///< periods until a regular order arrives; more than `expedited_lead`
  double demand_mean;            ///< mean of the normal demand of a period
  double demand_deviation;       ///< standard deviation of the demand
  double expedited_cost;         ///< cost of a unit from the expedited source
  double regular_cost;           ///< cost of a unit from the regular source
  double holding_cost;           ///< cost of a unit in stock at the end of a period
  double penalty_cost;           ///< cost of a unit backordered at the end of a period
  std::int64_t initial_stock;    ///< stock before the first period, without outstanding orders
  std::int64_t periods;          ///< number of periods, all of which are observed

  static constexpr std::int64_t max_lead = 31;  ///< largest lead time, in periods

  /// The only input variable, with one draw per period.
  enum Input { demand, input_count };

  /// Averages over the periods. The total cost is the sum of the three costs.
  static constexpr auto response_names =
      std::array{"total cost", "ordering cost", "holding cost", "penalty cost", "expedited units"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using D = DualSourcing;
    constexpr auto check_count = [](std::string_view parameter, std::int64_t value) {
      check_non_negative(parameter, static_cast<double>(value));
    };
    constexpr auto check_lead = [](std::string_view parameter, std::int64_t value) {
      if (value >= 0 && value <= max_lead) return;
      sporos::impl::refuse_parameter(parameter, std::to_string(value),
                                     "a whole number from 0 to " + std::to_string(max_lead));
    };
    return std::tuple{
        Parameter<D, std::int64_t>{"expedited_level", &D::expedited_level, 50, "units",
                                   "order-up-to level of expedited orders", check_count},
        Parameter<D, std::int64_t>{"regular_level", &D::regular_level, 80, "units",
                                   "order-up-to level of regular orders", check_count},
        Parameter<D, std::int64_t>{"expedited_lead", &D::expedited_lead, 0, "periods", "lead time of expedited orders",
                                   check_lead},
        Parameter<D, std::int64_t>{"regular_lead", &D::regular_lead, 2, "periods",
                                   "lead time of regular orders; above expedited_lead", check_lead},
        Parameter<D, double>{"demand_mean", &D::demand_mean, 30.0, "units", "mean demand of a period", check_positive},
        Parameter<D, double>{"demand_deviation", &D::demand_deviation, 10.0, "units",
                             "standard deviation of the demand of a period", check_positive},
        Parameter<D, double>{"expedited_cost", &D::expedited_cost, 110.0, "money", "cost of an expedited unit",
                             check_non_negative},
        Parameter<D, double>{"regular_cost", &D::regular_cost, 100.0, "money", "cost of a regular unit",
                             check_non_negative},
        Parameter<D, double>{"holding_cost", &D::holding_cost, 5.0, "money", "cost per unit in stock and period",
                             check_non_negative},
        Parameter<D, double>{"penalty_cost", &D::penalty_cost, 495.0, "money", "cost per backordered unit and period",
                             check_non_negative},
        Parameter<D, std::int64_t>{"initial_stock", &D::initial_stock, 40, "units", "stock before the first period",
                                   check_count},
        Parameter<D, std::int64_t>{"periods", &D::periods, 1000, "periods", "number of simulated periods",
                                   check_steps}};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    return {{.name = "dualsourcing-1",
             .title = "order-up-to levels of an expedited and a regular supplier",
             .source = "SimOpt, DUALSOURCING-1",
             .decisions = {{"expedited_level", 0, 200, 50}, {"regular_level", 0, 400, 80}},
             .objective = "total cost",
             .budget = 1000,
             .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                     .value = 3192.02941867,
                                     .x = {49, 115},
                                     .source = "Markov chain of the stock above the expedited level, enumeration"}}};
  }

  /// Throws std::invalid_argument if a parameter is out of range or the expedited source is not faster than the regular
  /// one.
  void check() const {
    check_parameters(*this);
    if (expedited_lead < regular_lead) return;
    sporos::impl::refuse_parameter("expedited_lead", std::to_string(expedited_lead),
                                   "a number below regular_lead, " + std::to_string(regular_lead));
  }

  /// Responses are not negative.
  ResponseRange response_range(int) const { return {.least = 0}; }

  /// Exact expectations for lead times 0 and 1, if the regular level is at least the expedited level and the initial
  /// stock. Before an expedited order, the stock plus outstanding orders then equals the regular level less the demand
  /// of the period before. There are none if a level or a demand exceeds a million.
  ExactMeans<DualSourcing> exact_means() const;

  /// Most draws are transformed by the normal quantile.
  static constexpr auto draw_transform = DrawTransform::quantile;

  /// One draw per period.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{periods}}}; }

  /// Replications may run in the lanes of a Pack.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs>, 5> operator()(Inputs& inputs) const;
};

template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs>, 5> DualSourcing::operator()(Inputs& inputs) const {
  using Number = NumberIn<Inputs>;
  const auto positive = [](const Number& x) { return math::max(0.0, x); };
  if (regular_lead > max_lead || expedited_lead < 0 || expedited_lead >= regular_lead) {
    Kokkos::abort("Sporos: lead times of dual-sourcing are outside their checked range\n");
  }
  const int places = static_cast<int>(regular_lead) + 1;
  Kokkos::Array<Number, max_lead + 1> due;  // circular buffer of arrivals, from `today` on
  for (int i = 0; i < places; ++i) due[i] = 0;
  const auto place_of = [&](int period) { return period < places ? period : period - places; };
  const double to_expedited = static_cast<double>(expedited_level), to_regular = static_cast<double>(regular_level);
  const int soon = static_cast<int>(expedited_lead);

  int today = 0;
  Number stock = static_cast<double>(initial_stock);
  // Stock plus arrivals within the expedited lead time; stock plus all outstanding orders.
  Number near = stock, position = stock;
  Number expedited = 0, regular = 0, held = 0, backordered = 0;
  for (std::int64_t period = 0; period < periods; ++period) {
    const Number fast = positive(to_expedited - near);
    const Number slow = positive(to_regular - (position + fast));
    due[place_of(today + soon)] += fast;
    due[place_of(today + places - 1)] += slow;
    const Number wanted = math::floor(positive(normal(inputs(demand), demand_mean, demand_deviation)) + 0.5);
    stock += due[today] - wanted;
    due[today] = 0;
    today = place_of(today + 1);
    near += fast - wanted + due[place_of(today + soon)];
    position += fast + slow - wanted;
    expedited += fast;
    regular += slow;
    held += positive(stock);
    backordered += positive(-stock);
  }
  const double share = 1.0 / static_cast<double>(periods);
  const Number ordering = (expedited_cost * expedited + regular_cost * regular) * share;
  const Number holding = holding_cost * held * share, penalty = penalty_cost * backordered * share;
  return {{ordering + holding + penalty, ordering, holding, penalty, expedited * share}};
}

inline ExactMeans<DualSourcing> DualSourcing::exact_means() const {
  constexpr double most = 1e6;
  const double largest = demand_mean + 40 * demand_deviation;  // no demand is larger
  if (expedited_lead > 0 || regular_lead > 1 || expedited_level > regular_level || initial_stock > regular_level ||
      static_cast<double>(regular_level) > most || largest > most) {
    return {};
  }
  // Distribution of the demand, and E[(k − demand)⁺] for each integer k.
  const auto end = std::max(static_cast<std::size_t>(largest), static_cast<std::size_t>(regular_level)) + 2;
  std::vector<double> up_to(end), left(end);
  double mean = 0;
  for (std::size_t k = 0; k < end; ++k) {
    up_to[k] = math::normal_cdf((static_cast<double>(k) + 0.5 - demand_mean) / demand_deviation);
    mean += math::normal_cdf((demand_mean - static_cast<double>(k) - 0.5) / demand_deviation);
    if (k > 0) left[k] = left[k - 1] + up_to[k - 1];
  }
  const auto shortage = [&](std::int64_t stock) {
    return left[static_cast<std::size_t>(stock)] - static_cast<double>(stock) + mean;
  };
  // Adds, weighted by `probability`, the stock left over and backordered in a period that has this stock after its
  // orders.
  double held = 0, backordered = 0;
  const auto add_period = [&](std::int64_t stock, double probability) {
    held += probability * left[static_cast<std::size_t>(stock)];
    backordered += probability * shortage(stock);
  };
  const auto later = static_cast<double>(periods - 1), all = static_cast<double>(periods);
  const std::int64_t gap = regular_level - expedited_level;
  for (std::int64_t last = 0; last < gap; ++last) {  // demand of the previous period
    const auto k = static_cast<std::size_t>(last);
    add_period(regular_level - last, later * (up_to[k] - (k > 0 ? up_to[k - 1] : 0)));
  }
  add_period(expedited_level, later * (1 - (gap > 0 ? up_to[static_cast<std::size_t>(gap - 1)] : 0)));
  const std::int64_t first = std::max(initial_stock, expedited_level);
  add_period(first, 1);
  const double expedited = (static_cast<double>(first - initial_stock) + later * shortage(gap)) / all;
  const double regular = (static_cast<double>(regular_level - first) + later * (mean - shortage(gap))) / all;
  const double ordering = expedited_cost * expedited + regular_cost * regular;
  const double holding = holding_cost * held / all, penalty = penalty_cost * backordered / all;
  return {ordering + holding + penalty, ordering, holding, penalty, expedited};
}

}  // namespace sporos::models
