// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/optimization/portfolio_region.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <unordered_map>

namespace sporos::runtime {

namespace {

using Kind = PortfolioRegionKind;

}  // namespace

std::vector<OptionEntry> portfolio_region_options() {
  const PortfolioRegion defaults;
  const std::string group = "Region";
  const auto number = [](double value) { return io::shortest_text(value); };
  return {
      {group, "region", "NAME",
       fmt::format("feasible region of the weights w: {}; default: {}", names_of<Kind>(), name_of(defaults.kind))},
      {group, "limit", "R",
       "full-investment: sum of the weights, none below 0; budget: maximum of this sum; l1-ball, l2-ball: radius; "
       "k-sparse: maximum of each |w_j|; default: " +
           number(defaults.limit)},
      {group, "low", "L", "full-investment, box: the smallest weight of an asset; default: " + number(defaults.low)},
      {group, "high", "H",
       "full-investment, box: the largest weight of an asset; default: the limit, for box " + number(defaults.high)},
      data_file(
          group, "bounds",
          "full-investment, box: CSV of assets with bounds other than --low and --high: columns asset, low, high"),
      {group, "nonzeros", "K", "k-sparse: the sum of all |w_j| is at most K times the limit"}};
}

PortfolioRegion portfolio_region_from(const OptionTable& options) {
  constexpr double unbounded = std::numeric_limits<double>::lowest();
  PortfolioRegion region;
  region.kind = options.choice("region", region.kind);
  const bool is_box = region.kind == Kind::box, is_sparse = region.kind == Kind::k_sparse;
  const bool may_be_bounded = is_box || region.kind == Kind::full_investment;
  options.refuse_unless(!is_box, "limit", "a region other than box");
  for (const char* name : {"low", "high", "bounds"}) {
    options.refuse_unless(may_be_bounded, name, "--region full-investment or box");
    region.is_bounded = region.is_bounded || options.has(name);
  }
  region.is_bounded = region.is_bounded || is_box;
  options.refuse_unless(is_sparse, "nonzeros", "--region k-sparse");
  if (is_sparse && !options.has("nonzeros")) {
    throw std::invalid_argument("--nonzeros is not given: expected it with --region k-sparse");
  }
  region.limit = options.positive("limit", region.limit);
  region.low = options.number("low", region.low, unbounded);
  region.high = options.number("high", is_box ? region.high : region.limit, unbounded);
  if (region.low > region.high) {
    throw std::invalid_argument(fmt::format("--low is {}, expected at most the largest weight, {}",
                                            io::shortest_text(region.low), io::shortest_text(region.high)));
  }
  region.bounds_file = options.text("bounds").value_or("");
  region.nonzeros = options.whole("nonzeros", region.nonzeros, 1);
  return region;
}

WeightBounds bounds_of(const PortfolioRegion& region, const std::vector<std::string>& assets,
                       std::vector<std::string>& notes) {
  WeightBounds bounds{std::vector<double>(assets.size(), region.low), std::vector<double>(assets.size(), region.high)};
  if (region.bounds_file.empty()) return bounds;
  io::NamedRows rows(region.bounds_file, {"column", "asset"});
  constexpr auto expected = "asset, low and high";
  const std::size_t asset = rows.column("asset", expected), low = rows.column("low", expected);
  const std::size_t high = rows.column("high", expected);
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < assets.size(); ++i) places.emplace(assets[i], i);
  io::UniqueNames names("asset");
  while (rows.next()) {
    names.add(rows, asset);
    const auto place = places.find(std::string(rows.field(asset)));
    if (place == places.end()) {
      rows.refuse(asset, fmt::format("is {}, expected an asset of the returns", io::in_quotes(rows.field(asset))));
    }
    const double least = rows.number(low), most = rows.number(high);
    if (most < least) {
      rows.refuse(high, fmt::format("is {}, expected at least the low bound, {}", io::shortest_text(most),
                                    io::shortest_text(least)));
    }
    bounds.low[place->second] = least;
    bounds.high[place->second] = most;
  }
  rows.add_note(notes);
  return bounds;
}

std::string text_of(const PortfolioRegion& region) {
  const std::string limit = io::shortest_text(region.limit);
  const std::string bounds =
      fmt::format("weights from {} to {}{}", io::shortest_text(region.low), io::shortest_text(region.high),
                  region.bounds_file.empty() ? "" : fmt::format(" or within their bounds in {}", region.bounds_file));
  switch (region.kind) {
    case Kind::full_investment:
      if (region.is_bounded) return fmt::format("{} that sum up to {}", bounds, limit);
      return fmt::format("weights of at least 0 that sum up to {}", limit);
    case Kind::budget:
      return fmt::format("weights of at least 0 that sum up to at most {}", limit);
    case Kind::l1_ball:
      return fmt::format("weights whose magnitudes sum up to at most {}", limit);
    case Kind::l2_ball:
      return fmt::format("weights whose squares sum up to at most the square of {}", limit);
    case Kind::box:
      return bounds;
    case Kind::k_sparse:
      break;
  }
  return fmt::format("weights of magnitude up to {0} whose magnitudes sum up to at most {1} times {0}", limit,
                     region.nonzeros);
}

}  // namespace sporos::runtime
