// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fits a curve to readings, two of which are wrong. The sum of absolute deviations is robust against them, but has no
// gradient at its minimum. The simplex method runs from 200 starts at once, within bounds.
#include <sporos/core/math/exp.hpp>
#include <sporos/optimizers/nelder_mead/nelder_mead.hpp>
#include <sporos/optimizers/nelder_mead/pointwise_objective.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

using Space = Kokkos::DefaultExecutionSpace;

// Sum of absolute deviations of the readings of a cup of coffee, taken every two minutes, from the curve room +
// difference e^{−rate t}; x = (room, difference, rate).
struct Deviations {
  KOKKOS_FUNCTION double operator()(const double* x, std::int64_t) const {
    constexpr double readings[] = {95.2, 83.9, 75.0, 66.4, 39.9, 53.7, 48.4, 44.3, 40.6, 37.7, 55.0, 32.9, 31.0, 29.4};
    double sum = 0, minutes = 0;
    for (const double reading : readings) {
      const double deviation = reading - (x[0] + x[1] * sporos::math::exp(-x[2] * minutes));
      sum += deviation < 0 ? -deviation : deviation;
      minutes += 2;
    }
    return sum;
  }
};

void fit() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  sporos::NelderMeadOptions options;
  options.bounds = {{{-30, 0, 0}, {60, infinity, 2}}};
  options.restarts = 5;

  std::vector<sporos::SimplexStart> starts;
  for (int s = 0; s < 200; ++s) {
    starts.push_back({{0.25 * s - 20, 20.0 + s, 0.01 + 0.005 * s}, {5, 10, 0.05}});
  }
  sporos::PointwiseObjective<Space, Deviations> objective{Deviations()};
  const auto found = sporos::nelder_mead(objective, starts, options);

  const auto& best =
      *std::min_element(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  const auto reached =
      std::count_if(found.begin(), found.end(), [&](const auto& one) { return one.value < best.value + 1e-6; });
  std::printf("room %.2f C, at first %.2f C, halved in %.2f minutes; deviations %.3f, found by %d of 200 starts\n",
              best.point[0], best.point[0] + best.point[1], std::log(2) / best.point[2], best.value,
              static_cast<int>(reached));
}

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  fit();
  Kokkos::finalize();
}
