// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/inventory/newsvendor_case.hpp>
#include <sporos/models/inventory/product_demand.hpp>

#include <boost/math/tools/roots.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::models {

namespace impl {

/// Order quantity of a product if a unit sold gains `gain`: the quantile of the critical ratio.
inline double critical_quantile(double gain, double holding, double price, const AnyDemand& demand) {
  const double u = gain / (holding + price);
  // Outside the open interval there is no quantile: below it, the order is 0; above it, that of the largest uniform.
  return u < 0x1p-53 ? 0.0 : std::max(demand.quantile(std::min(u, 1.0 - 0x1p-53)), 0.0);
}

/// Σ_i λ_i a_ij for each product j.
inline std::vector<double> charges_of(const NewsvendorCase& newsvendor, const std::vector<double>& prices) {
  const std::size_t products = newsvendor.products.cost.size();
  std::vector<double> charges(products);
  for (std::size_t i = 0; i < prices.size(); ++i) {
    for (std::size_t j = 0; j < products; ++j) charges[j] += prices[i] * newsvendor.resources.amounts[i * products + j];
  }
  return charges;
}

}  // namespace impl

namespace impl {

/// Search of newsvendor_prices. Stores the prices, and what they add to the cost of a unit of each product.
class PriceSearch {
 public:
  explicit PriceSearch(const NewsvendorCase& newsvendor)
      : m_products(newsvendor.products),
        m_resources(newsvendor.resources),
        m_demands(newsvendor.products.demand),
        m_prices(newsvendor.resources.capacity.size()),
        m_charges(newsvendor.products.cost.size()) {}

  /// Sets the price of resource i to the one at which its use meets its capacity, or to 0 if its constraint then holds.
  /// Keeps the price if no price does either. Returns by how much the price moved, relative to the scale of such
  /// prices.
  double settle(std::size_t i) {
    const double before = m_prices[i], largest = largest_price(i);
    const auto excess = [&](double price) { return use(i, price - before) - m_resources.capacity[i]; };
    const double at_zero = excess(0);
    const auto sense = m_resources.sense(i);
    double price = 0;
    if (at_zero > 0 && sense != ResourceSense::at_least) price = where_met(excess, at_zero, largest, before);
    if (at_zero < 0 && sense != ResourceSense::at_most) price = where_met(excess, at_zero, -largest, before);
    for (std::size_t j = 0; j < m_charges.size(); ++j) m_charges[j] += (price - before) * amount(i, j);
    m_prices[i] = price;
    return largest > 0 ? std::abs(price - before) / largest : 0;
  }

  const std::vector<double>& prices() const { return m_prices; }

 private:
  // Root of an excess that decreases with the price, searched from `at_zero` towards `far` and beyond; `before` if
  // there is none.
  template <class Excess>
  static double where_met(const Excess& excess, double at_zero, double far, double before) {
    double at_far = excess(far);
    for (int doubling = 0; at_far * at_zero > 0 && doubling < 30; ++doubling) at_far = excess(far *= 2);
    if (at_far * at_zero > 0) return before;
    std::uintmax_t steps = 40;
    const boost::math::tools::eps_tolerance<double> tolerance(40);
    using boost::math::tools::toms748_solve;
    return far > 0 ? toms748_solve(excess, 0.0, far, at_zero, at_far, tolerance, steps).second
                   : toms748_solve(excess, far, 0.0, at_far, at_zero, tolerance, steps).first;
  }

  double amount(std::size_t i, std::size_t j) const { return m_resources.amounts[i * m_charges.size() + j]; }

  // Use of resource i by all products if its price is `more` above the current one.
  double use(std::size_t i, double more) const {
    double sum = 0;
    for (std::size_t j = 0; j < m_charges.size(); ++j) {
      if (amount(i, j) == 0) continue;
      const double gain = m_products.price[j] - m_products.cost[j] - m_charges[j] - more * amount(i, j);
      sum += amount(i, j) * critical_quantile(gain, m_products.holding[j], m_products.price[j], m_demands.view()(j));
    }
    return sum;
  }

  double largest_price(std::size_t i) const {
    double largest = 0;
    for (std::size_t j = 0; j < m_charges.size(); ++j) {
      const double gain = m_products.price[j] - m_products.cost[j], a = amount(i, j);
      if (a != 0) largest = std::max(largest, (a > 0 ? gain : std::abs(gain)) / std::abs(a));
    }
    return largest;
  }

  const NewsvendorProducts& m_products;
  const NewsvendorResources& m_resources;
  ProductDemands<AnyDemand, Kokkos::HostSpace> m_demands;
  std::vector<double> m_prices, m_charges;
};

}  // namespace impl

/// Prices of the resources: λ_i is the saving per additional unit of resource i. It is >= 0 for at_most, <= 0 for
/// at_least and of any sign for exactly. A search over one price at a time maximizes min over x >= 0 of f(x) + λᵀ(A x −
/// C). The prices are nearly optimal if demands are continuous and resources few. For any prices, this minimum is at
/// most that of f over the resources (Lagrangian duality). Returns an empty vector without resources. Runs on the host.
/// @throws std::invalid_argument in the same cases as the `check()` of products and resources.
inline std::vector<double> newsvendor_prices(const NewsvendorCase& newsvendor) {
  const auto& [products, resources] = newsvendor;
  products.check();
  if (resources.size() == 0) return {};
  resources.check(products.size());
  impl::PriceSearch search(newsvendor);
  constexpr double tolerance = 1e-9;
  constexpr std::int64_t max_turns = 50, max_uses = 20'000'000;  // evaluations of a resource and a product per step
  const auto turns =
      resources.size() == 1 ? 1 : std::clamp<std::int64_t>(max_uses / resources.size() / products.size(), 1, max_turns);
  double moved = 1;
  for (std::int64_t turn = 0; turn < turns && moved > tolerance; ++turn) {
    moved = 0;
    for (std::size_t i = 0; i < resources.capacity.size(); ++i) moved = std::max(moved, search.settle(i));
  }
  return search.prices();
}

}  // namespace sporos::models
