// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/quasi_newton/result.hpp>

#include <gtest/gtest.h>

namespace sporos::test {

/// Expects identical counts from two runs.
inline void expect_same_counts(const QuasiNewtonCounts& a, const QuasiNewtonCounts& b) {
  EXPECT_EQ(a.pairs.stored, b.pairs.stored);
  EXPECT_EQ(a.pairs.damped, b.pairs.damped);
  EXPECT_EQ(a.pairs.skipped, b.pairs.skipped);
  EXPECT_EQ(a.limited_steps, b.limited_steps);
  EXPECT_EQ(a.gradients, b.gradients);
  EXPECT_EQ(a.hessian_products, b.hessian_products);
}

}  // namespace sporos::test
