// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/finance/normal_returns.hpp>

#include <cstdint>

namespace sporos::test {

/// Normal returns in which neighbouring assets differ.
inline models::NormalReturns some_returns(std::int64_t assets, std::int64_t factors) {
  models::NormalReturns returns;
  for (std::int64_t j = 0; j < assets; ++j) {
    returns.means.push_back(0.02 * static_cast<double>(j % 7) - 0.05);
    returns.deviations.push_back(0.1 + 0.02 * static_cast<double>(j % 5));
  }
  for (std::int64_t i = 0; i < factors * assets; ++i) {
    returns.loadings.push_back(0.03 * static_cast<double>(i % 4) - 0.02);
  }
  return returns;
}

}  // namespace sporos::test
