// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_checks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {

/// A mean over SimOpt's replications, and its standard error.
struct SimOptMean {
  std::size_t response;  ///< index of the response
  double mean, error;
};

/// Compares means with those of SimOpt 1.2.4. Each difference has an interval of 99.9 %; one of the 21 in zoo.cpp and
/// requests.cpp misses with probability at most 2.1 %. The seed is fixed.
template <class Model>
void expect_means_of_simopt(const Model& model, std::int64_t replications, const std::vector<SimOptMean>& means) {
  const auto result = simulate(Kokkos::DefaultHostExecutionSpace(), model, plan_with(1, replications));
  for (const auto& [response, mean, error] : means) {
    const auto& own = result.responses[response];
    EXPECT_NEAR(own.mean, mean, std::hypot(own.half_width, 3.29 * error)) << Model::name << ", " << own.name;
  }
}

}  // namespace sporos::test
