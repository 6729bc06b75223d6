// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks temperatures and heat flux at radiative equilibrium against the integral equation solved by quadrature, and
// against thermodynamics. Each of the about 300 comparisons rejects a good model with probability 10^-5 for a random
// seed; the seeds are fixed. The controls are slightly wrong models, which the same comparisons must reject.
#include "cases.hpp"
#include "integral_equation.hpp"

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <sporos/core/statistics/confidence.hpp>
#include <sporos/models/radiation/equilibrium.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace sporos::test {
namespace equilibrium_tests {

using models::EquilibriumOptions, models::Estimated, models::PhotonPlan, models::PhotonWeighting, models::RadiationCase,
    models::RadiativeEquilibrium, models::stefan_boltzmann;
using Space = Kokkos::DefaultExecutionSpace;

constexpr double error_probability = 1e-5;
constexpr double hot = 1000, hot_power = stefan_boltzmann * 1e12;

PhotonPlan plan_of(std::int64_t photons, PhotonWeighting weighting = PhotonWeighting::weighted) {
  PhotonPlan plan;
  plan.photons = photons;
  plan.rules.weighting = weighting;
  plan.batches = 64;
  plan.seed = 23;
  return plan;
}

RadiationCase slab_of(double optical_thickness, int slices) {
  RadiationCase slab;
  slab.layers = {layer_of(optical_thickness, slices)};
  slab.lower.temperature = hot;
  return slab;
}

double misfit(const Estimated& estimate, double exact) {
  return std::abs(estimate.value - exact) / (student_t(1 - error_probability, 64) * estimate.error);
}

// Largest misfit of the flux and the temperatures.
double worst_misfit(const RadiativeEquilibrium& found, const SlabEquilibrium& exact) {
  double worst = misfit(found.flux, exact.flux * hot_power);
  for (std::size_t i = 0; i < exact.powers.size(); ++i) {
    worst = std::max(worst, misfit(found.temperatures[i], hot * std::pow(exact.powers[i], 0.25)));
  }
  return worst;
}

TEST(IntegralEquation, HasThePublishedFluxes) {
  // Published by M. A. Heaslet, R. F. Warming (Int. J. Heat Mass Transfer 8, 1965), whose fourth digit is off by up to
  // 2 at 0.5 and 1.
  for (const auto& [thickness, flux] :
       {std::pair{0.1, 0.9157}, {0.5, 0.7040}, {1.0, 0.5532}, {2.0, 0.3900}, {5.0, 0.2077}}) {
    EXPECT_NEAR(continuous_flux(thickness), flux, 2.5e-4);
  }
  const double limit = continuous_flux(1), coarse = slab_equilibrium(even_faces(1, 20)).flux - limit;
  EXPECT_NEAR((slab_equilibrium(even_faces(1, 40)).flux - limit) / coarse, 0.25, 0.02);
}

TEST(Equilibrium, IsThatOfTheIntegralEquation) {
  for (const double thickness : {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0}) {
    for (const auto weighting : {PhotonWeighting::weighted, PhotonWeighting::analogue}) {
      const auto found = radiative_equilibrium(Space(), slab_of(thickness, 10), plan_of(30'000, weighting));
      const auto exact = slab_equilibrium(even_faces(thickness, 10));
      EXPECT_LE(worst_misfit(found, exact), 1) << thickness;
      if (weighting != PhotonWeighting::weighted) continue;
      const auto control = slab_equilibrium(even_faces(1.1 * thickness, 10));
      EXPECT_GT(worst_misfit(found, control), 1) << "control: a tenth too much of the medium";
    }
  }
}

// Scattering a photon is equivalent to absorbing it and emitting it again at the same place, so there are no slices and
// no iteration.
TEST(Equilibrium, HasTheFluxOfASlabThatOnlyScatters) {
  for (const double thickness : {0.1, 0.5, 1.0, 2.0, 5.0}) {
    RadiationCase slab = slab_of(thickness, 1);
    slab.layers[0].albedo = 1;
    const Estimated flux = energy_balance(Space(), slab, plan_of(20'000)).upper.gained;
    const double exact = continuous_flux(thickness) * hot_power;
    EXPECT_LE(misfit(flux, exact), 1) << thickness;
    EXPECT_GT(misfit({flux.value * 1.1, flux.error}, exact), 1) << "control: a tenth too much";
  }
}

// Gray plates act like resistances in front of black plates.
TEST(Equilibrium, BetweenGrayPlates) {
  RadiationCase slab = slab_of(1, 10);
  slab.lower.emissivity = 0.8;
  slab.upper = {500, 0.5};
  const auto found = radiative_equilibrium(Space(), slab, plan_of(50'000));
  const double resistance = 1 / slab_equilibrium(even_faces(1, 10)).flux + 1 / 0.8 + 1 / 0.5 - 2;
  const double difference = hot_power * (1 - 0.0625);
  EXPECT_LE(misfit(found.flux, difference / resistance), 1);
  EXPECT_GT(misfit(found.flux, difference / (resistance + 0.25)), 1) << "control: a grayer plate";
}

// Isotropic scattering leaves the flux unchanged, except that the error of thick slices is smaller because less energy
// is emitted again.
TEST(Equilibrium, WithScattering) {
  RadiationCase slab = slab_of(2, 20);
  slab.layers[0].albedo = 0.5;
  const auto found = radiative_equilibrium(Space(), slab, plan_of(50'000));
  const double most = slab_equilibrium(even_faces(2, 20)).flux * hot_power, least = continuous_flux(2) * hot_power;
  EXPECT_LE(found.flux.value, most + student_t(1 - error_probability, 64) * found.flux.error);
  EXPECT_GE(found.flux.value, least - student_t(1 - error_probability, 64) * found.flux.error);
  slab.layers[0].asymmetry = 0.5;
  EXPECT_GT(misfit(radiative_equilibrium(Space(), slab, plan_of(50'000)).flux, most), 1) << "control: anisotropic";
}

template <class Space>
class EquilibriumOn : public ::testing::Test {};
TYPED_TEST_SUITE(EquilibriumOn, Backends, BackendName);

constexpr double rounding = 1e-9;  // relative error at which the iteration ends

// Bodies at one temperature exchange no energy, whatever the statistical errors.
TYPED_TEST(EquilibriumOn, OneTemperatureIsExact) {
  RadiationCase radiation = rich_case();
  radiation.beam = {};
  radiation.lower.temperature = radiation.upper.temperature = 700;
  const auto found = radiative_equilibrium(TypeParam(), radiation, plan_of(20'000));
  for (std::size_t i = 0; i < found.temperatures.size(); ++i) {
    const double temperature = found.temperatures[i].value;
    if (i >= 12 && i < 18) {
      EXPECT_TRUE(std::isnan(temperature)) << "vacuum";
    } else {
      EXPECT_NEAR(temperature, 700, rounding * 700) << i;
    }
  }
  EXPECT_NEAR(found.flux.value, 0, rounding * 1e4);
}

TYPED_TEST(EquilibriumOn, NoEnergyIsLost) {
  const RadiationCase radiation = rich_case();
  const auto found = radiative_equilibrium(TypeParam(), radiation, plan_of(20'000));
  const double given = found.lower.lost + found.upper.lost + radiation.beam.irradiance * radiation.area();
  EXPECT_NEAR(found.lower.gained.value + found.upper.gained.value, given, rounding * given);
}

TYPED_TEST(EquilibriumOn, TheBitsAreTheSame) {
  const auto found = radiative_equilibrium(TypeParam(), rich_case(), plan_of(20'000));
  const auto expected = radiative_equilibrium(Space(), rich_case(), plan_of(20'000));
  for (std::size_t i = 0; i < expected.temperatures.size(); ++i) {
    if (std::isnan(expected.temperatures[i].value)) continue;
    EXPECT_EQ(found.temperatures[i].value, expected.temperatures[i].value);
    EXPECT_EQ(found.temperatures[i].error, expected.temperatures[i].error);
  }
  EXPECT_EQ(found.flux.value, expected.flux.value);
  EXPECT_EQ(found.iterations, expected.iterations);
}

// In units of their error, the deviations of estimates over seeds have nearly the variance of Student's t.
TEST(EquilibriumErrors, AreThoseOfTheEstimates) {
  const auto exact = slab_equilibrium(even_faces(2, 4));
  constexpr int seeds = 100;
  double squares[2] = {};
  for (int seed = 1; seed <= seeds; ++seed) {
    PhotonPlan plan = plan_of(6400);
    plan.seed = static_cast<std::uint64_t>(seed);
    const auto found = radiative_equilibrium(Space(), slab_of(2, 4), plan);
    squares[0] += std::pow((found.flux.value - exact.flux * hot_power) / found.flux.error, 2) / seeds;
    const auto [temperature, error] = found.temperatures[1];
    squares[1] += std::pow((temperature - hot * std::pow(exact.powers[1], 0.25)) / error, 2) / seeds;
  }
  const double tolerance = 4.4 * std::sqrt(2.0 / seeds);  // exceeded with probability 10^-5 for a normal variate
  for (const double square : squares) {
    EXPECT_NEAR(square, 63.0 / 61, tolerance);
    EXPECT_GT(std::abs(2 * square - 63.0 / 61), tolerance) << "control: errors too small";
  }
}

TEST(Equilibrium, IsRefused) {
  RadiationCase radiation = rich_case();
  radiation.lower.emissivity = radiation.upper.emissivity = 0;
  const auto refusal_of = [&](const PhotonPlan& plan, const EquilibriumOptions& options = {}) {
    return refusal([&] { radiative_equilibrium(Space(), radiation, plan, options); });
  };
  EXPECT_EQ(
      refusal_of({}),
      "both plates have emissivity 0, expected at least one above 0: at equilibrium only plates absorb net energy");
  radiation.upper.emissivity = 1;
  EXPECT_EQ(refusal_of({}, {-1, 10}), "tolerance is -1, expected a positive finite number");
  EXPECT_EQ(refusal_of({}, {1e-9, 0}), "maximum number of iterations is 0, expected a positive integer");
  radiation.beam.irradiance = 0;
  radiation.bands = {band_to(3), {}};
  EXPECT_EQ(refusal_of({}), "the case has bands, expected a gray case: the equilibrium is computed from σT⁴ only");
  EXPECT_THROW(radiative_equilibrium(Space(), slab_of(1, 100), plan_of(64, PhotonWeighting::analogue)),
               std::invalid_argument);
  EXPECT_THROW(radiative_equilibrium(Space(), slab_of(10, 10), plan_of(10'000), {1e-12, 3}), std::runtime_error);
}

}  // namespace equilibrium_tests
}  // namespace sporos::test
