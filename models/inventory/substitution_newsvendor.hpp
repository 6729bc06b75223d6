// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// DYNAMNEWS of SimOpt (Mahajan and van Ryzin: Oper. Res. 49, 2001, but customers buy whenever a product is left).
/// Customers come one after the other and choose among ten products. To a customer, product j = 1, …, 10 has the
/// utility u + j − 1 + μ (ε − γ), where ε has a Gumbel distribution with mean γ. Each customer takes the product with
/// the largest utility among those in stock.
///
/// All products have the same price and cost, so profit depends only on the total T of the levels. With n customers it
/// is the constant price · min(T, n) − cost · T, which is largest at T = n.
struct SubstitutionNewsvendor {
  static constexpr std::string_view name = "substitution-newsvendor";  ///< model name on the command line
  /// One-line description for lists.
  static constexpr std::string_view title = "ten products; customers take another one if theirs is sold out";

  static constexpr int products = 10;  ///< number of products

  std::int64_t level_1;    ///< order level of product 1
  std::int64_t level_2;    ///< order level of product 2
  std::int64_t level_3;    ///< order level of product 3
  std::int64_t level_4;    ///< order level of product 4
  std::int64_t level_5;    ///< order level of product 5
  std::int64_t level_6;    ///< order level of product 6
  std::int64_t level_7;    ///< order level of product 7
  std::int64_t level_8;    ///< order level of product 8
  std::int64_t level_9;    ///< order level of product 9
  std::int64_t level_10;   ///< order level of product 10
  std::int64_t customers;  ///< n, number of customers
  double utility;          ///< u, mean utility of product 1
  double spread;           ///< μ, spread of utilities
  double price;            ///< price of a unit
  double cost;             ///< cost of a unit

  /// The only input variable, with ten draws per customer.
  enum Input { taste, input_count };

  /// Profit; number of products that are sold out at the end; customers who find no product; share of customers who do.
  static constexpr auto response_names = std::array{"profit", "products sold out", "lost customers", "fill rate"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using N = SubstitutionNewsvendor;
    constexpr auto check_level = [](std::string_view parameter, std::int64_t value) {
      sporos::impl::check_parameter(value >= 0 && value <= 1'000'000, parameter, static_cast<double>(value),
                                    "a whole number from 0 to 1000000");
    };
    const auto level = [&](std::string_view parameter, std::int64_t N::*member) {
      return Parameter<N, std::int64_t>{parameter, member, 3, "", "units of the product ordered", check_level};
    };
    return std::tuple{
        level("level_1", &N::level_1),
        level("level_2", &N::level_2),
        level("level_3", &N::level_3),
        level("level_4", &N::level_4),
        level("level_5", &N::level_5),
        level("level_6", &N::level_6),
        level("level_7", &N::level_7),
        level("level_8", &N::level_8),
        level("level_9", &N::level_9),
        level("level_10", &N::level_10),
        Parameter<N, std::int64_t>{"customers", &N::customers, 30, "", "number of customers", check_steps},
        Parameter<N, double>{"utility", &N::utility, 6.0, "",
                             "mean utility of product 1; each further product has 1 more", check_finite},
        Parameter<N, double>{"spread", &N::spread, 1.0, "", "spread of utilities among customers", check_non_negative},
        Parameter<N, double>{"price", &N::price, 9.0, "money", "selling price of a unit", check_positive},
        Parameter<N, double>{"cost", &N::cost, 5.0, "money", "purchase cost of a unit", check_non_negative}};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    DescribedProblem one{
        .name = "dynamnews-1",
        .title = "order levels of ten products that substitute each other",
        .source = "SimOpt, DYNAMNEWS-1, restricted to whole units",
        .objective = "profit",
        .is_maximized = true,
        .budget = 1000,
        .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                .value = 120,
                                .x = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3},
                                .source = "profit depends on the total only; as many units as customers"}};
    for (int product = 1; product <= products; ++product)
      one.decisions.push_back({"level_" + std::to_string(product), 0, 100, 3});
    return {one};
  }

  /// Throws std::invalid_argument for parameters out of range.
  void check() const { check_parameters(*this); }

  /// Profit is constant; the other responses are counts and a share.
  ResponseRange response_range(int response) const {
    const auto all = static_cast<double>(customers), units = total();
    if (response == 0) return ResponseRange::constant(price * std::min(units, all) - cost * units);
    if (response == 1) return {0, products};
    return response == 2 ? ResponseRange{0, all} : ResponseRange{0, 1};
  }

  /// Exact expectations of all responses except the number of products that are sold out.
  ExactMeans<SubstitutionNewsvendor> exact_means() const {
    const auto all = static_cast<double>(customers), sold = std::min(total(), all);
    return {price * sold - cost * total(), std::nullopt, all - sold, sold / all};
  }

  /// Ten draws per customer.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{customers, products}}}; }

  /// Replications may run in the lanes of a Pack.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs>, 4> operator()(Inputs& inputs) const {
    using Number = NumberIn<Inputs>;
    constexpr double mean_of_gumbel = 0.57721566490153286;
    const auto stocked = levels();
    Kokkos::Array<Number, products> left;
    for (int j = 0; j < products; ++j) left[j] = static_cast<double>(stocked[j]);
    Number sold = 0;
    for (std::int64_t customer = 0; customer < customers; ++customer) {
      Number best = -1, most = 0;
      for (int j = 0; j < products; ++j) {
        const Number gumbel = -math::log(standard_variate<StandardExponential>(inputs(taste)));
        const Number found = utility + j + spread * (gumbel - mean_of_gumbel);
        const auto is_best = (left[j] > 0.0) & ((best < 0.0) | (found > most));
        best = math::select(is_best, static_cast<double>(j), best);
        most = math::select(is_best, found, most);
      }
      for (int j = 0; j < products; ++j) left[j] -= math::indicator(best == static_cast<double>(j));
      sold += math::indicator(best >= 0.0);
    }
    Number sold_out = 0;
    for (int j = 0; j < products; ++j) sold_out += math::indicator(left[j] == 0.0);
    const auto all = static_cast<double>(customers);
    return {{price * sold - cost * total(), sold_out, all - sold, sold / all}};
  }

 private:
  KOKKOS_FUNCTION Kokkos::Array<std::int64_t, products> levels() const {
    return {{level_1, level_2, level_3, level_4, level_5, level_6, level_7, level_8, level_9, level_10}};
  }
  KOKKOS_FUNCTION double total() const {
    double sum = 0;
    const auto all = levels();
    for (int j = 0; j < products; ++j) sum += static_cast<double>(all[j]);
    return sum;
  }
};

}  // namespace sporos::models
