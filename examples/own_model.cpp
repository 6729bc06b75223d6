// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Your own model: jobs pass a saw and then a press. When is the last of them finished?
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/replication/experiment.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>

struct Workshop {
  double mean_sawing, mean_pressing;  // minutes
  std::int64_t jobs;

  enum Input { sawing, pressing, input_count };
  static constexpr auto response_names = std::array{"last finish"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    double sawn = 0, pressed = 0;
    for (std::int64_t job = 0; job < jobs; ++job) {
      sawn += sporos::exponential(inputs(sawing), 1 / mean_sawing);
      const double start = sawn > pressed ? sawn : pressed;
      pressed = start + sporos::uniform(inputs(pressing), 0.5 * mean_pressing, 1.5 * mean_pressing);
    }
    return {{pressed}};
  }
};

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  sporos::Plan plan;
  plan.replications = 1'000'000;    // at most,
  plan.precision.half_width = 0.1;  // or until the 95 % interval is this narrow
  const auto result = sporos::simulate(Kokkos::DefaultExecutionSpace(), Workshop{1.0, 1.0, 100}, plan);
  const auto& finish = result.responses[0];
  std::printf("mean of 100 jobs' last finish: %.3f +- %.3f after %" PRId64 " replications\n", finish.mean,
              finish.half_width, result.replications);
}
