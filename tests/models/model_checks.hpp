// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/experiment.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

namespace sporos::test {

/// A plan with this many replications and intervals of 99.9 %.
inline Plan plan_with(std::uint64_t seed, std::int64_t replications, Engine engine = Engine::philox4x32) {
  Plan plan;
  plan.seed = seed;
  plan.replications = replications;
  plan.source.engine = engine;
  plan.confidence = 0.999;
  return plan;
}

/// Number of responses whose exact mean lies outside the interval around the estimate.
inline int misses(const PointResult& result, std::span<const std::optional<double>> exact) {
  int count = 0;
  for (std::size_t response = 0; response < exact.size(); ++response) {
    const auto& estimate = result.responses[response];
    if (!exact[response] || std::abs(estimate.mean - *exact[response]) <= estimate.half_width) continue;
    ++count;
    std::printf("  %s: %g +- %g does not hold %g\n", estimate.name.c_str(), estimate.mean, estimate.half_width,
                *exact[response]);
  }
  return count;
}

/// Returns the message with which the model's check refuses it, or "taken".
template <class Model>
std::string refusal(const Model& model) {
  try {
    model.check();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "taken";
}

/// 200 replications on `Space` have the bits that every backend gives.
template <class Space, class Model>
void expect_digest(const Model& model, std::uint64_t known) {
  Plan plan = plan_with(1, 200);
  for (const Mapping mapping : {Mapping::thread, Mapping::warp}) {
    plan.mapping = mapping;
    EXPECT_EQ(simulate(Space(), model, plan).digest, known) << Model::name << " on " << Space::name();
  }
}

}  // namespace sporos::test
