// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/radiation/trace.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sporos::models {

/// An estimate with its standard error.
struct Estimated {
  double value = 0;  ///< estimate
  double error = 0;  ///< standard error, estimated from batches
};

/// Energy that an element or a plate absorbs and emits, in W.
struct SinkEnergy {
  Estimated gained;  ///< absorbed energy
  double lost = 0;   ///< emitted energy
};

/// Energy balance of a period of a case, in W.
struct EnergyBalance {
  std::vector<SinkEnergy> elements;  ///< elements in the order of their indices
  SinkEnergy medium;                 ///< sum of all elements
  SinkEnergy lower;                  ///< lower plate
  SinkEnergy upper;                  ///< upper plate
  double beam = 0;                   ///< power of the beam
  Estimated roulette;                ///< energy lost minus energy won by Russian roulette; its mean is 0
  std::vector<Estimated> flux;  ///< upward flux in W/m² through the lower face of each slice and into the upper plate
  std::int64_t photons = 0;     ///< number of photons traced
  int batches = 0;              ///< number of batches for the errors; Student's t has one degree of freedom less
};

/// Estimates the energy gained and lost by all elements and plates of a case. Photons have equal energy and come from
/// all sources in proportion to their powers. If no source has power, all results are 0. Collective.
///
/// Throws std::invalid_argument if the case or the plan is invalid, and OutOfMemory if the tallies do not fit.
template <class ExecutionSpace>
EnergyBalance energy_balance(const ExecutionSpace& space, const RadiationCase& radiation, const PhotonPlan& plan,
                             Processes& processes = single_process);

/// Computes the energy balance from counts, for all sources together, of photons that came from the sources in
/// proportion to source_powers.
inline EnergyBalance energy_balance(const RadiationCase& radiation, const PhotonCounts& counts);

namespace impl {

/// Power in W that leaves each source in a period, summed over all bands.
inline std::vector<double> powers_of_all_bands(const RadiationCase& radiation) {
  const std::vector<double> all = source_powers(radiation);
  const std::size_t sources = static_cast<std::size_t>(radiation.elements()) + 3;
  std::vector<double> powers(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(sources));
  for (std::size_t i = sources; i < all.size(); ++i) powers[i % sources] += all[i];
  return powers;
}

/// Returns the mean value per photon, in bundles. `values` holds the units and `photons` the number of photons of each
/// batch. The error is for batches of unequal size with the same variance per photon.
inline Estimated per_photon(const std::vector<double>& values, const std::vector<std::int64_t>& photons) {
  const auto bundles = [](double units) { return units / static_cast<double>(bundle_units); };
  const double count = static_cast<double>(std::accumulate(photons.begin(), photons.end(), std::int64_t{0}));
  const double mean = bundles(std::accumulate(values.begin(), values.end(), 0.0)) / count;
  double squares = 0;
  int batches = 0;
  for (std::size_t batch = 0; batch < values.size(); ++batch) {
    if (photons[batch] == 0) continue;
    const auto n = static_cast<double>(photons[batch]);
    const double deviation = bundles(values[batch]) / n - mean;
    squares += n * deviation * deviation;
    ++batches;
  }
  return {mean, std::sqrt(squares / (count * (batches - 1)))};
}

/// Sums of the tallies of counts with one row.
class BatchSums {
 public:
  BatchSums(const PhotonCounts& counts, double power) : m_counts(counts), m_power(power) {
    for (int batch = 0; batch < counts.batches; ++batch) m_photons.push_back(counts.photons(batch, 0));
  }

  /// Returns the estimate of a tally in W.
  Estimated tally(int tally) const {
    std::vector<double> values(m_photons.size(), 0.0);
    add(tally, values);
    return watts(values);
  }

  /// Adds the units of a tally to `values`, batch by batch.
  void add(int tally, std::vector<double>& values) const {
    for (std::size_t batch = 0; batch < values.size(); ++batch) {
      values[batch] += static_cast<double>(m_counts.at(static_cast<int>(batch), 0, tally));
    }
  }

  /// Returns the estimate in W for the units of each batch.
  Estimated watts(const std::vector<double>& values) const {
    const auto [mean, error] = per_photon(values, m_photons);
    return {m_power * mean, m_power * error};
  }

 private:
  const PhotonCounts& m_counts;
  double m_power;
  std::vector<std::int64_t> m_photons;
};

/// Returns the flux through each face: the power of the sources below the face minus the power absorbed below it.
inline std::vector<Estimated> fluxes(const RadiationCase& radiation, const std::vector<double>& powers,
                                     const BatchSums& sums, int batches) {
  const int elements = radiation.elements();
  const auto power_of = [&](int source) { return powers[static_cast<std::size_t>(source)]; };
  std::vector<double> absorbed(static_cast<std::size_t>(batches), 0.0);
  sums.add(elements, absorbed);
  double sent = power_of(elements) + power_of(elements + 2);
  std::vector<Estimated> flux;
  for (int element = 0; element <= elements; ++element) {
    if (element % radiation.elements_of_slice() == 0) {
      const auto [ended, error] = sums.watts(absorbed);
      flux.push_back({(sent - ended) / radiation.area(), error / radiation.area()});
    }
    if (element == elements) break;
    sums.add(element, absorbed);
    sent += power_of(element);
  }
  return flux;
}

}  // namespace impl

inline EnergyBalance energy_balance(const RadiationCase& radiation, const PhotonCounts& counts) {
  const auto powers = impl::powers_of_all_bands(radiation);
  const auto elements = static_cast<std::size_t>(radiation.elements());
  EnergyBalance balance;
  balance.elements.resize(elements);
  balance.flux.resize(static_cast<std::size_t>(radiation.slices()) + 1);
  balance.photons = counts.photons();
  balance.batches = counts.batches;
  const double power = std::accumulate(powers.begin(), powers.end(), 0.0);
  if (power == 0) return balance;

  const impl::BatchSums sums(counts, power);
  const auto sink = [&](std::size_t i) { return SinkEnergy{sums.tally(static_cast<int>(i)), powers[i]}; };
  std::vector<double> of_medium(static_cast<std::size_t>(counts.batches), 0.0);
  for (std::size_t i = 0; i < elements; ++i) {
    balance.elements[i] = sink(i);
    balance.medium.lost += powers[i];
    sums.add(static_cast<int>(i), of_medium);
  }
  balance.medium.gained = sums.watts(of_medium);
  balance.lower = sink(elements);
  balance.upper = sink(elements + 1);
  balance.beam = powers[elements + 2];
  balance.roulette = sums.tally(static_cast<int>(elements) + 2);
  balance.flux = impl::fluxes(radiation, powers, sums, counts.batches);
  return balance;
}

template <class ExecutionSpace>
EnergyBalance energy_balance(const ExecutionSpace& space, const RadiationCase& radiation, const PhotonPlan& plan,
                             Processes& processes) {
  radiation.check();
  check_photon_plan(plan);
  const auto powers = source_powers(radiation);
  const bool is_dark = std::all_of(powers.begin(), powers.end(), [](double power) { return power == 0; });
  if (is_dark) return energy_balance(radiation, PhotonCounts{plan.batches, 0, 0, {}});
  return energy_balance(radiation, traced(space, radiation, powers, plan, false, processes));
}

}  // namespace sporos::models
