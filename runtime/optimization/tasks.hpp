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

/// How a problem is to be optimized.
struct OptimizationRun {
  FrankWolfeOptions options;
  FrankWolfeState state;        ///< to go on from, or only its solution to start at
  bool goes_on;                 ///< which of the two
  FrankWolfeCallback callback;  ///< shown every point of the trajectory
  /// Is given the state where the callback has made a pause, after which the run goes on.
  std::function<void(const FrankWolfeState&)> keep;
};

/// What came of it.
struct OptimizationOutcome {
  FrankWolfeResult result;
  double exact_objective;         ///< f at the solution, without sampling
  std::optional<double> optimum;  ///< its least value, where theory knows it
};

/// A mean–variance portfolio that is to be chosen.
struct PortfolioTask {
  std::variant<models::NormalReturns, models::HistoricalReturns> returns;
  models::Days days = models::Days::all;                           ///< of historical returns
  models::ReturnMoments moments = models::ReturnMoments::sampled;  ///< of normal returns
  PortfolioRegion region;

  /// Optimizes it. Throws std::invalid_argument where frank_wolfe or the region do.
  using Runner = OptimizationOutcome(const PortfolioTask&, const OptimizationRun&);
};

/// A newsvendor whose quantities are to be chosen.
struct NewsvendorTask {
  models::NewsvendorCase instance;

  /// Optimizes it. Throws std::invalid_argument where frank_wolfe does.
  using Runner = OptimizationOutcome(const NewsvendorTask&, const OptimizationRun&);
};

}  // namespace sporos::runtime

/// Names of what an optimizer sees of normal returns.
template <>
struct sporos::ChoiceNames<sporos::models::ReturnMoments> {
  using Moments = models::ReturnMoments;               ///< what there is
  static constexpr std::string_view what = "moments";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<Moments>>({{"exact", Moments::exact}, {"sampled", Moments::sampled}});
};

/// Names of the ways to use historical days.
template <>
struct sporos::ChoiceNames<sporos::models::Days> {
  static constexpr std::string_view what = "use of days";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<models::Days>>({{"all", models::Days::all}, {"drawn", models::Days::drawn}});
};
