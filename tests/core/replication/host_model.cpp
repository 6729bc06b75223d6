// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model on the host has the draws and results of the same model in kernels, for any number of workers.
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/host_model.hpp>
#include <sporos/models/integration/pi.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

namespace host_model_tests {

using namespace sporos;
using models::Pi;

const std::vector<Pi> design = {{10}, {30}};

void estimate_pi(std::size_t point, HostDraws& draws, std::span<double> responses) {
  std::int64_t inside = 0;
  for (std::int64_t i = 0; i < design[point].draws; ++i) {
    const double x = draws(0), y = draws(1);
    inside += x * x + y * y <= 1 ? 1 : 0;
  }
  responses[0] = 4.0 * static_cast<double>(inside) / static_cast<double>(design[point].draws);
}

TEST(HostModel, HasTheBitsOfTheModelInKernels) {
  Plan plan;
  plan.replications = 777;
  plan.common_random_numbers = false;
  const ExperimentResult expected = simulate(Kokkos::DefaultHostExecutionSpace(), design, plan);
  for (const std::int64_t workers : {1, 4}) {
    std::vector<double> observed;
    const Observer observer = [&](std::size_t, std::size_t, double observation) { observed.push_back(observation); };
    const ExperimentResult found = simulate(host_model({"pi"}, 2, workers, estimate_pi), plan, {}, observer);
    for (std::size_t point = 0; point < design.size(); ++point) {
      EXPECT_EQ(found.points[point].digest, expected.points[point].digest);
      EXPECT_EQ(found.points[point].responses[0].mean, expected.points[point].responses[0].mean);
      EXPECT_EQ(found.points[point].responses[0].variance, expected.points[point].responses[0].variance);
    }
    EXPECT_EQ(observed.size(), 2u * 777u);
  }
  ++plan.seed;  // negative control
  EXPECT_NE(simulate(host_model({"pi"}, 2, 1, estimate_pi), plan).points[0].digest, expected.points[0].digest);
}

TEST(HostModel, FailsWithItsFunction) {
  Plan plan;
  plan.replications = 10;
  const auto fail = [](std::size_t, HostDraws& draws, std::span<double> responses) {
    if (draws.replication() == 7) throw std::runtime_error("the application crashed");
    responses[0] = 1;
  };
  EXPECT_THROW(simulate(host_model({"one"}, 1, 3, fail), plan), std::runtime_error);
  const auto diverge = [](std::size_t point, HostDraws&, std::span<double> responses) {
    responses[0] = point == 1 ? std::numeric_limits<double>::quiet_NaN() : 2;
  };
  const ExperimentResult found = simulate(host_model({"two"}, 2, 2, diverge), plan);
  EXPECT_EQ(found.points[0].responses[0].mean, 2);
  ASSERT_TRUE(found.points[1].failure);
  EXPECT_EQ(found.points[1].failure->failures, 10);
}

TEST(HostModel, RefusesOtherSamplings) {
  Plan plan;
  plan.source.sampling = Sampling::antithetic;
  EXPECT_THROW(simulate(host_model({"pi"}, 2, 1, estimate_pi), plan), std::invalid_argument);
  EXPECT_THROW(simulate(host_model({}, 2, 1, estimate_pi), Plan{}), std::invalid_argument);
  EXPECT_THROW(simulate(host_model({"pi"}, 2, 0, estimate_pi), Plan{}), std::invalid_argument);
}

}  // namespace host_model_tests
