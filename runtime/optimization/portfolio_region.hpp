// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Which portfolios w are allowed.
enum class PortfolioRegionKind {
  full_investment,  ///< w >= 0, or low <= w <= high, and Σw = limit
  budget,           ///< w >= 0, Σw <= limit
  l1_ball,          ///< Σ|w| <= limit
  l2_ball,          ///< Σw² <= limit²
  box,              ///< low <= w <= high
  k_sparse          ///< Σ|w| <= K limit, |w| <= limit
};

/// Bounds of each weight, in the order of the assets.
struct WeightBounds {
  std::vector<double> low, high;
};

/// The allowed portfolios.
struct PortfolioRegion {
  PortfolioRegionKind kind = PortfolioRegionKind::full_investment;
  double limit = 1;           ///< of all but the box
  bool is_bounded = false;    ///< whether each weight has bounds: in a box, and on request in full investment
  double low = 0;             ///< of a bounded region, for assets without bounds of their own
  double high = 0.1;          ///< the same
  std::string bounds_file;    ///< of assets with bounds of their own; may be empty
  std::int64_t nonzeros = 1;  ///< K of a k-sparse region
  WeightBounds bounds;        ///< of a bounded region, once the assets are known
};

/// The options that say which region.
std::vector<OptionEntry> portfolio_region_options();

/// The region that they name. Throws std::invalid_argument for bad ones and those that do not fit each other.
PortfolioRegion portfolio_region_from(const OptionTable& options);

/// The bounds of these assets, those of the file read; appends to `notes` in which ways it is not plain CSV. Throws
/// std::invalid_argument where it names another one, one twice, or a high bound below the low one.
WeightBounds bounds_of(const PortfolioRegion& region, const std::vector<std::string>& assets,
                       std::vector<std::string>& notes);

/// For people.
std::string text_of(const PortfolioRegion& region);

}  // namespace sporos::runtime

/// Names of the regions.
template <>
struct sporos::ChoiceNames<sporos::runtime::PortfolioRegionKind> {
  using Kind = runtime::PortfolioRegionKind;          ///< what there is
  static constexpr std::string_view what = "region";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<Kind>>({{"full-investment", Kind::full_investment},
                                                                  {"budget", Kind::budget},
                                                                  {"l1-ball", Kind::l1_ball},
                                                                  {"l2-ball", Kind::l2_ball},
                                                                  {"box", Kind::box},
                                                                  {"k-sparse", Kind::k_sparse}});
};
