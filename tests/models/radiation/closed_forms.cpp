// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the energy of elements and plates, and light through slabs, against closed forms and published values, for
// both treatments of paths and both weightings. Photons are the same on every backend (photons.cpp), so one backend is
// enough. Each of the about 300 comparisons rejects a good model with probability 10^-5 for a random seed; the seeds
// are fixed. The controls are slightly wrong models, which the same comparisons must reject.
#include "cases.hpp"

#include <sporos/core/statistics/confidence.hpp>
#include <sporos/models/radiation/energy_balance.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/expint.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sporos::test {
namespace closed_forms_tests {

using models::EnergyBalance, models::Estimated, models::PathTreatment, models::PhotonPlan, models::PhotonWeighting,
    models::RadiationCase, models::stefan_boltzmann;
using Space = Kokkos::DefaultExecutionSpace;

constexpr double error_probability = 1e-5;
// Largest effect on a share of all energy of rounding to units of 2^-32 of a bundle, in a hundred steps of a photon.
constexpr double rounding = 100 * 0x1p-33;

PhotonPlan plan_of(PathTreatment paths, PhotonWeighting weighting, std::int64_t photons, int points = 2) {
  PhotonPlan plan;
  plan.photons = photons;
  plan.rules = {paths, points, weighting};
  plan.batches = 64;
  plan.seed = 17;
  return plan;
}

// Deviation of an estimate from the exact value, relative to the allowed one: the quantile of Student's t times the
// error, plus rounding of `total`. It is at most 1 if the model is right.
double misfit(const Estimated& estimate, double exact, double total, int batches = 64) {
  const double allowed = student_t(1 - error_probability, batches) * estimate.error + rounding * total;
  return std::abs(estimate.value - exact) / allowed;
}

double E3(double x) { return boost::math::expint(3, x); }

class ClosedForms : public ::testing::TestWithParam<std::tuple<PathTreatment, PhotonWeighting>> {
 protected:
  EnergyBalance balance(const RadiationCase& radiation, std::int64_t photons = 30'000) const {
    return energy_balance(Space(), radiation, plan_of(std::get<0>(GetParam()), std::get<1>(GetParam()), photons));
  }
};

std::string name_of_rules(const ::testing::TestParamInfo<ClosedForms::ParamType>& rules) {
  return std::string(name_of(std::get<0>(rules.param))).append("_").append(name_of(std::get<1>(rules.param)));
}
INSTANTIATE_TEST_SUITE_P(Rules, ClosedForms,
                         ::testing::Combine(::testing::Values(PathTreatment::exact, PathTreatment::sampled),
                                            ::testing::Values(PhotonWeighting::weighted, PhotonWeighting::analogue)),
                         name_of_rules);

// Upward flux at optical height t of layers with one σT⁴ each between cold black plates. A layer at distances a to b
// from a plane sends 2σT⁴ (E₃(a) − E₃(b)) through it.
double layered_flux(const std::vector<double>& heights, const std::vector<double>& powers, double t) {
  double flux = 0;
  for (std::size_t i = 0; i < powers.size(); ++i) {
    const double low = std::min(heights[i], t), top_below = std::min(heights[i + 1], t);
    const double high = std::max(heights[i + 1], t), bottom_above = std::max(heights[i], t);
    flux += 2 * powers[i] * (E3(t - top_below) - E3(t - low));
    flux -= 2 * powers[i] * (E3(bottom_above - t) - E3(high - t));
  }
  return flux;
}

// Largest misfit of the fluxes through all slices and of the energy that the elements gain.
double worst_misfit(const EnergyBalance& balance, const std::vector<double>& fluxes) {
  double total = 0, worst = 0;
  for (const auto& element : balance.elements) total += element.lost;
  const double kept = balance.medium.lost + fluxes.front() - fluxes.back();
  worst = misfit(balance.medium.gained, kept, total);
  for (std::size_t i = 0; i < fluxes.size(); ++i) {
    worst = std::max(worst, misfit(balance.flux[i], fluxes[i], total));
    if (i + 1 == fluxes.size()) break;
    const auto& element = balance.elements[i];
    worst = std::max(worst, misfit(element.gained, element.lost + fluxes[i] - fluxes[i + 1], total));
  }
  return worst;
}

TEST_P(ClosedForms, OfAnIsothermalSlab) {
  for (const double thickness : {0.1, 1.0, 5.0}) {
    RadiationCase slab;
    slab.layers = {layer_of(thickness, 5, 1000)};
    const double power = stefan_boltzmann * 1e12;
    std::vector<double> fluxes;
    for (int i = 0; i <= 5; ++i) fluxes.push_back(layered_flux({0, thickness}, {power}, thickness * i / 5));
    const auto found = balance(slab);
    EXPECT_LE(worst_misfit(found, fluxes), 1);
    EXPECT_LE(misfit(found.lower.gained, power * (1 - 2 * E3(thickness)), power), 1);
    EXPECT_LE(misfit(found.upper.gained, power * (1 - 2 * E3(thickness)), power), 1);
    if (thickness != 1.0) continue;
    slab.layers[0].extinction = 1.25;
    EXPECT_GT(worst_misfit(balance(slab), fluxes), 1) << "control: too much of the medium";
  }
}

TEST_P(ClosedForms, OfLayersWithTemperaturesOfTheirOwn) {
  RadiationCase slab;
  slab.layers = {layer_of(0.4, 2, 600), layer_of(1.2, 3, 1000), layer_of(0.2, 1, 300)};
  std::vector<double> powers, heights{0, 0.4, 1.6, 1.8}, fluxes;
  for (const auto& layer : slab.layers) powers.push_back(stefan_boltzmann * std::pow(layer.temperature, 4));
  for (const double t : {0.0, 0.2, 0.4, 0.8, 1.2, 1.6, 1.8}) fluxes.push_back(layered_flux(heights, powers, t));
  EXPECT_LE(worst_misfit(balance(slab), fluxes), 1);
  slab.layers[0].temperature = 750;
  const auto control = balance(slab);
  EXPECT_GT(misfit(control.flux[2], fluxes[2], 1e4), 1) << "control: a layer 150 K too warm";
}

// If everything has one temperature, nothing gains or loses energy, for any scattering and reflection.
TEST_P(ClosedForms, OfEquilibriumAtOneTemperature) {
  RadiationCase radiation = rich_case();
  radiation.temperatures.clear();
  radiation.beam = {};
  for (auto& layer : radiation.layers) layer.temperature = 1000;
  radiation.lower.temperature = radiation.upper.temperature = 1000;
  const auto worst = [&] {
    const auto found = balance(radiation);
    double misfits =
        std::max(misfit(found.lower.gained, found.lower.lost, 1e5), misfit(found.upper.gained, found.upper.lost, 1e5));
    for (const auto& element : found.elements) {
      misfits = std::max(misfits, misfit(element.gained, element.lost, 1e5));
    }
    for (const auto& flux : found.flux) misfits = std::max(misfits, misfit(flux, 0, 1e5));
    return misfits;
  };
  EXPECT_LE(worst(), 1);
  radiation.upper.temperature = 900;
  EXPECT_GT(worst(), 1) << "control: a plate 100 K colder";
}

TEST_P(ClosedForms, OfGrayPlatesWithNothingBetween) {
  RadiationCase radiation;
  radiation.layers = {layer_of(0, 3)};
  radiation.lower = {1000, 0.6};
  radiation.upper = {400, 0.3};
  const double flux = stefan_boltzmann * (1e12 - 256e8) / (1 / 0.6 + 1 / 0.3 - 1);
  const auto found = balance(radiation);
  for (const auto& through : found.flux) EXPECT_LE(misfit(through, flux, 1e5), 1);
  radiation.lower.emissivity = 0.7;
  EXPECT_GT(misfit(balance(radiation).flux[1], flux, 1e5), 1) << "control: a plate too black";
}

// A medium of 1000 K with optical thickness 0.5 below 3 µm and 4 above, between cold black plates.
RadiationCase two_band_slab() {
  RadiationCase slab;
  slab.layers = {layer_of(1, 5, 1000)};
  slab.bands = {band_to(3, {0.5}), band_to(no_end, {4})};
  return slab;
}

TEST_P(ClosedForms, OfASlabInTwoBands) {
  RadiationCase slab = two_band_slab();
  const double power = stefan_boltzmann * 1e12, below = models::black_share(3, 1000);
  std::vector<double> fluxes;
  for (int i = 0; i <= 5; ++i) {
    fluxes.push_back(layered_flux({0, 0.5}, {power * below}, 0.5 * i / 5) +
                     layered_flux({0, 4}, {power * (1 - below)}, 4.0 * i / 5));
  }
  EXPECT_LE(worst_misfit(balance(slab), fluxes), 1);
  slab.bands[0].end = 4;
  EXPECT_GT(worst_misfit(balance(slab), fluxes), 1) << "control: a band too wide";
}

// Bands with identical properties form a gray medium.
TEST_P(ClosedForms, OfAGrayMediumInBands) {
  RadiationCase slab = two_band_slab();
  slab.bands = {band_to(2, {1}), band_to(5, {1}, {{1, 1}}), band_to(no_end, {1})};
  slab.layers[0].extinction = 7;
  std::vector<double> fluxes;
  for (int i = 0; i <= 5; ++i) fluxes.push_back(layered_flux({0, 1}, {stefan_boltzmann * 1e12}, i / 5.0));
  EXPECT_LE(worst_misfit(balance(slab), fluxes), 1);
  slab.bands[1].extinctions = {1.5};
  EXPECT_GT(worst_misfit(balance(slab), fluxes), 1) << "control: a band that is thicker";
}

// Plates that are gray in each of two bands, with nothing between them, and later a beam in the second band.
TEST_P(ClosedForms, OfPlatesInTwoBands) {
  RadiationCase radiation;
  radiation.layers = {layer_of(0, 3)};
  radiation.lower = {1000, 1};
  radiation.upper = {400, 1};
  radiation.bands = {band_to(4, {}, {{0.9, 0.2}}), band_to(no_end, {}, {{0.3, 0.8}})};
  const auto net = [](double temperature, double band) {
    const double below = models::black_share(4, temperature);
    return stefan_boltzmann * std::pow(temperature, 4) * (band == 0 ? below : 1 - below);
  };
  const double flux =
      (net(1000, 0) - net(400, 0)) / (1 / 0.9 + 1 / 0.2 - 1) + (net(1000, 1) - net(400, 1)) / (1 / 0.3 + 1 / 0.8 - 1);
  const auto found = balance(radiation);
  for (const auto& through : found.flux) EXPECT_LE(misfit(through, flux, 1e5), 1);
  radiation.bands[1].irradiance = 2e4;
  const double of_beam = 0.8 * 2e4 / (1 - 0.2 * 0.7);  // absorbed after reflections by both plates
  EXPECT_LE(misfit(balance(radiation).flux[3], flux + of_beam, 1e5), 1);
  radiation.bands[0].emissivities = {{0.9, 0.3}};
  EXPECT_GT(misfit(balance(radiation).flux[1], flux + of_beam, 1e5), 1) << "control: another plate in one band";
}

// Checks the share of a black body's power up to a wavelength against quadrature and tables.
TEST(BlackShare, IsPlancksLawIntegrated) {
  using Rule = boost::math::quadrature::gauss<double, 60>;
  const auto planck = [](double t) { return t * t * t / std::expm1(t); };
  for (const double x : {0.01, 0.3, 0.999, 1.001, 2.5, 7.0, 20.0}) {
    double share = 0;  // from x on, in parts
    for (double from = x; from < x + 60; from += 2) share += Rule::integrate(planck, from, from + 2);
    share *= 15 / std::pow(M_PI, 4);
    EXPECT_NEAR(models::black_share(models::second_radiation_constant / x / 1000, 1000), share, 2e-15 + 1e-13 * share);
  }
  EXPECT_NEAR(models::black_share(2.897771955, 1000), 0.250055, 1e-6);  // up to the peak
  EXPECT_EQ(models::black_share(std::numeric_limits<double>::infinity(), 300), 1);
  EXPECT_EQ(models::black_share(0, 300), 0);
  EXPECT_EQ(models::black_share(5, 0), 0);
}

// Exact shares through an absorbing slab: exp(−τ/μ) of a beam, 2E₃(τ) of diffuse light.
TEST_P(ClosedForms, OfLightThroughAnAbsorbingSlab) {
  RadiationCase slab;
  slab.layers = {layer_of(1.5, 4)};
  slab.beam = {1, 0.5};
  const auto lit = balance(slab);
  EXPECT_LE(misfit(lit.upper.gained, std::exp(-3), 1), 1);
  EXPECT_EQ(lit.lower.gained.value, 0);
  slab.beam = {};
  slab.lower.temperature = 1000;
  const double power = stefan_boltzmann * 1e12;
  EXPECT_LE(misfit(balance(slab).upper.gained, power * 2 * E3(1.5), power), 1);
  slab.layers[0].extinction = 1.3;
  EXPECT_GT(misfit(balance(slab).upper.gained, power * 2 * E3(1.5), power), 1) << "control: too thin a slab";
}

// H. C. van de Hulst, Multiple Light Scattering (1980), gives the values to five digits. Codes for tissue optics
// compare themselves with these values, beginning with MCML (L. Wang, S. L. Jacques, L. Zheng, 1995).
TEST_P(ClosedForms, OfASlabThatScattersForwards) {
  RadiationCase slab;
  slab.layers = {layer_of(2, 1, 0, 0.9, 0.75)};
  slab.beam = {1, 1};
  const auto lit = balance(slab);
  constexpr double last_digit = 5e-6;
  const auto with_digits = [](Estimated estimate) { return Estimated{estimate.value, estimate.error + last_digit}; };
  EXPECT_LE(misfit(with_digits(lit.lower.gained), 0.09739, 1), 1);
  EXPECT_LE(misfit(with_digits(lit.upper.gained), 0.66096, 1), 1);
  slab.layers[0].asymmetry = 0.65;
  EXPECT_GT(misfit(with_digits(balance(slab).lower.gained), 0.09739, 1), 1) << "control: another asymmetry";
}

// Computes S. Chandrasekhar's H function for isotropic scattering, at the nodes of a Gauss-Legendre rule on (0, 1) and
// at one further cosine: 1/H(μ) = √(1 − ω) + ω/2 ∫ μ' H(μ') / (μ + μ') dμ'.
double h_function(double albedo, double cosine) {
  using Rule = boost::math::quadrature::gauss<double, 30>;
  std::vector<double> nodes, weights, h;
  for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
    for (const double sign : {-1.0, 1.0}) {
      nodes.push_back(0.5 + 0.5 * sign * Rule::abscissa()[i]);
      weights.push_back(0.5 * Rule::weights()[i]);
    }
  }
  h.assign(nodes.size(), 1.0);
  const auto next = [&](double at) {
    double integral = 0;
    for (std::size_t j = 0; j < nodes.size(); ++j) integral += weights[j] * nodes[j] * h[j] / (at + nodes[j]);
    return 1 / (std::sqrt(1 - albedo) + 0.5 * albedo * integral);
  };
  for (int iteration = 0; iteration < 200; ++iteration) {
    std::vector<double> better;
    for (const double node : nodes) better.push_back(next(node));
    h = better;
  }
  return next(cosine);
}

// A half space that scatters isotropically reflects 1 − H(μ) √(1 − ω) of a beam.
TEST_P(ClosedForms, OfAHalfSpaceThatScatters) {
  EXPECT_NEAR(h_function(0.9, 1.0), 1.850099, 1e-6);  // NumPy's value for a rule of 200 nodes
  for (const double cosine : {1.0, 0.3}) {
    RadiationCase slab;
    slab.layers = {layer_of(40, 1, 0, 0.9)};  // less than 10^−8 reaches the other side
    slab.beam = {1, cosine};
    const double reflected = 1 - h_function(0.9, cosine) * std::sqrt(0.1);
    EXPECT_LE(misfit(balance(slab, 10'000).lower.gained, reflected, 1), 1);
    slab.layers[0].albedo = 0.93;
    EXPECT_GT(misfit(balance(slab, 10'000).lower.gained, reflected, 1), 1) << "control: a higher albedo";
  }
}

// The batches estimate the error of the estimates correctly: over seeds, the squares of deviations in units of the
// error have mean (B − 1)/(B − 3), with an error of about √(2/seeds).
TEST(PhotonErrors, AreThoseOfTheEstimates) {
  RadiationCase slab;
  slab.layers = {layer_of(1, 1, 1000)};
  const double exact = stefan_boltzmann * 1e12 * (1 - 2 * E3(1));
  constexpr int seeds = 400;
  double squares = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    PhotonPlan plan = plan_of(PathTreatment::exact, PhotonWeighting::weighted, 64 * 5 + 7);
    plan.seed = static_cast<std::uint64_t>(seed);
    const auto [value, error] = energy_balance(Space(), slab, plan).upper.gained;
    squares += std::pow((value - exact) / error, 2) / seeds;
  }
  const double tolerance = 4.4 * std::sqrt(2.0 / seeds);  // exceeded with probability 10^-5 for a normal variate
  EXPECT_NEAR(squares, 63.0 / 61, tolerance);
  EXPECT_GT(std::abs(squares * 1.5 - 63.0 / 61), tolerance) << "control: errors too small";
}

// In thin elements a weighted photon leaves a little energy in each, an analogue photon seldom any. With one point on
// each path, sampling adds its own error.
TEST(PhotonErrors, FallByWeightsAndGrowByPoints) {
  RadiationCase slab;
  slab.layers = {layer_of(4, 4)};
  slab.lower.temperature = 1000;
  const auto error = [&](PathTreatment paths, PhotonWeighting weighting) {
    return energy_balance(Space(), slab, plan_of(paths, weighting, 3'000, 1)).elements[0].gained.error;
  };
  const double exact = error(PathTreatment::exact, PhotonWeighting::weighted);
  EXPECT_LT(1.5 * exact, error(PathTreatment::exact, PhotonWeighting::analogue));
  EXPECT_LT(1.2 * exact, error(PathTreatment::sampled, PhotonWeighting::weighted));
}

// A beam has only one path through an element of optical thickness 1, so photons differ only by their points. The
// absorbed share, the mean of exp(-u) over n points, has variance ((1 - exp(-2)) / 2 - (1 - exp(-1))^2) / n. Its
// estimate from B batches has a chi-squared distribution with B - 1 degrees of freedom.
TEST(PhotonErrors, AreThoseOfPointsOnPaths) {
  RadiationCase slab;
  slab.layers = {layer_of(1, 1)};
  slab.beam = {1, 1};
  constexpr int batches = 1024;
  constexpr std::int64_t photons = 32 * batches;
  const double of_one_point = (1 - std::exp(-2)) / 2 - std::pow(1 - std::exp(-1), 2);
  const boost::math::chi_squared spread(batches - 1);
  const double least = quantile(spread, error_probability / 2);
  const double most = quantile(complement(spread, error_probability / 2));
  for (const int points : {80, 160, 240}) {
    PhotonPlan plan = plan_of(PathTreatment::sampled, PhotonWeighting::weighted, photons, points);
    plan.batches = batches;
    const Estimated absorbed = energy_balance(Space(), slab, plan).elements[0].gained;
    EXPECT_LE(misfit(absorbed, 1 - std::exp(-1), 1, batches), 1) << points;
    const double of_photon = static_cast<double>(photons) * absorbed.error * absorbed.error;
    const double statistic = (batches - 1) * points * of_photon / of_one_point;
    EXPECT_GT(statistic, least) << points;
    EXPECT_LT(statistic, most) << points;
    EXPECT_GT(1.5 * statistic, most) << "control: half as many points again";
    EXPECT_LT(statistic / 1.5, least) << "control: a third fewer points";
  }
}

}  // namespace closed_forms_tests
}  // namespace sporos::test
