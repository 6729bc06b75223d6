// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "portfolio_region.hpp"

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <limits>
#include <stdexcept>

namespace sporos::apps {

namespace {

using Kind = PortfolioRegionKind;

}  // namespace

std::vector<OptionEntry> portfolio_region_options() {
  const PortfolioRegion usual;
  const std::string group = "Region";
  const auto number = [](double value) { return io::shortest_text(value); };
  return {{group, "region", "NAME",
           fmt::format("which weights w are allowed: {}; usually {}", names_of<Kind>(), name_of(usual.kind))},
          {group, "limit", "R",
           "full-investment: what the weights, none below 0, sum up to; budget: the most they may; l1-ball, l2-ball: "
           "the radius; k-sparse: the most of any |w_j|; usually " +
               number(usual.limit)},
          {group, "low", "L", "box: the least weight of an asset; usually " + number(usual.low)},
          {group, "high", "H", "box: the largest weight of an asset; usually " + number(usual.high)},
          {group, "nonzeros", "K", "k-sparse: the sum of all |w_j| is at most K times the limit"}};
}

PortfolioRegion portfolio_region_from(const OptionTable& options) {
  constexpr double unbounded = std::numeric_limits<double>::lowest();
  PortfolioRegion region;
  region.kind = options.choice("region", region.kind);
  const bool is_box = region.kind == Kind::box, is_sparse = region.kind == Kind::k_sparse;
  options.refuse_unless(!is_box, "limit", "a region that is no box");
  options.refuse_unless(is_box, "low", "--region box");
  options.refuse_unless(is_box, "high", "--region box");
  options.refuse_unless(is_sparse, "nonzeros", "--region k-sparse");
  if (is_sparse && !options.has("nonzeros")) {
    throw std::invalid_argument("--nonzeros is not given: expected it with --region k-sparse");
  }
  region.limit = options.positive("limit", region.limit);
  region.low = options.number("low", region.low, unbounded);
  region.high = options.number("high", region.high, unbounded);
  if (region.low > region.high) {
    throw std::invalid_argument(fmt::format("--low is {}, expected at most the largest weight, {}",
                                            io::shortest_text(region.low), io::shortest_text(region.high)));
  }
  region.nonzeros = options.whole("nonzeros", region.nonzeros, 1);
  return region;
}

std::string text_of(const PortfolioRegion& region) {
  const std::string limit = io::shortest_text(region.limit);
  switch (region.kind) {
    case Kind::full_investment:
      return fmt::format("weights of at least 0 that sum up to {}", limit);
    case Kind::budget:
      return fmt::format("weights of at least 0 that sum up to at most {}", limit);
    case Kind::l1_ball:
      return fmt::format("weights whose magnitudes sum up to at most {}", limit);
    case Kind::l2_ball:
      return fmt::format("weights whose squares sum up to at most the square of {}", limit);
    case Kind::box:
      return fmt::format("weights from {} to {}", io::shortest_text(region.low), io::shortest_text(region.high));
    case Kind::k_sparse:
      break;
  }
  return fmt::format("weights of magnitude up to {0} whose magnitudes sum up to at most {1} times {0}", limit,
                     region.nonzeros);
}

io::Json json_of(const PortfolioRegion& region) {
  const bool is_box = region.kind == Kind::box;
  return {{"name", name_of(region.kind)},
          {"limit", is_box ? io::Json(nullptr) : io::Json(region.limit)},
          {"low", is_box ? io::Json(region.low) : io::Json(nullptr)},
          {"high", is_box ? io::Json(region.high) : io::Json(nullptr)},
          {"nonzeros", region.kind == Kind::k_sparse ? io::Json(region.nonzeros) : io::Json(nullptr)}};
}

}  // namespace sporos::apps
