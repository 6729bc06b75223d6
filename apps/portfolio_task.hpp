// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/models/finance/historical_returns.hpp>
#include <sporos/models/finance/normal_returns.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>

namespace sporos::apps {

/// Which portfolios w are allowed.
enum class PortfolioRegionKind {
  budget,           ///< w >= 0, Σw <= limit
  full_investment,  ///< w >= 0, Σw = limit
  l1_ball,          ///< Σ|w| <= limit
  l2_ball,          ///< Σw² <= limit²
  box,              ///< low <= w <= high
  k_sparse          ///< Σ|w| <= K limit, |w| <= limit
};

/// The allowed portfolios.
struct PortfolioRegion {
  PortfolioRegionKind kind = PortfolioRegionKind::full_investment;
  double limit = 1;           ///< of all but the box
  double low = 0;             ///< of the box
  double high = 0.1;          ///< of the box
  std::int64_t nonzeros = 1;  ///< K of a k-sparse region
};

/// A mean–variance portfolio that is to be chosen.
struct PortfolioTask {
  std::variant<models::NormalReturns, models::HistoricalReturns> returns;
  models::Days days = models::Days::all;  ///< of historical returns
  PortfolioRegion region;
};

}  // namespace sporos::apps

/// Names of the regions.
template <>
struct sporos::ChoiceNames<sporos::apps::PortfolioRegionKind> {
  using Kind = apps::PortfolioRegionKind;                ///< what there is
  static constexpr std::string_view what = "region";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<Kind>>({{"full-investment", Kind::full_investment},
                                                                  {"budget", Kind::budget},
                                                                  {"l1-ball", Kind::l1_ball},
                                                                  {"l2-ball", Kind::l2_ball},
                                                                  {"box", Kind::box},
                                                                  {"k-sparse", Kind::k_sparse}});
};

/// Names of the ways to use historical days.
template <>
struct sporos::ChoiceNames<sporos::models::Days> {
  static constexpr std::string_view what = "use of days";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<models::Days>>({{"all", models::Days::all}, {"drawn", models::Days::drawn}});
};
