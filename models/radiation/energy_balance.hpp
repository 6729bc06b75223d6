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

/// An estimate and its statistical error.
struct Estimated {
  double value = 0;  ///< what is estimated
  double error = 0;  ///< the estimate's standard deviation, itself estimated from batches
};

/// What an element or a plate takes and gives, in W.
struct SinkEnergy {
  Estimated gained;  ///< absorbed
  double lost = 0;   ///< sent out
};

/// Where the energy goes in a period of a case, in W.
struct EnergyBalance {
  std::vector<SinkEnergy> elements;  ///< by their numbers
  SinkEnergy medium;                 ///< all elements together
  SinkEnergy lower;                  ///< plate
  SinkEnergy upper;                  ///< plate
  double beam = 0;                   ///< that the beam brings
  Estimated roulette;                ///< lost by it less won by it; 0 in the mean
  std::vector<Estimated> flux;       ///< W/m², upwards, through the lower face of each slice and past the upper plate
  std::int64_t photons = 0;          ///< followed
  int batches = 0;                   ///< that the errors come from: Student's t has one degree of freedom less
};

/// Energy gained and lost by all elements and plates of a case, from photons of equal energy that come from all sources
/// in proportion to their powers. Without any power all is 0. Collective.
///
/// Throws std::invalid_argument where case or plan cannot be; OutOfMemory where the tallies would not fit.
template <class ExecutionSpace>
EnergyBalance energy_balance(const ExecutionSpace& space, const RadiationCase& radiation, const PhotonPlan& plan,
                             Processes& processes = alone);

/// The same from the counts, all sources together, of photons that came from them in proportion to source_powers.
inline EnergyBalance energy_balance(const RadiationCase& radiation, const PhotonCounts& counts);

namespace impl {

/// Power in W that leaves each source in a period, in all bands together.
inline std::vector<double> powers_of_all_bands(const RadiationCase& radiation) {
  const std::vector<double> all = source_powers(radiation);
  const std::size_t sources = static_cast<std::size_t>(radiation.elements()) + 3;
  std::vector<double> powers(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(sources));
  for (std::size_t i = sources; i < all.size(); ++i) powers[i % sources] += all[i];
  return powers;
}

/// Σ values over photons per photon, in bundles, from what each batch has: values in units, and the number of its
/// photons. The error is that of batches of unequal size which all have the same variance for each photon.
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

/// Sums of the tallies of counts that have one row.
class BatchSums {
 public:
  BatchSums(const PhotonCounts& counts, double power) : m_counts(counts), m_power(power) {
    for (int batch = 0; batch < counts.batches; ++batch) m_photons.push_back(counts.photons(batch, 0));
  }

  /// Of a tally, in W.
  Estimated tally(int tally) const {
    std::vector<double> values(m_photons.size(), 0.0);
    add(tally, values);
    return watts(values);
  }

  /// Adds the units of a tally, batch by batch.
  void add(int tally, std::vector<double>& values) const {
    for (std::size_t batch = 0; batch < values.size(); ++batch) {
      values[batch] += static_cast<double>(m_counts.at(static_cast<int>(batch), 0, tally));
    }
  }

  /// In W, from the units of each batch.
  Estimated watts(const std::vector<double>& values) const {
    const auto [mean, error] = per_photon(values, m_photons);
    return {m_power * mean, m_power * error};
  }

 private:
  const PhotonCounts& m_counts;
  double m_power;
  std::vector<std::int64_t> m_photons;
};

/// What leaves sources below a face and has not ended below it has gone through it.
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
