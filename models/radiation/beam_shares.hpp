// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/radiation/energy_balance.hpp>

#include <optional>

namespace sporos::models {

/// What becomes of a beam, as shares of it.
struct BeamShares {
  Estimated reflectance;    ///< back through the lower side
  Estimated transmittance;  ///< out through the upper side
  Estimated absorptance;    ///< in the medium
};

/// The shares of the beam where there is nothing else that sends out energy, and both sides are open (emissivity 1);
/// nothing otherwise, and nothing where there are bands.
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
