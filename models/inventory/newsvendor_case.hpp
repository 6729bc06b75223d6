// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/choice.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/models/inventory/product_demand.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::models {

/// Products of a newsvendor. A unit of product j costs k_j, a unit left over costs h_j (negative for a scrap value),
/// and a missing unit costs its price v_j.
struct NewsvendorProducts {
  std::vector<double> cost;                ///< k
  std::vector<double> holding;             ///< h
  std::vector<double> price;               ///< v
  std::vector<DistributionChoice> demand;  ///< normal, gamma, Poisson or empirical

  /// Number of products.
  std::int64_t size() const { return static_cast<std::int64_t>(cost.size()); }

  /// Whether every demand is normal, as Newsvendor with NormalDemand requires.
  bool all_normal() const {
    return std::all_of(demand.begin(), demand.end(),
                       [](const auto& choice) { return choice.kind == DistributionKind::normal; });
  }

  /// Throws std::invalid_argument if there is no product, the vectors differ in length, a number is not finite, a
  /// demand is not a valid one, or h_j + v_j <= 0, which makes the objective not convex.
  void check() const;
};

/// Sense of the constraint on the use of a resource.
enum class ResourceSense {
  at_most,   ///< its capacity or less
  at_least,  ///< its capacity or more
  exactly    ///< exactly its capacity
};

}  // namespace sporos::models

namespace sporos {

/// Names of the senses, as in linear programs.
template <>
struct ChoiceNames<models::ResourceSense> {
  static constexpr std::string_view what = "sense";  ///< noun for the choice in messages
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<models::ResourceSense>>({{"<=", models::ResourceSense::at_most},
                                                        {">=", models::ResourceSense::at_least},
                                                        {"=", models::ResourceSense::exactly}});
};

}  // namespace sporos

namespace sporos::models {

/// Whether a use of `amount` per unit bounds a quantity from above.
inline bool bounds_from_above(ResourceSense sense, double amount) {
  return amount != 0 && (sense == ResourceSense::exactly || (sense == ResourceSense::at_most) == (amount > 0));
}

/// Resources that the products share: {x : A x <= C, x >= 0}, with >= or = instead of <= in some rows. Numbers may have
/// any sign. All vectors are empty if there are no resources.
struct NewsvendorResources {
  std::vector<double> capacity;            ///< C, one per resource
  std::vector<double> amounts;             ///< A, resource by resource: the use by a unit of each product
  std::vector<ResourceSense> senses = {};  ///< one per resource; empty if all are at_most

  /// Number of resources, M.
  std::int64_t size() const { return static_cast<std::int64_t>(capacity.size()); }

  /// Sense of resource i.
  ResourceSense sense(std::size_t i) const { return senses.empty() ? ResourceSense::at_most : senses[i]; }

  /// Equivalent region with at_most rows only: at_least rows are negated, and each exact row becomes two.
  NewsvendorResources at_most() const;

  /// Throws std::invalid_argument if there is no resource, A is not M × `products`, the number of senses is not M, or a
  /// capacity or an amount is not finite. Also throws if no product uses a resource, or if no single resource bounds a
  /// product's quantity from above. A linear program (Resources) decides whether the region is bounded and not empty.
  void check(std::int64_t products) const;
};

/// Whether the region is a budget: one at_most resource with a capacity of at least 0 that every product uses.
inline bool is_budget(const NewsvendorResources& resources) {
  return resources.size() == 1 && resources.sense(0) == ResourceSense::at_most && resources.capacity[0] >= 0 &&
         std::all_of(resources.amounts.begin(), resources.amounts.end(), [](double amount) { return amount > 0; });
}

/// A newsvendor with many products and shared resources.
struct NewsvendorCase {
  NewsvendorProducts products;    ///< products
  NewsvendorResources resources;  ///< resources that the products share
};

/// Instances of He et al. (2024), A preliminary study on accelerating simulation optimization with GPU implementation,
/// section 4.1: demands N(μ, σ²), μ uniform on (20, 50), σ on (10, 20). Values that the paper does not print are chosen
/// here: k uniform on (1, 2), h on (0.1, 0.5), v on (3, 6), A on (0.5, 1.5), and C_i = `tightness` Σ_j A_ij μ_j. This
/// capacity binds below 1, since most products' best quantity is above μ.
///
/// All draws of a seed come from Philox: product j's parameters from replication j of input variable 1, its use of
/// resource i from input variable 2, draw i. Thus a smaller instance consists of the first products of a larger one.
inline NewsvendorCase generated_newsvendor(std::uint64_t seed, std::int64_t products, std::int64_t resources,
                                           double tightness = 0.7);

namespace impl {

inline void check_length(std::string_view name, std::size_t length, std::size_t expected, std::string_view of) {
  if (length == expected) return;
  sporos::impl::refuse_parameter(std::string("number of ").append(name), std::to_string(length),
                                 std::string(of).append(", ").append(std::to_string(expected)));
}

inline void check_all_finite(const char* name, const std::vector<double>& numbers) {
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    if (!std::isfinite(numbers[j])) check_finite(sporos::impl::element_name(name, j), numbers[j]);
  }
}

inline void check_convex(std::string_view name, double holding, double price) {
  sporos::impl::check_parameter(holding + price > 0, name, holding + price,
                                "a number above 0; otherwise the objective is not convex");
}

/// Draw i of an input variable, uniform on (low, high).
inline double generated(std::uint64_t seed, std::uint32_t input, std::int64_t product, std::uint64_t i, double low,
                        double high) {
  const Stream stream{seed, static_cast<std::uint64_t>(product), input};
  return low + (high - low) * open_uniform(Philox4x32::block(stream, i / 2)[i % 2]);
}

}  // namespace impl

inline void NewsvendorProducts::check() const {
  check_positive_integer("number of products", size());
  impl::check_length("holding costs", holding.size(), cost.size(), "one for each product");
  impl::check_length("prices", price.size(), cost.size(), "one for each product");
  impl::check_length("demands", demand.size(), cost.size(), "one for each product");
  impl::check_all_finite("cost", cost);
  impl::check_all_finite("holding", holding);
  impl::check_all_finite("price", price);
  for (std::size_t j = 0; j < cost.size(); ++j) {
    if (!(holding[j] + price[j] > 0)) {
      impl::check_convex(sporos::impl::element_name("holding + price", j), holding[j], price[j]);
    }
  }
  impl::check_demands(demand);
}

inline NewsvendorResources NewsvendorResources::at_most() const {
  NewsvendorResources rows;
  const std::size_t products = capacity.empty() ? 0 : amounts.size() / capacity.size();
  const auto add = [&](std::size_t i, double sign) {
    rows.capacity.push_back(sign * capacity[i]);
    for (std::size_t j = 0; j < products; ++j) rows.amounts.push_back(sign * amounts[i * products + j]);
  };
  for (std::size_t i = 0; i < capacity.size(); ++i) {
    if (sense(i) != ResourceSense::at_least) add(i, 1);
    if (sense(i) != ResourceSense::at_most) add(i, -1);
  }
  return rows;
}

inline void NewsvendorResources::check(std::int64_t products) const {
  const auto columns = static_cast<std::size_t>(products);
  check_positive_integer("number of resources", size());
  impl::check_length("amounts", amounts.size(), capacity.size() * columns, "one for each resource and product");
  if (!senses.empty()) impl::check_length("senses", senses.size(), capacity.size(), "one for each resource");
  std::vector<char> is_bounded(columns, false);
  for (std::size_t i = 0; i < capacity.size(); ++i) {
    check_finite(sporos::impl::element_name("capacity", i), capacity[i]);
    const auto row = std::span(amounts).subspan(i * columns, columns);
    for (std::size_t j = 0; j < columns; ++j) {
      if (!std::isfinite(row[j])) {
        check_finite(sporos::impl::element_name("amount", i) + sporos::impl::element_name("", j), row[j]);
      }
      if (bounds_from_above(sense(i), row[j])) is_bounded[j] = true;
    }
    if (std::all_of(row.begin(), row.end(), [](double amount) { return amount == 0; })) {
      sporos::impl::refuse_parameter(sporos::impl::element_name("resource", i), "used by no product",
                                     "at least one amount other than 0");
    }
  }
  const auto unbounded = std::find(is_bounded.begin(), is_bounded.end(), char{false});
  if (unbounded == is_bounded.end()) return;
  const auto j = static_cast<std::size_t>(unbounded - is_bounded.begin());
  sporos::impl::refuse_parameter(sporos::impl::element_name("product", j), "unbounded",
                                 "a positive amount of at least one resource");
}

inline NewsvendorCase generated_newsvendor(std::uint64_t seed, std::int64_t products, std::int64_t resources,
                                           double tightness) {
  check_positive_integer("number of products", products);
  check_positive_integer("number of resources", resources);
  check_positive("tightness", tightness);
  NewsvendorCase made;
  auto& [cost, holding, price, demand] = made.products;
  auto& [capacity, amounts, senses] = made.resources;
  const auto columns = static_cast<std::size_t>(products);
  for (std::int64_t j = 0; j < products; ++j) {
    const auto draw = [&](std::uint64_t i, double low, double high) {
      return impl::generated(seed, 1, j, i, low, high);
    };
    demand.push_back({DistributionKind::normal, {draw(0, 20, 50), draw(1, 10, 20), 0}, {}, {}});
    cost.push_back(draw(2, 1, 2));
    holding.push_back(draw(3, 0.1, 0.5));
    price.push_back(draw(4, 3, 6));
  }
  amounts.resize(static_cast<std::size_t>(resources) * columns);
  for (std::size_t i = 0; i < static_cast<std::size_t>(resources); ++i) {
    double needed = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      double& amount = amounts[i * columns + j];
      amount = impl::generated(seed, 2, static_cast<std::int64_t>(j), i, 0.5, 1.5);
      needed += amount * demand[j].parameters[0];
    }
    capacity.push_back(tightness * needed);
  }
  return made;
}

}  // namespace sporos::models
