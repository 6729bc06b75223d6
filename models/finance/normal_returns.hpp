// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/random/standard_normals.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Normally distributed returns of d assets: Rⱼ = μⱼ + σⱼ εⱼ + Σₖ Bⱼₖ fₖ with independent standard normals. εⱼ is
/// idiosyncratic, and the factors fₖ are common to all assets. Without common factors the covariance Σ = diag(σ²) + B
/// Bᵀ is diagonal; no d × d matrix is ever formed.
///
/// Replication r under a seed is one vector of returns. Its εⱼ is draw j of input variable 0 in the Philox stream, and
/// its fₖ is draw k of input variable 1. The sum is formed from left to right, so results are bitwise identical on
/// every backend, whichever assets are computed together.
namespace sporos::models {

/// Distribution of the returns, on the host.
struct NormalReturns {
  std::vector<double> means;       ///< μⱼ, finite, one for each asset
  std::vector<double> deviations;  ///< σⱼ >= 0, one for each asset
  std::vector<double> loadings;    ///< Bⱼₖ at k d + j; empty without common factors

  /// Number of assets, d.
  std::int64_t assets() const { return static_cast<std::int64_t>(means.size()); }
  /// Number of common factors.
  std::int64_t factors() const { return means.empty() ? 0 : static_cast<std::int64_t>(loadings.size()) / assets(); }

  /// Throws std::invalid_argument if there is no asset, sizes do not match, a number is not finite, or σⱼ < 0. The
  /// message names the asset by its position, from 1.
  void check() const;

  /// Exact value of f(w) = ½ wᵀΣw − wᵀμ for d weights.
  double objective(std::span<const double> weights) const;

  /// Exact gradient ∇f(w) = Σw − μ.
  std::vector<double> gradient(std::span<const double> weights) const;
};

/// Moments of normal returns that an optimizer uses.
enum class ReturnMoments {
  sampled,  ///< sample means and covariances of drawn returns
  exact     ///< μ and Σ; nothing is drawn
};

/// Returns without common factors, for kernels that can access the arrays.
struct IndependentReturnsHandle {
  const double* means;       ///< μⱼ
  const double* deviations;  ///< σⱼ
  std::int64_t assets;       ///< d

  /// out[i] = Rⱼ of replication `replication` under `seed` for asset j = `first` + i, i = 0, …, `count` − 1. For best
  /// performance, `first` is even and `count` is 2 on a device and some dozens on a host.
  KOKKOS_INLINE_FUNCTION void fill(std::uint64_t seed, std::uint64_t replication, std::int64_t first,
                                   std::int64_t count, double* out) const {
    fill_standard_normals({seed, replication, 0}, static_cast<std::uint64_t>(first), count, out);
    for (std::int64_t i = 0; i < count; ++i) out[i] = means[first + i] + deviations[first + i] * out[i];
  }

  /// out[i] = Rⱼ of replication `first` + i for asset j = `asset`, i = 0, …, `count` − 1. Results are bitwise identical
  /// to those of `fill`.
  KOKKOS_INLINE_FUNCTION void fill_asset(std::uint64_t seed, std::uint64_t first, std::int64_t count,
                                         std::int64_t asset, double* out) const {
    fill_standard_normals_across({seed, first, 0}, static_cast<std::uint64_t>(asset), count, out);
    for (std::int64_t i = 0; i < count; ++i) out[i] = means[asset] + deviations[asset] * out[i];
  }
};

/// Returns with common factors, for kernels that can access the arrays.
struct FactorReturnsHandle {
  IndependentReturnsHandle own;     ///< μ and σ
  const double* loadings;           ///< Bⱼₖ at k d + j
  std::int64_t factors;             ///< number of common factors
  const double* common;             ///< fₖ of replication r at (r − first_replication) factors + k
  std::uint64_t first_replication;  ///< first replication in `common`

  /// Does what IndependentReturnsHandle::fill does; `common` must hold the factors of this replication.
  KOKKOS_INLINE_FUNCTION void fill(std::uint64_t seed, std::uint64_t replication, std::int64_t first,
                                   std::int64_t count, double* out) const {
    own.fill(seed, replication, first, count, out);
    const double* f = common + static_cast<std::int64_t>(replication - first_replication) * factors;
    for (std::int64_t k = 0; k < factors; ++k) {
      const double* loading = loadings + (k * own.assets + first);
      for (std::int64_t i = 0; i < count; ++i) out[i] += loading[i] * f[k];
    }
  }
};

static_assert(std::is_trivially_copyable_v<FactorReturnsHandle>);

/// The parameters of NormalReturns in `MemorySpace`.
template <class MemorySpace>
class NormalReturnsTable {
 public:
  /// Throws the same exceptions as NormalReturns::check.
  explicit NormalReturnsTable(const NormalReturns& returns)
      : m_means((returns.check(), sporos::impl::table_view<MemorySpace>("sporos::models::means", returns.means))),
        m_deviations(sporos::impl::table_view<MemorySpace>("sporos::models::deviations", returns.deviations)),
        m_loadings(sporos::impl::table_view<MemorySpace>("sporos::models::loadings", returns.loadings)),
        m_factors(returns.factors()) {}

  /// Number of common factors.
  std::int64_t factors() const { return m_factors; }

  /// Handle for returns without common factors. It is valid as long as this object or a copy of it lives.
  IndependentReturnsHandle independent() const {
    return {m_means.data(), m_deviations.data(), static_cast<std::int64_t>(m_means.size())};
  }

  /// Handle for returns with common factors, whose values lie at `common` (see FactorReturnsHandle).
  FactorReturnsHandle with_factors(const double* common, std::uint64_t first_replication) const {
    return {independent(), m_loadings.data(), m_factors, common, first_replication};
  }

 private:
  Kokkos::View<const double*, MemorySpace> m_means, m_deviations, m_loadings;
  std::int64_t m_factors;
};

namespace impl {

inline std::string of_asset(std::string_view what, std::size_t asset) {
  return fmt::format("{} of asset {}", what, asset + 1);
}

inline void check_length(std::string_view name, std::size_t length, std::size_t expected) {
  if (length == expected) return;
  sporos::impl::refuse_parameter(fmt::format("number of {}", name), fmt::format("{}", length),
                                 fmt::format("{}, one for each asset", expected));
}

// Bᵀw, one number per factor.
inline std::vector<double> exposures(const NormalReturns& returns, std::span<const double> weights) {
  std::vector<double> sums;
  for (auto row = returns.loadings.begin(); row != returns.loadings.end(); row += returns.assets()) {
    sums.push_back(std::inner_product(weights.begin(), weights.end(), row, 0.0));
  }
  return sums;
}

}  // namespace impl

inline void NormalReturns::check() const {
  const std::size_t d = means.size();
  if (d == 0) sporos::impl::refuse_parameter("number of assets", "0", "at least 1");
  impl::check_length("deviations", deviations.size(), d);
  if (loadings.size() % d != 0) {
    sporos::impl::refuse_parameter("number of loadings", fmt::format("{}", loadings.size()),
                                   fmt::format("a multiple of the number of assets, {}", d));
  }
  for (std::size_t j = 0; j < d; ++j) {
    if (!std::isfinite(means[j])) check_finite(impl::of_asset("mean", j), means[j]);
    if (!(deviations[j] >= 0 && std::isfinite(deviations[j]))) {
      check_non_negative(impl::of_asset("deviation", j), deviations[j]);
    }
    for (std::size_t k = 0; k < loadings.size() / d; ++k) {
      if (std::isfinite(loadings[k * d + j])) continue;
      check_finite(impl::of_asset(fmt::format("loading on factor {}", k + 1), j), loadings[k * d + j]);
    }
  }
}

inline double NormalReturns::objective(std::span<const double> weights) const {
  double variance = 0, mean = 0;
  for (std::size_t j = 0; j < means.size(); ++j) {
    const double spread = deviations[j] * weights[j];
    variance += spread * spread;
    mean += means[j] * weights[j];
  }
  for (const double exposure : impl::exposures(*this, weights)) variance += exposure * exposure;
  return 0.5 * variance - mean;
}

inline std::vector<double> NormalReturns::gradient(std::span<const double> weights) const {
  const std::vector<double> exposure = impl::exposures(*this, weights);
  std::vector<double> g(means.size());
  for (std::size_t j = 0; j < means.size(); ++j) {
    g[j] = deviations[j] * deviations[j] * weights[j] - means[j];
    for (std::size_t k = 0; k < exposure.size(); ++k) g[j] += loadings[k * means.size() + j] * exposure[k];
  }
  return g;
}

}  // namespace sporos::models
