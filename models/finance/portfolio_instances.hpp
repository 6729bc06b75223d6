// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/random/standard_normals.hpp>
#include <sporos/models/finance/historical_returns.hpp>
#include <sporos/models/finance/normal_returns.hpp>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::models {

/// Instance of He et al. (2024), A preliminary study on accelerating simulation optimization with GPU implementation,
/// section 4.1: μⱼ uniform in (−1, 1), σⱼ uniform in (0, 0.025). A seed gives the same instance on every machine, and
/// asset j is the same for every d > j. Throws std::invalid_argument for fewer than one asset.
inline NormalReturns paper_portfolio(std::int64_t assets, std::uint64_t seed) {
  check_positive_integer("number of assets", assets);
  NormalReturns returns;
  for (std::int64_t j = 0; j < assets; ++j) {
    const auto words = Philox4x32::block({seed, 0, 0}, static_cast<std::uint64_t>(j));
    returns.means.push_back(2.0 * open_uniform(words[0]) - 1.0);
    returns.deviations.push_back(0.025 * open_uniform(words[1]));
  }
  return returns;
}

namespace impl {

// Draws `count` standard normals for a generator; `what` selects the stream.
inline std::vector<double> generated_normals(std::uint64_t seed, std::uint64_t what, std::int64_t count) {
  std::vector<double> normals(static_cast<std::size_t>(count));
  fill_standard_normals({seed, what, 0}, 0, count, normals.data());
  return normals;
}

// The weekday number `index` from Monday, 2 January 2023.
inline std::string weekday(std::int64_t index) {
  using namespace std::chrono;
  const year_month_day date = sys_days(2023y / January / 2) + days(index / 5 * 7 + index % 5);
  return fmt::format("{}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

}  // namespace impl

/// Artificial daily returns that resemble those of shares. There are a market and five sectors; each share is exposed
/// to the market (about 1) and to its sector (about 0.7). Its idiosyncratic deviation is 1 to 3 %, and its mean some
/// 10^−4. The volatility of all shares varies from day to day (an autoregression of its logarithm), which makes tails
/// heavier than normal. Returns are rounded to five decimals. A seed gives the same returns on every machine. Throws
/// std::invalid_argument for fewer than one asset or two days.
inline HistoricalReturns invented_daily_returns(std::int64_t assets, std::int64_t days, std::uint64_t seed) {
  check_positive_integer("number of assets", assets);
  if (days < 2) sporos::impl::refuse_parameter("number of days", fmt::format("{}", days), "at least 2");
  constexpr std::size_t sectors = 5;
  enum What : std::uint64_t { alpha, beta, sector_beta, size, volatility, first_day };
  const auto normals = [&](std::uint64_t what, std::int64_t count) {
    return impl::generated_normals(seed, what, count);
  };
  const auto alphas = normals(alpha, assets), betas = normals(beta, assets),
             sector_betas = normals(sector_beta, assets);
  const auto sizes = normals(size, assets), shocks = normals(volatility, days);
  const auto d = static_cast<std::size_t>(assets);
  HistoricalReturns returns;
  for (std::size_t j = 0; j < d; ++j) returns.names.push_back(fmt::format("S{:03}", j + 1));
  double log_scale = 0;
  for (std::int64_t t = 0; t < days; ++t) {
    returns.dates.push_back(impl::weekday(t));
    log_scale = 0.95 * log_scale + 0.12 * shocks[static_cast<std::size_t>(t)];
    const double scale = math::exp(log_scale);
    const auto z = normals(first_day + static_cast<std::uint64_t>(t), assets + 1 + static_cast<std::int64_t>(sectors));
    for (std::size_t j = 0; j < d; ++j) {
      const double market = (1.0 + 0.3 * betas[j]) * 0.009 * z[0];
      const double sector = (0.7 + 0.2 * sector_betas[j]) * 0.006 * z[1 + j % sectors];
      const double own = 0.016 * math::exp(0.3 * sizes[j]) * z[1 + sectors + j];
      const double value = 0.0004 + 0.0004 * alphas[j] + scale * (market + sector + own);
      returns.values.push_back(std::nearbyint(value * 1e5) / 1e5);
    }
  }
  return returns;
}

}  // namespace sporos::models
