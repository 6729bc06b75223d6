// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/radiation/trace.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::models {

/// Total exchange areas (H. C. Hottel, A. F. Sarofim, Radiative Transfer, 1967). The bodies are the elements, then the
/// lower and the upper plate. Bodies i and j exchange the net power S(i, j) (σT_i⁴ − σT_j⁴), after all scattering and
/// reflection. S does not depend on temperatures.
///
/// Photons from i to j and from j to i are counted together, so S(i, j) = S(j, i) whatever the statistical errors.
/// Hence no energy is lost, and bodies of one temperature exchange none. If temperatures hardly differ, as in optically
/// thick media, errors are as small as the exchange (M. Cherkaoui et al., Monte Carlo simulation of radiation in gases
/// with a narrow-band model and a net-exchange formulation, J. Heat Transfer 118, 1996).
///
/// A body emits σT⁴ times its emitting area, which is 4κ times the volume or emissivity times the surface. The beam is
/// not a body; beam_share() is the fraction of it that each body absorbs.
class ExchangeAreas {
 public:
  /// Estimates the areas from counts by source, without those of batch `left_out` if it is a batch. `areas` are the
  /// emitting areas of the bodies in m². Throws std::invalid_argument if a body with a positive area has exchanged no
  /// photon with any other.
  ExchangeAreas(const PhotonCounts& counts, const std::vector<double>& areas, int left_out = -1)
      : m_bodies(static_cast<int>(areas.size())),
        m_areas(areas.size() * areas.size(), 0.0),
        m_beam_shares(areas.size(), 0.0),
        m_sums(areas.size()) {
    const std::vector<double> units_per_area = add(counts, areas, left_out);
    for (int i = 0; i < m_bodies; ++i) {
      for (int j = 0; j < i; ++j) join(i, j, units_per_area[size(i)] + units_per_area[size(j)]);
    }
    for (int i = 0; i < m_bodies; ++i) sum_up(i, areas[size(i)]);
    const double beam = std::accumulate(m_beam_shares.begin(), m_beam_shares.end(), 0.0);
    for (double& share : m_beam_shares) share = beam > 0 ? share / beam : 0;
  }

  /// Number of elements and plates.
  int bodies() const { return m_bodies; }
  /// Returns S(i, j) in m²; 0 for i = j.
  double operator()(int i, int j) const { return m_areas[size(i) * size(m_bodies) + size(j)]; }
  /// Returns Σ_j S(i, j) in m².
  double sum(int i) const { return m_sums[size(i)]; }
  /// Fraction of the beam that body i absorbs. The fractions sum to 1 if there is a beam.
  double beam_share(int i) const { return m_beam_shares[size(i)]; }

  /// Returns Σ_j S(i, j) σT_j⁴ in W, for σT⁴ in W/m².
  double received(int i, const std::vector<double>& black_powers) const {
    return std::inner_product(black_powers.begin(), black_powers.end(), m_areas.begin() + std::ptrdiff_t{i} * m_bodies,
                              0.0);
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }
  double& area(int i, int j) { return m_areas[size(i) * size(m_bodies) + size(j)]; }

  // Adds up the units from i to j and those of the beam. Returns the units that came from each m² of a body.
  std::vector<double> add(const PhotonCounts& counts, const std::vector<double>& areas, int left_out) {
    std::vector<double> units(areas.size(), 0.0);
    for (int batch = 0; batch < counts.batches; ++batch) {
      if (batch == left_out) continue;
      for (int i = 0; i < m_bodies; ++i) {
        m_beam_shares[size(i)] += static_cast<double>(counts.at(batch, m_bodies, i));
        units[size(i)] += static_cast<double>(counts.photons(batch, i)) * static_cast<double>(bundle_units);
        for (int j = 0; j < m_bodies; ++j) area(i, j) += static_cast<double>(counts.at(batch, i, j));
      }
    }
    for (std::size_t i = 0; i < units.size(); ++i) units[i] = areas[i] > 0 ? units[i] / areas[i] : 0;
    return units;
  }

  void join(int i, int j, double units_per_area) {
    const double joint = units_per_area > 0 ? (area(i, j) + area(j, i)) / units_per_area : 0;
    area(i, j) = joint;
    area(j, i) = joint;
  }

  void sum_up(int i, double own_area) {
    area(i, i) = 0;
    m_sums[size(i)] = 0;
    for (int j = 0; j < m_bodies; ++j) m_sums[size(i)] += area(i, j);
    if (own_area == 0 || m_sums[size(i)] > 0) return;
    throw std::invalid_argument(std::string("no photon from ")
                                    .append(i < m_bodies - 2 ? "element " + std::to_string(i) : "a plate")
                                    .append(" has reached another body, expected more photons"));
  }

  int m_bodies;
  std::vector<double> m_areas;
  std::vector<double> m_beam_shares, m_sums;
};

/// Returns the emitting areas of the bodies in m²; a body emits σT⁴ times its area. The area is 4κ times the volume for
/// elements, then emissivity times surface for the lower and the upper plate.
inline std::vector<double> body_areas(const RadiationCase& radiation) {
  std::vector<double> areas = emitting_areas(radiation);
  for (const auto& plate : {radiation.lower, radiation.upper}) areas.push_back(plate.emissivity * radiation.area());
  return areas;
}

/// Returns the weights of sources for estimating exchange areas. They are the emitting areas of the bodies, as if all
/// had one temperature, and that of a black plate for the beam if there is one. Each weight is at least a tenth of the
/// mean, or 0 if the source cannot emit anything.
inline std::vector<double> exchange_weights(const RadiationCase& radiation) {
  std::vector<double> weights = body_areas(radiation);
  weights.push_back(radiation.beam.irradiance > 0 ? radiation.area() : 0);
  const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  for (double& weight : weights) weight = weight > 0 ? std::max(weight, 0.1 * mean) : 0;
  return weights;
}

}  // namespace sporos::models
