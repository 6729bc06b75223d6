// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// A restaurant with tables for two, four, six and eight (TABLE of SimOpt). The decision variables are the numbers of
/// tables. Groups of one to eight guests arrive as a Poisson process. A group takes the smallest free table that is
/// large enough, or leaves. Groups of g = 1, …, 8 guests arrive at hourly rates in the proportions 3, 6, 3, 3, 2, 4/3,
/// 6/5 and 1. They stay for exponential times of mean 20, 25, 30, 35, 40, 45, 50 and 60 minutes and pay 15 g.
///
/// As in SimOpt, the stay of a group is added to the time at which its table was last free, not to the arrival time. A
/// table that has been idle is therefore free again too early.
struct Restaurant {
  static constexpr std::string_view name = "restaurant";                             ///< name on the command line
  static constexpr std::string_view title = "restaurant with tables of four sizes";  ///< title in lists

  static constexpr int kinds = 4;        ///< number of table sizes
  static constexpr int max_tables = 64;  ///< maximum number of tables of one size

  std::int64_t tables_2;  ///< number of tables for two
  std::int64_t tables_4;  ///< number of tables for four
  std::int64_t tables_6;  ///< number of tables for six
  std::int64_t tables_8;  ///< number of tables for eight
  std::int64_t seats;     ///< maximum total number of seats
  double hours;           ///< duration of arrivals in hours
  double groups;          ///< expected number of arriving groups

  /// Input variables. `interarrival` and `size` have one draw per group, `stay` one per seated group.
  enum Input { interarrival, size, stay, input_count };

  /// Revenue, and fraction of the groups that are seated (1 if no group arrives).
  static constexpr auto response_names = std::array{"revenue", "seated"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using R = Restaurant;
    constexpr auto check_tables = [](std::string_view parameter, std::int64_t value) {
      sporos::impl::check_parameter(value >= 0 && value <= max_tables, parameter, static_cast<double>(value),
                                    "a whole number from 0 to 64");
    };
    const auto tables = [&](std::string_view parameter, std::int64_t R::*member, std::int64_t default_value,
                            std::string_view meaning) {
      return Parameter<R, std::int64_t>{parameter, member, default_value, "", meaning, check_tables};
    };
    constexpr auto check_groups = [](std::string_view parameter, double value) {
      sporos::impl::check_parameter(value > 0 && value <= 1e6, parameter, value,
                                    "a positive number of at most 1000000");
    };
    return std::tuple{
        tables("tables_2", &R::tables_2, 10, "number of tables for two"),
        tables("tables_4", &R::tables_4, 5, "number of tables for four"),
        tables("tables_6", &R::tables_6, 4, "number of tables for six"),
        tables("tables_8", &R::tables_8, 2, "number of tables for eight"),
        Parameter<R, std::int64_t>{"seats", &R::seats, 80, "", "maximum total number of seats", check_positive_integer},
        Parameter<R, double>{"hours", &R::hours, 5.0, "h", "time during which groups arrive", check_positive},
        Parameter<R, double>{"groups", &R::groups, 103.0, "", "mean number of arriving groups", check_groups}};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    return {{.name = "table-1",
             .title = "tables of four sizes with at most 80 seats that maximize the revenue",
             .source = "SimOpt, TABLEALLOCATION-1",
             // Random points have about 14 tables of random size. SimOpt adds such tables while there is room.
             .decisions = {{"tables_2", 0, 40, 10, "binomial(14, 0.25)"},
                           {"tables_4", 0, 20, 5, "binomial(14, 0.25)"},
                           {"tables_6", 0, 13, 4, "binomial(14, 0.25)"},
                           {"tables_8", 0, 10, 2, "binomial(14, 0.25)"}},
             .objective = "revenue",
             .is_maximized = true,
             .budget = 1000,
             // All 7386 sets of tables were compared by 1000 replications with common random numbers, the best 300 by
             // 20 000, and 12 by 200 000 new ones. The worst of the 12 is 3.8 below the best, x, whose revenue is
             // 5293.06 ± 3.12 by 400 000 further replications (99.9 %).
             .optimum = KnownOptimum{.kind = OptimumKind::certified,
                                     .value = 5293,
                                     .x = {3, 4, 3, 5},
                                     .source = "selection among all 7386 sets of tables, 99.9 % confidence",
                                     .half_width = 4}}};
  }

  /// Throws std::invalid_argument if a parameter is out of range or if the tables have more than `seats` seats.
  void check() const {
    check_parameters(*this);
    const std::int64_t needed = 2 * tables_2 + 4 * tables_4 + 6 * tables_6 + 8 * tables_8;
    if (needed <= seats) return;
    throw std::invalid_argument("the tables have " + std::to_string(needed) + " seats, expected at most seats, " +
                                std::to_string(seats));
  }

  /// Range of a response: non-negative, or a fraction.
  ResponseRange response_range(int response) const {
    return response == 0 ? ResponseRange{.least = 0} : ResponseRange{0, 1};
  }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(Inputs& inputs) const {
    // Cumulative numbers of groups by size, out of 308 in 15 hours, and mean stays in minutes.
    constexpr double up_to[8] = {45, 135, 180, 225, 255, 275, 293, 308};
    constexpr double minutes[8] = {20, 25, 30, 35, 40, 45, 50, 60};
    // All tables, from the smallest to the largest; those of a kind begin at `first[kind]`.
    const std::int64_t tables[kinds] = {tables_2, tables_4, tables_6, tables_8};
    std::int64_t first[kinds], count = 0;
    for (int kind = 0; kind < kinds; ++kind) {
      first[kind] = count;
      count += tables[kind];
    }
    double free_at[kinds * max_tables];
    for (std::int64_t table = 0; table < count; ++table) free_at[table] = 0;
    const double end = 60 * hours, mean_gap = end / groups;
    double revenue = 0, came = 0, seated = 0;
    for (double now = exponential_by_mean(inputs(interarrival), mean_gap); now < end;
         now += exponential_by_mean(inputs(interarrival), mean_gap)) {
      came += 1;
      const double place = 308 * standard_variate<StandardUniform>(inputs(size));
      int group = 0;
      for (int i = 0; i < 7; ++i) group += place >= up_to[i] ? 1 : 0;
      std::int64_t table = first[group / 2];
      while (table < count && !(free_at[table] < now)) ++table;
      if (table == count) continue;
      seated += 1;
      free_at[table] += exponential_by_mean(inputs(stay), minutes[group]);
      revenue += 15.0 * (group + 1);
    }
    return {{revenue, came > 0 ? seated / came : 1.0}};
  }
};

}  // namespace sporos::models
