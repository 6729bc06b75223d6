// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/inventory/newsvendor.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace sporos::test {

/// Products whose demands are of all four kinds in turn, with generated costs and prices.
inline models::NewsvendorProducts mixed_products(std::int64_t count) {
  auto products = models::generated_newsvendor(5, count, 1).products;
  const std::string texts[] = {"gamma(4, 9)",    "poisson(33.5)", "empirical(12, 20, 20, 31, 35, 47, 60)",
                               "gamma(0.4, 80)", "poisson(3)",    "normal(40, 0)",
                               "empirical(25)"};
  for (std::size_t j = 0; j < products.demand.size(); ++j) {
    if (j % 8 != 0) products.demand[j] = parse_distribution(texts[j % 8 - 1]);
  }
  return products;
}

}  // namespace sporos::test
