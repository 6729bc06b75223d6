// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/counts.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace sporos::models {

/// (s, S) inventory with a continuous stock, backorders and random lead times: SSCONT of SimOpt. The initial stock is
/// s. In a period, due orders arrive; then an exponential demand is met or backordered. Then, if the position (stock,
/// less backorders, plus outstanding orders) is below s, an order raises it to S. An order arrives after a Poisson
/// distributed number of further periods; orders may overtake each other.
///
/// Without lead times, the smallest long-run cost is known: S − s = √(2 K m / h) and s = m ln((1 + b/h) m / (m + S −
/// s)), if that is not negative. K, h and b are the fixed, holding and backorder costs, and m is the mean demand. Let r
/// be the share of periods with an order. By the argument of exact_means, the cost is then K r + v m + h (s + (1 + r)
/// (S − s)/2 − m) + (h + b) m r e^(−s/m).
struct SsInventory {
  static constexpr std::string_view name = "ss-inventory";  ///< model name on the command line
  /// One-line description for lists.
  static constexpr std::string_view title = "(s, S) inventory with random lead times";

  double reorder_point;   ///< s, below which an order is placed
  double min_order;       ///< S − s, smallest order
  double demand_mean;     ///< m, mean demand of a period
  double lead_mean;       ///< mean of the further periods until an order arrives
  double holding_cost;    ///< h, cost of a unit in stock at the end of a period
  double backorder_cost;  ///< b, one-time cost of a unit that is not met in the period of its demand
  double fixed_cost;      ///< K, cost of an order
  double variable_cost;   ///< v, cost of a unit ordered
  std::int64_t warm_up;   ///< number of periods before the first observed one
  std::int64_t periods;   ///< number of observed periods

  static constexpr int due_periods = 64;  ///< lead times are shorter, in periods
  /// Largest mean lead time; no uniform in (0, 1) then gives a lead time of due_periods.
  static constexpr double max_lead_mean = 16;

  /// Input variables: one demand per period, one lead time per order.
  enum Input { demand, lead_time, input_count };

  /// Costs are averages over the observed periods; the total cost is the sum of three. Backordered share: demand that
  /// was not met immediately, relative to the mean demand. Stock-out rate: share of periods that end with backorders.
  /// Order rate: share of periods with an order.
  static constexpr auto response_names =
      std::array{"total cost",        "holding cost",   "order cost", "backorder cost",
                 "backordered share", "stock-out rate", "order rate"};

  /// Names of the control variates that are built from the input variables.
  static constexpr auto control_names = std::array{"demands", "lead times"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using I = SsInventory;
    constexpr auto check_lead = [](std::string_view parameter, double value) {
      if (value >= 0 && value <= max_lead_mean) return;
      sporos::impl::refuse_parameter(parameter, sporos::impl::number_text(value),
                                     "a number from 0 to " + sporos::impl::number_text(max_lead_mean));
    };
    constexpr auto check_warm_up = [](std::string_view parameter, std::int64_t value) {
      check_non_negative(parameter, static_cast<double>(value));
      if (value > 0) check_steps(parameter, value);
    };
    return std::tuple{
        Parameter<I, double>{"reorder_point", &I::reorder_point, 1000.0, "",
                             "s, position below which an order is placed", check_non_negative},
        Parameter<I, double>{"min_order", &I::min_order, 1000.0, "", "S - s, smallest order", check_non_negative},
        Parameter<I, double>{"demand_mean", &I::demand_mean, 100.0, "", "mean demand of a period", check_positive},
        Parameter<I, double>{"lead_mean", &I::lead_mean, 6.0, "periods", "mean lead time beyond the next period",
                             check_lead},
        Parameter<I, double>{"holding_cost", &I::holding_cost, 1.0, "money", "cost per unit in stock and period",
                             check_non_negative},
        Parameter<I, double>{"backorder_cost", &I::backorder_cost, 4.0, "money", "one-time cost per backordered unit",
                             check_non_negative},
        Parameter<I, double>{"fixed_cost", &I::fixed_cost, 36.0, "money", "fixed cost of an order", check_non_negative},
        Parameter<I, double>{"variable_cost", &I::variable_cost, 2.0, "money", "cost of an ordered unit",
                             check_non_negative},
        Parameter<I, std::int64_t>{"warm_up", &I::warm_up, 20, "periods", "periods before the first observed one",
                                   check_warm_up},
        Parameter<I, std::int64_t>{"periods", &I::periods, 100, "periods", "number of observed periods", check_steps}};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {{.name = "sscont-1",
             .title = "levels of an (s, S) inventory with random lead times",
             .source = "SimOpt, SSCONT-1",
             .decisions = {{"reorder_point", 0, infinity, 600, "lognormal(6.23145, 0.476088)"},
                           {"min_order", 0, infinity, 600, "lognormal(6.23145, 0.476088)"}},
             .objective = "total cost",
             .budget = 1000,
             // Evidence: seven samples of 40 000 replications at the 42 points of a grid of step 20 around x. The mean
             // of the smallest sample averages, a lower bound for the optimum of the grid (Mak, Morton and Wood: Oper.
             // Res. Lett. 24, 1999), is 517.47 ± 0.25. The mean at the best point is 517.50 ± 0.2 (99.9 %). The minimum
             // of a cubic polynomial through the means is 517.49, at x, 0.014 below that of the grid.
             .optimum = KnownOptimum{.kind = OptimumKind::certified,
                                     .value = 517.48,
                                     .x = {608, 109},
                                     .source = "sample average bounds on a grid, 99.8 % confidence",
                                     .half_width = 0.3},
             .is_smooth = true}};
  }

  /// Throws std::invalid_argument for parameters out of range.
  void check() const { check_parameters(*this); }

  /// Responses are not negative, and rates are at most 1.
  ResponseRange response_range(int response) const {
    return response < 5 ? ResponseRange{.least = 0} : ResponseRange{0, 1};
  }

  /// Exact expectations: for any lead times, of order cost and order rate; without lead times, of all responses. There
  /// are none for more than 10 000 periods.
  ExactMeans<SsInventory> exact_means() const;

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 7> operator()(Inputs& inputs) const;

 private:
  std::vector<double> order_probabilities() const;
};

template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<double, 7> SsInventory::operator()(Inputs& inputs) const {
  Kokkos::Array<double, due_periods> due;  // circular buffer of arrivals, from `today` on
  for (int i = 0; i < due_periods; ++i) due[i] = 0;
  const PoissonVariates lead_variates(lead_mean);
  int today = 0;
  double stock = reorder_point, position = reorder_point;
  double held = 0, ordered = 0, orders = 0, backordered = 0, stock_outs = 0;
  for (std::int64_t period = -warm_up; period < periods; ++period) {
    stock += due[today];
    due[today] = 0;
    today = (today + 1) % due_periods;
    const double wanted = exponential_by_mean(inputs(demand), demand_mean), met = stock > 0 ? stock : 0.0;
    stock -= wanted;
    position -= wanted;
    const bool is_observed = period >= 0;
    if (is_observed && stock > 0) held += stock;
    if (is_observed && stock < 0) {
      backordered += wanted - met;
      stock_outs += 1;
    }
    if (position >= reorder_point) continue;
    const double quantity = reorder_point + min_order - position;
    position = reorder_point + min_order;
    const double lead = lead_variates(inputs(lead_time));
    if (lead >= due_periods) Kokkos::abort("Sporos: a lead time of ss-inventory is outside its checked range\n");
    due[(today + static_cast<int>(lead)) % due_periods] += quantity;
    if (!is_observed) continue;
    ordered += quantity;
    orders += 1;
  }
  const double share = 1.0 / static_cast<double>(periods);
  const double holding = holding_cost * held * share, backorder = backorder_cost * backordered * share;
  const double order = (fixed_cost * orders + variable_cost * ordered) * share;
  return {{holding + order + backorder, holding, order, backorder, backordered * share / demand_mean,
           stock_outs * share, orders * share}};
}

// Probability of an order in each period. It is 1 in the first period, whose demand lowers the position below s.
// Demands fill the distance S − s above s like the jumps of a Poisson process. Hence 1 + a Poisson number of periods
// pass between two orders, and an order is S − s plus an exponential overshoot.
inline std::vector<double> SsInventory::order_probabilities() const {
  const double mean = min_order / demand_mean;
  std::vector<double> gap{0}, order{1};  // P(this many periods between orders), P(order in this period)
  for (std::int64_t period = 1; period < warm_up + periods; ++period) {
    const auto jumps = static_cast<double>(period - 1);
    gap.push_back(mean > 0 ? std::exp(jumps * std::log(mean) - mean - std::lgamma(jumps + 1)) : jumps == 0);
    double sum = 0;
    for (std::size_t k = 1; k < gap.size(); ++k) sum += gap[k] * order[order.size() - k];
    order.push_back(sum);
  }
  return order;
}

inline ExactMeans<SsInventory> SsInventory::exact_means() const {
  if (warm_up > 10'000 || warm_up + periods > 10'000) return {};
  const std::vector<double> order = order_probabilities();
  const double mean_order = min_order + demand_mean;
  // Without lead times, a period with an order has backorders with probability e^(−s/m); their amount is exponential.
  const double to_backorder = std::exp(-reorder_point / demand_mean);
  double rate = 0, stock = 0, stock_at_start = reorder_point;
  const double share = 1 / static_cast<double>(periods);
  for (std::size_t period = 0; period < order.size(); ++period) {
    if (period >= static_cast<std::size_t>(warm_up)) {
      rate += share * order[period];
      stock += share * (stock_at_start - demand_mean + demand_mean * to_backorder * order[period]);
    }
    stock_at_start += order[period] * mean_order - demand_mean;
  }
  const double order_cost = (fixed_cost + variable_cost * mean_order) * rate;
  if (lead_mean > 0) {
    constexpr auto unknown = std::nullopt;
    return {unknown, unknown, order_cost, unknown, unknown, unknown, rate};
  }
  const double holding = holding_cost * stock, stock_outs = to_backorder * rate;
  const double backorder = backorder_cost * demand_mean * stock_outs;
  return {holding + order_cost + backorder, holding, order_cost, backorder, stock_outs, stock_outs, rate};
}

}  // namespace sporos::models
