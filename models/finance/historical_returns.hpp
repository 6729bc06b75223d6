// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/random/drawn_index.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sporos::models {

/// Historical returns of d assets on D days, on the host.
struct HistoricalReturns {
  std::vector<std::string> names;  ///< names of the assets, all different
  std::vector<std::string> dates;  ///< dates of the days, or empty
  std::vector<double> values;      ///< the return of asset j on day t at t d + j

  /// Number of assets, d.
  std::int64_t assets() const { return static_cast<std::int64_t>(names.size()); }
  /// Number of days, D.
  std::int64_t days() const { return names.empty() ? 0 : static_cast<std::int64_t>(values.size()) / assets(); }

  /// Throws std::invalid_argument if there is no asset, fewer than two days or a duplicate asset name, if sizes do not
  /// match, or if a return is not finite or above 1e150 in magnitude. The message names asset and day (from 1).
  /// Constant returns are allowed: such an asset is riskless.
  void check() const;

  /// ½ wᵀĈw − wᵀR̄ for d weights, with the mean R̄ of all days and Ĉ = Σₜ (Rₜ − R̄)(Rₜ − R̄)ᵀ / `divisor`. The divisor
  /// D − 1 gives the sample covariance of all days, D the covariance of a day drawn from them.
  double objective(std::span<const double> weights, std::int64_t divisor) const;
};

/// The days that make up a sample.
enum class Days {
  drawn,  ///< one day per replication, drawn uniformly from all days, with replacement
  all     ///< all days, each once
};

/// Historical returns for kernels that can access the array.
struct HistoricalReturnsHandle {
  const double* values;     ///< the return of asset j on day t at t d + j
  std::int64_t assets;      ///< d
  std::uint64_t day_count;  ///< D, below 2^32
  bool is_drawn;            ///< whether a replication draws its day; if not, replication t is day t

  /// Day of a replication, from 0.
  KOKKOS_INLINE_FUNCTION std::int64_t day(std::uint64_t seed, std::uint64_t replication) const {
    if (!is_drawn) return static_cast<std::int64_t>(replication);
    return drawn_index(seed, replication, day_count);
  }

  /// out[i] = the return of asset `first` + i, i = 0, …, `count` − 1, on the day of the replication.
  KOKKOS_INLINE_FUNCTION void fill(std::uint64_t seed, std::uint64_t replication, std::int64_t first,
                                   std::int64_t count, double* out) const {
    const double* row = values + (day(seed, replication) * assets + first);
    for (std::int64_t i = 0; i < count; ++i) out[i] = row[i];
  }
};

static_assert(std::is_trivially_copyable_v<HistoricalReturnsHandle>);

/// The returns in `MemorySpace`.
template <class MemorySpace>
class HistoricalReturnsTable {
 public:
  /// Throws the same exceptions as HistoricalReturns::check, and OutOfMemory if they do not fit.
  HistoricalReturnsTable(const HistoricalReturns& returns, Days days)
      : m_assets((returns.check(), returns.assets())), m_days(days) {
    check_memory<MemorySpace>({"returns", returns.days(), "days", static_cast<double>(m_assets) * sizeof(double)});
    m_values = sporos::impl::table_view<MemorySpace>("sporos::models::returns", returns.values);
  }

  /// Handle for kernels. It is valid as long as this object or a copy of it lives.
  HistoricalReturnsHandle handle() const {
    const auto days = static_cast<std::uint64_t>(static_cast<std::int64_t>(m_values.size()) / m_assets);
    return {m_values.data(), m_assets, days, m_days == Days::drawn};
  }

 private:
  Kokkos::View<const double*, MemorySpace> m_values;
  std::int64_t m_assets;
  Days m_days;
};

namespace impl {

inline bool is_constant(const HistoricalReturns& returns, std::size_t asset) {
  const std::size_t d = returns.names.size();
  for (std::size_t i = asset; i < returns.values.size(); i += d) {
    if (returns.values[i] != returns.values[asset]) return false;
  }
  return true;
}

}  // namespace impl

inline void HistoricalReturns::check() const {
  const std::size_t d = names.size();
  if (d == 0) sporos::impl::refuse_parameter("number of assets", "0", "at least 1");
  std::set<std::string> before;
  for (const std::string& name : names) {
    if (!before.insert(name).second) {
      throw std::invalid_argument(
          fmt::format("two assets are called {}, expected different names", io::in_quotes(name)));
    }
  }
  if (values.size() % d != 0 || (!dates.empty() && dates.size() * d != values.size())) {
    throw std::invalid_argument(
        fmt::format("there are {} returns of {} assets on {}, expected one for each asset and day", values.size(), d,
                    dates.empty() ? "some days" : fmt::format("{} days", dates.size())));
  }
  if (days() < 2) sporos::impl::refuse_parameter("number of days", fmt::format("{}", days()), "at least 2");
  constexpr double most = 1e150;  // sums of many squares of such numbers fit double precision
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::abs(values[i]) <= most) continue;
    throw std::invalid_argument(fmt::format("return of asset {} on day {} is {}, expected a finite number{}",
                                            io::in_quotes(names[i % d]), i / d + 1, values[i],
                                            std::isfinite(values[i]) ? " from -1e150 to 1e150" : ""));
  }
}

inline double HistoricalReturns::objective(std::span<const double> weights, std::int64_t divisor) const {
  const std::size_t d = names.size();
  std::vector<double> earned;  // return of the portfolio on each day
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); i += d) {
    double value = 0;
    for (std::size_t j = 0; j < d; ++j) value += weights[j] * values[i + j];
    earned.push_back(value);
    sum += value;
  }
  const double mean = sum / static_cast<double>(earned.size());
  for (const double value : earned) squares += (value - mean) * (value - mean);
  return 0.5 * squares / static_cast<double>(divisor) - mean;
}

}  // namespace sporos::models
