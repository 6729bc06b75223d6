// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Poisson regression: how many calls does a hotline receive in an hour, given the time, the day and the weather? Solved
// by L-BFGS over all hours of ten years, and by stochastic quasi-Newton, which uses 50 hours at a time.
#include <sporos/core/distributions/counts.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/models/classification/all_rows.hpp>
#include <sporos/models/classification/dense_features.hpp>
#include <sporos/models/classification/generalized_linear.hpp>
#include <sporos/optimizers/quasi_newton/lbfgs.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <vector>

using Space = Kokkos::DefaultExecutionSpace;
using Features = sporos::models::DenseFeatures<float, Space::memory_space>;
using Regression = sporos::models::PoissonRegression<Space, Features>;

struct Calls {
  std::vector<float> features;  // for each hour: sin and cos of the time, whether it is a weekend, rain
  std::vector<double> counts;
};

// Generates data with logarithmic means 2 − 0.5 sin − 1.2 cos − 0.8 weekend + 0.3 rain.
Calls ten_years() {
  Calls calls;
  for (std::uint64_t hour = 0; hour < 87'600; ++hour) {
    const auto bits = sporos::Philox4x32::block(sporos::Stream{1, hour, 0}, 0);
    const double angle = 2 * std::numbers::pi * static_cast<double>(hour % 24) / 24;
    const double weekend = hour / 24 % 7 >= 5 ? 1 : 0, rain = sporos::open_uniform(bits[0]);
    for (const double value : {std::sin(angle), std::cos(angle), weekend, rain}) {
      calls.features.push_back(static_cast<float>(value));
    }
    const double mean = std::exp(2 - 0.5 * std::sin(angle) - 1.2 * std::cos(angle) - 0.8 * weekend + 0.3 * rain);
    calls.counts.push_back(sporos::poisson(sporos::open_uniform(bits[1]), mean));
  }
  return calls;
}

void print(const char* method, const std::vector<double>& w, double objective) {
  std::printf("%-7s sin %.3f, cos %.3f, weekend %.3f, rain %.3f, constant %.3f; objective %.4f\n", method, w[0], w[1],
              w[2], w[3], w[4], objective);
}

void regress() {
  const Calls calls = ten_years();
  const sporos::models::GeneralizedLinearOptions model{.penalty = 0, .has_intercept = true};
  sporos::models::AllRows<Regression> all(Features(4, calls.features), calls.counts, model);
  const std::vector<double> start(static_cast<std::size_t>(all.dimension()));

  const auto best = sporos::lbfgs(all, start).solution;
  print("L-BFGS", best, all.objective(sporos::to_device<Space>(best)));

  Regression sampled(Features(4, calls.features), calls.counts, model);
  const auto close = sporos::sqn(sampled, start).solution;
  print("SQN", close, all.objective(sporos::to_device<Space>(close)));
}

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  regress();
  Kokkos::finalize();
}
