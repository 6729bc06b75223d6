// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>

#include <gtest/gtest.h>

#include <cstddef>

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

/// Expects that two runs end with the same bits.
inline void expect_same_end(const QuasiNewtonResult& a, const QuasiNewtonResult& b) {
  EXPECT_EQ(a.stopped_by, b.stopped_by);
  EXPECT_EQ(a.solution, b.solution);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.state.step, b.state.step);
  EXPECT_EQ(a.state.sum, b.state.sum);
  EXPECT_EQ(a.state.average, b.state.average);
  EXPECT_EQ(a.state.is_watched, b.state.is_watched);
  ASSERT_EQ(a.state.pairs.size(), b.state.pairs.size());
  for (std::size_t i = 0; i < a.state.pairs.size(); ++i) {
    EXPECT_EQ(a.state.pairs[i].s, b.state.pairs[i].s);
    EXPECT_EQ(a.state.pairs[i].y, b.state.pairs[i].y);
  }
  expect_same_counts(a.counts, b.counts);
}

/// Options of a short run of sqn with several pairs.
inline SqnOptions short_sqn() {
  SqnOptions options;
  options.iterations = 60;
  options.pair_interval = 5;
  options.batch_size = 21;
  options.hessian_batch_size = 130;
  options.pairs.memory = 4;
  options.record_interval = 0;
  return options;
}

}  // namespace sporos::test
