// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random directions: the inverse of Henyey and Greenstein's CDF, and deflections by the angle that was asked for.
#include <sporos/models/radiation/directions.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sporos::test {
namespace directions_tests {

using models::deflected, models::Direction, models::direction_about_normal, models::scattering_cosine;

const std::vector<double> uniforms = {0x1p-53, 1e-6, 0.01, 0.25, 0.5, 0.7, 0.99, 1 - 1e-6, 1 - 0x1p-53};

// P(C <= c) for p(c) = (1 − g²) / 2 (1 + g² − 2gc)^(−3/2).
double henyey_greenstein_cdf(double g, double c) {
  return (1 - g * g) / (2 * g) * (1 / std::sqrt(1 + g * g - 2 * g * c) - 1 / (1 + g));
}

TEST(ScatteringCosine, InvertsTheDistribution) {
  for (const double g : {-0.95, -0.3, 0.01, 0.5, 0.75, 0.99}) {
    for (const double u : uniforms) {
      const double cosine = scattering_cosine(g, u);
      EXPECT_GE(cosine, -1);
      EXPECT_LE(cosine, 1);
      EXPECT_NEAR(henyey_greenstein_cdf(g, cosine), u, 1e-12 / (1 - g * g)) << g;
    }
  }
}

TEST(ScatteringCosine, IsIsotropicWithoutAsymmetry) {
  for (const double u : uniforms) {
    EXPECT_EQ(scattering_cosine(0, u), 2 * u - 1);
    EXPECT_NEAR(scattering_cosine(1e-12, u), 2 * u - 1, 1e-11);
  }
}

TEST(Directions, AreDeflectedByTheAngle) {
  const auto product = [](const Direction& a, const Direction& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  constexpr double rounding = 1e-14;
  for (const double start : {-1.0, -0.7, 0.0, 1e-9, 0.999999, 1.0}) {
    for (const double cosine : {-1.0, -0.2, 0.3, 1.0}) {
      for (const double turn : {0.1, 0.35, 0.8}) {
        const Direction before = direction_about_normal(start, 0.6 * turn), after = deflected(before, cosine, turn);
        EXPECT_NEAR(product(after, after), 1, rounding);
        EXPECT_NEAR(product(before, after), cosine, rounding);
        const Direction opposite = deflected(before, cosine, turn + 0.5);
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(after[i] + opposite[i], 2 * cosine * before[i], rounding);
      }
    }
  }
}

}  // namespace directions_tests
}  // namespace sporos::test
