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

/// Sets of feasible portfolios w.
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

/// The set of feasible portfolios.
struct PortfolioRegion {
  PortfolioRegionKind kind = PortfolioRegionKind::full_investment;
  double limit = 1;           ///< limit of all regions except the box
  bool is_bounded = false;    ///< whether each weight has bounds: in a box, and on request in full investment
  double low = 0;             ///< lower bound of assets that have no separate bounds
  double high = 0.1;          ///< upper bound of assets that have no separate bounds
  std::string bounds_file;    ///< file with bounds of single assets; may be empty
  std::int64_t nonzeros = 1;  ///< K of a k-sparse region
  WeightBounds bounds;        ///< bounds of a bounded region, once the assets are known
};

/// The options that select the region.
std::vector<OptionEntry> portfolio_region_options();

/// Parses the options into a region. Throws std::invalid_argument if an option is invalid or does not fit the others.
PortfolioRegion portfolio_region_from(const OptionTable& options);

/// Returns the bounds of these assets, with those read from the file. Appends to `notes` in which ways the file is not
/// plain CSV. Throws std::invalid_argument if the file names an unknown asset, an asset twice, or an upper bound below
/// the lower bound.
WeightBounds bounds_of(const PortfolioRegion& region, const std::vector<std::string>& assets,
                       std::vector<std::string>& notes);

/// Returns a human-readable description of the region.
std::string text_of(const PortfolioRegion& region);

}  // namespace sporos::runtime

/// Names of the regions.
template <>
struct sporos::ChoiceNames<sporos::runtime::PortfolioRegionKind> {
  using Kind = runtime::PortfolioRegionKind;          ///< type of the choice
  static constexpr std::string_view what = "region";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values = std::to_array<NamedValue<Kind>>({{"full-investment", Kind::full_investment},
                                                                  {"budget", Kind::budget},
                                                                  {"l1-ball", Kind::l1_ball},
                                                                  {"l2-ball", Kind::l2_ball},
                                                                  {"box", Kind::box},
                                                                  {"k-sparse", Kind::k_sparse}});
};
