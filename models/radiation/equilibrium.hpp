// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/radiation/energy_balance.hpp>
#include <sporos/models/radiation/exchange_areas.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::models {

/// Stopping criterion of the iteration for the equilibrium temperatures.
struct EquilibriumOptions {
  /// Largest change of an element's σT⁴ in an iteration, relative to the largest σT⁴.
  double tolerance = 1e-12;
  /// Maximum number of iterations.
  std::int64_t max_iterations = 1'000'000;
};

/// A medium at radiative equilibrium: each element emits what it absorbs.
struct RadiativeEquilibrium {
  /// Temperatures of the elements in K; NaN for an element that neither absorbs nor emits.
  std::vector<Estimated> temperatures;
  Estimated flux;               ///< upward flux in W/m² into the upper plate; without a beam the same at all heights
  SinkEnergy lower;             ///< lower plate, in W per period
  SinkEnergy upper;             ///< upper plate, in W per period
  std::int64_t iterations = 0;  ///< number of iterations until the temperatures converged
  std::int64_t photons = 0;     ///< number of photons traced
  int batches = 0;              ///< number of batches for the errors
};

/// Estimates the temperatures of a medium between plates of given temperatures, lit by the beam of the case, if only
/// radiation transports heat. The temperatures that the case gives to its medium are ignored.
///
/// Photons are traced once, for the exchange areas S. Then Gauss–Seidel sweeps, upwards and downwards, iterate the σT⁴
/// of the elements to convergence. They replace each σT⁴ by the mean over all other bodies, weighted by S, plus the
/// contribution of the beam. Each element has one temperature; with elements of optical thickness h the flux is too
/// high by O(h²). Plates and beam get back all energy that they give to the medium, except for rounding. Errors are
/// those of the jackknife, which repeats the computation without each of the batches. Results are bitwise identical for
/// any backend, threads and processes. Collective.
///
/// Throws
/// - std::invalid_argument if the case or the plan is invalid, if both plates have emissivity 0, or if there are so few
///   photons that an element exchanges none;
/// - OutOfMemory if the tallies, (elements + 3)² per batch, do not fit;
/// - std::runtime_error if the temperatures do not converge.
template <class ExecutionSpace>
RadiativeEquilibrium radiative_equilibrium(const ExecutionSpace& space, const RadiationCase& radiation,
                                           const PhotonPlan& plan, const EquilibriumOptions& options = {},
                                           Processes& processes = single_process);

/// Computes the equilibrium from counts by source of photons that came from the sources in proportion to
/// exchange_weights.
inline RadiativeEquilibrium radiative_equilibrium(const RadiationCase& radiation, const PhotonCounts& counts,
                                                  const EquilibriumOptions& options = {});

/// Throws std::invalid_argument if a case has no equilibrium or the options are invalid.
inline void check_equilibrium(const RadiationCase& radiation, const EquilibriumOptions& options);

namespace impl {

/// σT⁴ of the bodies in W/m² after convergence.
struct SettledPowers {
  std::vector<double> powers;
  std::int64_t iterations;
};

/// Iterates the elements' σT⁴ to convergence. `powers` are the initial σT⁴ of all bodies, of which the plates' are
/// fixed; `beam` is the power of the beam in W.
inline SettledPowers settled(const ExchangeAreas& exchange, std::vector<double> powers, double beam,
                             const EquilibriumOptions& options) {
  const int elements = exchange.bodies() - 2;
  double change = 0;
  const auto settle = [&](int i) {
    if (exchange.sum(i) == 0) return;  // it neither absorbs nor emits
    double& power = powers[static_cast<std::size_t>(i)];
    const double next = (exchange.received(i, powers) + beam * exchange.beam_share(i)) / exchange.sum(i);
    change = std::max(change, std::abs(next - power));
    power = next;
  };
  for (std::int64_t iteration = 1; iteration <= options.max_iterations; ++iteration) {
    change = 0;
    for (int i = 0; i < elements; ++i) settle(i);
    for (int i = elements; i-- > 0;) settle(i);
    if (change <= options.tolerance * *std::max_element(powers.begin(), powers.end())) {
      return {std::move(powers), iteration};
    }
  }
  throw std::runtime_error(std::string("temperatures have not converged in ")
                               .append(std::to_string(options.max_iterations))
                               .append(" iterations"));
}

/// Returns all estimated values: temperatures of the elements in K, and net gains of the lower and the upper plate in
/// W.
inline std::vector<double> equilibrium_values(const ExchangeAreas& exchange, const std::vector<double>& powers,
                                              double beam) {
  const int elements = exchange.bodies() - 2;
  std::vector<double> values;
  for (int i = 0; i < elements; ++i) {
    const double power = powers[static_cast<std::size_t>(i)];
    values.push_back(exchange.sum(i) > 0 ? std::sqrt(std::sqrt(power / stefan_boltzmann))
                                         : std::numeric_limits<double>::quiet_NaN());
  }
  for (const int plate : {elements, elements + 1}) {
    values.push_back(exchange.received(plate, powers) - exchange.sum(plate) * powers[static_cast<std::size_t>(plate)] +
                     beam * exchange.beam_share(plate));
  }
  return values;
}

/// Returns the values with their jackknife errors √((B − 1)/B Σ (θ_b − θ̄)²), where θ_b is the value without batch b.
inline std::vector<Estimated> jackknife(const std::vector<double>& values,
                                        const std::vector<std::vector<double>>& without) {
  const auto batches = static_cast<double>(without.size());
  std::vector<Estimated> estimates;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double mean = 0, squares = 0;
    for (const auto& left : without) mean += left[i] / batches;
    for (const auto& left : without) squares += (left[i] - mean) * (left[i] - mean);
    estimates.push_back({values[i], std::sqrt((batches - 1) / batches * squares)});
  }
  return estimates;
}

/// Initial σT⁴ of all bodies. The elements start at the mean of the plates.
inline std::vector<double> first_powers(const RadiationCase& radiation) {
  const double lower = black_power(radiation.lower.temperature), upper = black_power(radiation.upper.temperature);
  std::vector<double> powers(static_cast<std::size_t>(radiation.elements()), 0.5 * (lower + upper));
  powers.insert(powers.end(), {lower, upper});
  return powers;
}

}  // namespace impl

inline void check_equilibrium(const RadiationCase& radiation, const EquilibriumOptions& options) {
  if (!radiation.bands.empty()) {
    throw std::invalid_argument("the case has bands, expected a gray case: the equilibrium is computed from σT⁴ only");
  }
  if (radiation.lower.emissivity == 0 && radiation.upper.emissivity == 0) {
    throw std::invalid_argument(
        "both plates have emissivity 0, expected at least one above 0: at equilibrium only plates absorb net energy");
  }
  check_positive("tolerance", options.tolerance);
  check_positive_integer("maximum number of iterations", options.max_iterations);
}

inline RadiativeEquilibrium radiative_equilibrium(const RadiationCase& radiation, const PhotonCounts& counts,
                                                  const EquilibriumOptions& options) {
  const double beam = radiation.beam.irradiance * radiation.area();
  const auto areas = body_areas(radiation);
  const ExchangeAreas exchange(counts, areas);
  const impl::SettledPowers found = impl::settled(exchange, impl::first_powers(radiation), beam, options);
  const std::vector<double>& powers = found.powers;
  std::vector<std::vector<double>> without;
  for (int batch = 0; batch < counts.batches; ++batch) {
    const ExchangeAreas others(counts, areas, batch);
    without.push_back(impl::equilibrium_values(others, impl::settled(others, powers, beam, options).powers, beam));
  }
  auto estimates = impl::jackknife(impl::equilibrium_values(exchange, powers, beam), without);

  const std::size_t elements = areas.size() - 2;
  const auto plate = [&](std::size_t body) {
    const double lost = areas[body] * powers[body];
    return SinkEnergy{{lost + estimates[body].value, estimates[body].error}, lost};
  };
  RadiativeEquilibrium equilibrium;
  equilibrium.lower = plate(elements);
  equilibrium.upper = plate(elements + 1);
  const auto [gain, error] = estimates[elements + 1];
  equilibrium.flux = {gain / radiation.area(), error / radiation.area()};
  estimates.resize(elements);
  equilibrium.temperatures = std::move(estimates);
  equilibrium.iterations = found.iterations;
  equilibrium.photons = counts.photons();
  equilibrium.batches = counts.batches;
  return equilibrium;
}

template <class ExecutionSpace>
RadiativeEquilibrium radiative_equilibrium(const ExecutionSpace& space, const RadiationCase& radiation,
                                           const PhotonPlan& plan, const EquilibriumOptions& options,
                                           Processes& processes) {
  radiation.check();
  check_photon_plan(plan);
  check_equilibrium(radiation, options);
  return radiative_equilibrium(radiation, traced(space, radiation, exchange_weights(radiation), plan, true, processes),
                               options);
}

}  // namespace sporos::models
