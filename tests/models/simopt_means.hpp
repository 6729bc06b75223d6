// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_checks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {

/// A mean of SimOpt's replications, and its standard error.
struct SimOptMean {
  std::size_t response;  ///< by its place
  double mean, error;
};

/// Holds means against those of SimOpt 1.2.4. Each difference is judged by an interval of 99.9 %: of the 21 in zoo.cpp
/// and requests.cpp one misses with a probability of 2.1 % at most; the seed is fixed.
template <class Model>
void expect_means_of_simopt(const Model& model, std::int64_t replications, const std::vector<SimOptMean>& means) {
  const auto result = simulate(Kokkos::DefaultHostExecutionSpace(), model, plan_with(1, replications));
  for (const auto& [response, mean, error] : means) {
    const auto& own = result.responses[response];
    EXPECT_NEAR(own.mean, mean, std::hypot(own.half_width, 3.29 * error)) << Model::name << ", " << own.name;
  }
}

}  // namespace sporos::test
