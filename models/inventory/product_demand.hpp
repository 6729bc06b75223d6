// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/any_distribution.hpp>
#include <sporos/core/distributions/cdf.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/math/normal.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

/// Demands of many products for kernels: NormalDemand if all are normal, AnyDemand if each product has its own kind.
/// Both have `quantile(u)`, `cdf(x)`, faster bounds of it, `cdf_integral(x)`, which is E(x − D)⁺, and `size()`. The
/// latter is the largest magnitude of the numbers to which the computations add x or a demand.
namespace sporos::models {

/// Bounds of a distribution function at a point.
struct CdfBounds {
  double low;   ///< at least 0
  double high;  ///< at most 1
};

/// A normal demand. It can be negative, as in He et al. (2024), A preliminary study on accelerating simulation
/// optimization with GPU implementation.
struct NormalDemand {
  double mean;       ///< μ
  double deviation;  ///< σ >= 0

  /// Demand of the uniform u.
  KOKKOS_FORCEINLINE_FUNCTION double quantile(double u) const {
    return mean + deviation * math::normal_quantile_of_uniform(u);
  }
  /// P(D <= x).
  KOKKOS_FORCEINLINE_FUNCTION double cdf(double x) const { return normal_cdf(x, mean, deviation); }
  /// P(D <= x) with an error of at most 4e-7, in operations that loops can vectorize: 2 instead of 15 ns.
  ///
  /// Φ(z) = 1 − ½ (1 + d₁z + … + d₆z⁶)^−16 for z >= 0, with an error below 1.5e-7 (Abramowitz and Stegun, 26.2.19).
  KOKKOS_FORCEINLINE_FUNCTION CdfBounds cdf_bounds(double x) const {
    const double z = (x - mean) / deviation, a = math::impl::absolute(z);
    double p = 0.0000053830;
    p = p * a + 0.0000488906;
    p = p * a + 0.0000380036;
    p = p * a + 0.0032776263;
    p = p * a + 0.0211410061;
    p = p * a + 0.0498673470;
    p = p * a + 1.0;
    p *= p;
    p *= p;
    p *= p;
    const double tail = 0.5 / (p * p);
    const double middle = z < 0.0 ? tail : 1.0 - tail, low = middle - 2e-7, high = middle + 2e-7;
    // NaN, which a deviation of 0 can cause, gives the bounds 0 and 1.
    return {low > 0.0 ? low : 0.0, high < 1.0 ? high : 1.0};
  }
  /// E(x − D)⁺.
  KOKKOS_FORCEINLINE_FUNCTION double cdf_integral(double x) const { return normal_cdf_integral(x, mean, deviation); }
  /// Largest magnitude to which x or a demand is added: |μ|.
  KOKKOS_FORCEINLINE_FUNCTION double size() const { return math::impl::absolute(mean); }
};

/// A normal, gamma, Poisson or empirical demand, selected at run time.
struct AnyDemand {
  AnyDistribution distribution;  ///< satisfies has_cdf

  /// Demand of the uniform u.
  KOKKOS_FUNCTION double quantile(double u) const { return variate(u, distribution); }
  /// P(D <= x).
  KOKKOS_FUNCTION double cdf(double x) const { return sporos::cdf(x, distribution); }
  /// P(D <= x) with an error of at most 2^-36, which exceeds the rounding errors of `cdf`.
  KOKKOS_FUNCTION CdfBounds cdf_bounds(double x) const {
    const double p = cdf(x), high = p * (1 + 0x1p-36);
    return {p * (1 - 0x1p-36), high < 1 ? high : 1};
  }
  /// E(x − D)⁺.
  KOKKOS_FUNCTION double cdf_integral(double x) const { return sporos::cdf_integral(x, distribution); }
  /// Largest magnitude to which x or a demand is added: |μ|, or that of the outermost observations.
  KOKKOS_FUNCTION double size() const {
    if (distribution.kind == DistributionKind::normal) return math::impl::absolute(distribution.a);
    if (distribution.kind != DistributionKind::empirical) return 0.0;
    const double least = math::impl::absolute(distribution.table.values[0]);
    const double most = math::impl::absolute(distribution.table.values[distribution.table.size - 1]);
    return least < most ? most : least;
  }
};

/// Throws std::invalid_argument if `demand` is not a valid distribution, or not one that a product's demand can have.
/// The message calls it `name`.
inline void check_demand(std::string_view name, const DistributionChoice& demand) {
  if (!has_cdf(demand.kind)) {
    sporos::impl::refuse_parameter(name, name_of(demand.kind), "normal, gamma, poisson or empirical");
  }
  try {
    demand.check();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", name, error.what()));
  }
}

/// Demands of products, in `MemorySpace`. Copies share them.
template <class Demand, class MemorySpace>
class ProductDemands {
 public:
  /// Throws std::invalid_argument in the same cases as check_demand, also if a demand is not of the kind `Demand`.
  explicit ProductDemands(std::span<const DistributionChoice> demands);

  /// Demand of each product. The view is valid as long as this object or a copy of it lives.
  const Kokkos::View<const Demand*, MemorySpace>& view() const { return m_demands; }

 private:
  Kokkos::View<const double*, MemorySpace> m_observations;  // observations of all empirical demands, each sorted
  Kokkos::View<const Demand*, MemorySpace> m_demands;
};

namespace impl {

inline void check_demands(std::span<const DistributionChoice> demands) {
  for (std::size_t j = 0; j < demands.size(); ++j) {
    try {
      check_demand("demand", demands[j]);
    } catch (const std::invalid_argument&) {
      check_demand(sporos::impl::element_name("demand", j), demands[j]);
    }
  }
}

inline std::vector<double> sorted_observations(std::span<const DistributionChoice> demands) {
  std::vector<double> all;
  for (const auto& demand : demands) {
    if (demand.kind != DistributionKind::empirical) continue;
    all.insert(all.end(), demand.values.begin(), demand.values.end());
    std::sort(all.end() - static_cast<std::ptrdiff_t>(demand.values.size()), all.end());
  }
  return all;
}

/// `observations` points to those of this or the next empirical demand; it is advanced past its own ones.
template <class Demand>
Demand demand_of(const DistributionChoice& choice, const double*& observations) {
  const auto [a, b, c, d] = choice.parameters;
  if constexpr (std::is_same_v<Demand, NormalDemand>) {
    return {a, b};
  } else {
    AnyDistribution distribution{choice.kind, a, b, c, d, {}};
    if (choice.kind == DistributionKind::empirical) {
      distribution.table.values = observations;
      distribution.table.size = static_cast<std::int64_t>(choice.values.size());
      observations += choice.values.size();
    }
    return {distribution};
  }
}

}  // namespace impl

template <class Demand, class MemorySpace>
ProductDemands<Demand, MemorySpace>::ProductDemands(std::span<const DistributionChoice> demands) {
  impl::check_demands(demands);
  for (std::size_t j = 0; j < demands.size(); ++j) {
    if (!std::is_same_v<Demand, NormalDemand> || demands[j].kind == DistributionKind::normal) continue;
    sporos::impl::refuse_parameter(sporos::impl::element_name("demand", j), name_of(demands[j].kind), "normal");
  }
  m_observations = sporos::impl::table_view<MemorySpace>("sporos::product_demands::observations",
                                                         impl::sorted_observations(demands));
  const double* observations = m_observations.data();
  std::vector<Demand> of_products;
  of_products.reserve(demands.size());
  for (const auto& demand : demands) of_products.push_back(impl::demand_of<Demand>(demand, observations));
  m_demands = sporos::impl::table_view<MemorySpace>("sporos::product_demands::demands", of_products);
}

}  // namespace sporos::models
