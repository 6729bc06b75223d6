// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random directions: checks the inverse of Henyey and Greenstein's CDF, and deflections by the requested angle.
// Shortcuts that photons use have the same bits as the functions of core/math.
#include <sporos/models/radiation/directions.hpp>
#include <sporos/models/radiation/photon.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace sporos::test {
namespace directions_tests {

using math::impl::to_bits, models::deflected, models::Direction, models::direction_about_normal,
    models::scattering_cosine;

const std::vector<double> uniforms = {0x1p-53, 1e-6, 0.01, 0.25, 0.5, 0.7, 0.99, 1 - 1e-6, 1 - 0x1p-53};

// Returns P(C <= c) for the density p(c) = (1 − g²) / 2 (1 + g² − 2gc)^(−3/2).
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

// Shares at small and large distances from eighths of a turn, and evenly spaced ones.
std::vector<double> shares() {
  std::vector<double> all;
  for (int eighth = 0; eighth <= 16; ++eighth) {
    for (int bit = 2; bit <= 53; ++bit) {
      for (const double side : {-1.0, 1.0}) {
        const double share = eighth / 8.0 + side * std::ldexp(1.0, -bit);
        if (share > 0 && share <= 2) all.push_back(share);
      }
    }
  }
  for (int i = 1; i < 5000; ++i) all.push_back(i / 5000.0);
  return all;
}

TEST(Turns, AreThoseOfCosAndSin) {
  std::size_t others = 0;
  for (const double share : shares()) {
    const double angle = models::impl::full_turn * share;
    const auto [cosine, sine] = models::impl::turn_of(share);
    EXPECT_EQ(to_bits(cosine), to_bits(math::cos(angle))) << share;
    EXPECT_EQ(to_bits(sine), to_bits(math::sin(angle))) << share;
    if (to_bits(sine) != to_bits(math::sin(std::nextafter(angle, 0)))) ++others;
  }
  EXPECT_GT(others, shares().size() / 4) << "control: the angle beside it";
}

TEST(AbsorbedParts, AreThoseOfExp) {
  std::size_t others = 0;
  for (const double share : shares()) {
    for (const double scale : {1e-300, 1e-9, 1e-3, 1.0, 20.0}) {
      EXPECT_EQ(to_bits(models::impl::exp_of_minus(scale * share)), to_bits(math::exp(-scale * share)));
      EXPECT_EQ(models::impl::absorbed_part(scale * share), 1 - math::exp(-scale * share));
    }
    if (math::exp(-20 * share) != math::exp(-20 * std::nextafter(share, 0))) ++others;
  }
  EXPECT_GT(others, shares().size() / 4) << "control: the thickness beside it";
  EXPECT_EQ(models::impl::absorbed_part(0), 0);
  for (const double thickness : {37.0, 39.99, 40.0, 41.0, 800.0, 1e300, HUGE_VAL}) {
    EXPECT_EQ(models::impl::absorbed_part(thickness), 1 - math::exp(-thickness)) << thickness;
  }
}

}  // namespace directions_tests
}  // namespace sporos::test
