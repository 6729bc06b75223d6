// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/optimization/portfolio_region.hpp>

#include <sporos/core/execution/choice.hpp>
#include <sporos/models/finance/historical_returns.hpp>
#include <sporos/models/finance/normal_returns.hpp>
#include <sporos/models/inventory/newsvendor_case.hpp>
#include <sporos/optimizers/frank_wolfe/options.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>

#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <variant>

namespace sporos::runtime {

/// Parameters of an optimization.
struct OptimizationRun {
  FrankWolfeOptions options;
  FrankWolfeState state;        ///< state to resume from, or a start in its solution
  bool goes_on;                 ///< whether to resume from the state
  FrankWolfeCallback callback;  ///< receives every point of the trajectory
  /// Receives the state when the callback requests a pause, after which the run continues.
  std::function<void(const FrankWolfeState&)> keep;
};

/// Result of an optimization.
struct OptimizationOutcome {
  FrankWolfeResult result;
  double exact_objective;         ///< f at the solution, without sampling
  std::optional<double> optimum;  ///< smallest value of f, if theory gives it
};

/// A mean–variance portfolio to be optimized.
struct PortfolioTask {
  std::variant<models::NormalReturns, models::HistoricalReturns> returns;
  models::Days days = models::Days::all;                           ///< use of the days of historical returns
  models::ReturnMoments moments = models::ReturnMoments::sampled;  ///< moments of normal returns
  PortfolioRegion region;

  /// Optimizes the portfolio. Throws std::invalid_argument if frank_wolfe or the region does.
  using Runner = OptimizationOutcome(const PortfolioTask&, const OptimizationRun&);
};

/// A newsvendor whose quantities are to be optimized.
struct NewsvendorTask {
  models::NewsvendorCase instance;

  /// Optimizes the quantities. Throws std::invalid_argument if frank_wolfe does.
  using Runner = OptimizationOutcome(const NewsvendorTask&, const OptimizationRun&);
};

}  // namespace sporos::runtime

/// Names of the ways in which an optimizer uses the moments of normal returns.
template <>
struct sporos::ChoiceNames<sporos::models::ReturnMoments> {
  using Moments = models::ReturnMoments;               ///< type of the choice
  static constexpr std::string_view what = "moments";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values =
      std::to_array<NamedValue<Moments>>({{"exact", Moments::exact}, {"sampled", Moments::sampled}});
};

/// Names of the ways to use historical days.
template <>
struct sporos::ChoiceNames<sporos::models::Days> {
  static constexpr std::string_view what = "use of days";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values =
      std::to_array<NamedValue<models::Days>>({{"all", models::Days::all}, {"drawn", models::Days::drawn}});
};
