// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/radiation/energy_balance.hpp>

#include <optional>

namespace sporos::models {

/// Fractions of a beam's energy that are reflected, transmitted and absorbed.
struct BeamShares {
  Estimated reflectance;    ///< fraction that leaves through the lower side
  Estimated transmittance;  ///< fraction that leaves through the upper side
  Estimated absorptance;    ///< fraction absorbed in the medium
};

/// Returns the fractions of the beam. Returns nothing if a plate or the medium emits energy as well, if a side is not
/// open (emissivity 1), if the beam has no power, or if the case has bands.
inline std::optional<BeamShares> beam_shares(const RadiationCase& radiation, const EnergyBalance& balance) {
  const bool is_open = radiation.bands.empty() && radiation.lower.emissivity == 1 && radiation.upper.emissivity == 1;
  const double others = balance.lower.lost + balance.upper.lost + balance.medium.lost;
  if (!is_open || others > 0 || balance.beam == 0) return std::nullopt;
  const auto share = [&](const SinkEnergy& sink) {
    return Estimated{sink.gained.value / balance.beam, sink.gained.error / balance.beam};
  };
  return BeamShares{share(balance.lower), share(balance.upper), share(balance.medium)};
}

}  // namespace sporos::models
