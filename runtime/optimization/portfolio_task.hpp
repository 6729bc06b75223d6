// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/optimization/portfolio_region.hpp>
#include <sporos/runtime/optimization/run.hpp>

#include <sporos/core/execution/choice.hpp>
#include <sporos/models/finance/historical_returns.hpp>
#include <sporos/models/finance/normal_returns.hpp>

#include <array>
#include <string_view>
#include <variant>

namespace sporos::runtime {

/// A mean–variance portfolio that is to be chosen.
struct PortfolioTask {
  std::variant<models::NormalReturns, models::HistoricalReturns> returns;
  models::Days days = models::Days::all;                           ///< of historical returns
  models::ReturnMoments moments = models::ReturnMoments::sampled;  ///< of normal returns
  PortfolioRegion region;

  /// Optimizes it. Throws std::invalid_argument where frank_wolfe or the region do.
  using Runner = OptimizationOutcome(const PortfolioTask&, const OptimizationRun&);
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
