// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>
#include <sporos/models/radiation/beam_shares.hpp>
#include <sporos/models/radiation/energy_balance.hpp>
#include <sporos/models/radiation/equilibrium.hpp>
#include <sporos/models/radiation/photon_plan.hpp>
#include <sporos/models/radiation/photon_tallies.hpp>
#include <sporos/models/radiation/radiation_case.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Cases, plans, results and counts of radiation as JSON. The same values always give the same bytes; what is not a
/// finite number is null.
namespace sporos::models {

namespace impl {

inline io::Json json_of(const SpectralBand& band) {
  io::Json json{{"irradiance", band.irradiance}};
  if (std::isfinite(band.end)) json["end"] = band.end;
  if (!band.extinctions.empty()) json["extinctions"] = band.extinctions;
  if (!band.albedos.empty()) json["albedos"] = band.albedos;
  if (band.emissivities) json["emissivities"] = *band.emissivities;
  return json;
}

}  // namespace impl

/// As read_radiation_case reads it, all members named; of bands those that are there.
inline io::Json json_of(const RadiationCase& radiation) {
  io::Json layers = io::Json::array();
  for (const auto& layer : radiation.layers) {
    layers.push_back({{"thickness", layer.thickness},
                      {"extinction", layer.extinction},
                      {"albedo", layer.albedo},
                      {"asymmetry", layer.asymmetry},
                      {"temperature", layer.temperature},
                      {"slices", layer.slices}});
  }
  const auto plate = [](const RadiatingPlate& of) {
    return io::Json{{"temperature", of.temperature}, {"emissivity", of.emissivity}};
  };
  io::Json json{{"layers", std::move(layers)},
                {"lower", plate(radiation.lower)},
                {"upper", plate(radiation.upper)},
                {"beam", {{"irradiance", radiation.beam.irradiance}, {"cosine", radiation.beam.cosine}}},
                {"widths", radiation.widths},
                {"columns", radiation.columns}};
  if (!radiation.temperatures.empty()) json["temperatures"] = radiation.temperatures;
  for (const SpectralBand& band : radiation.bands) json["bands"].push_back(impl::json_of(band));
  return json;
}

/// What is to be done.
inline io::Json json_of(const PhotonPlan& plan) {
  const bool is_sampled = plan.rules.paths == PathTreatment::sampled;
  return {{"photons", plan.photons},
          {"seed", plan.seed},
          {"engine", name_of(plan.engine)},
          {"batches", plan.batches},
          {"paths", name_of(plan.rules.paths)},
          {"points", is_sampled ? io::Json(plan.rules.points) : io::Json(nullptr)},
          {"weighting", name_of(plan.rules.weighting)}};
}

namespace impl {

inline io::Json json_of(const Estimated& estimate) {
  return {{"value", io::json_number(estimate.value)}, {"error", io::json_number(estimate.error)}};
}

inline io::Json json_of(const std::vector<Estimated>& estimates) {
  io::Json list = io::Json::array();
  for (const auto& estimate : estimates) list.push_back(json_of(estimate));
  return list;
}

inline io::Json json_of(const SinkEnergy& energy) {
  return {{"gained", json_of(energy.gained)}, {"lost", io::json_number(energy.lost)}};
}

}  // namespace impl

/// The members of EnergyBalance, an estimate as {"value", "error"}.
inline io::Json json_of(const EnergyBalance& balance) {
  io::Json elements = io::Json::array();
  for (const auto& element : balance.elements) elements.push_back(impl::json_of(element));
  return {{"photons", balance.photons},
          {"elements", std::move(elements)},
          {"medium", impl::json_of(balance.medium)},
          {"lower", impl::json_of(balance.lower)},
          {"upper", impl::json_of(balance.upper)},
          {"beam", io::json_number(balance.beam)},
          {"roulette", impl::json_of(balance.roulette)},
          {"flux", impl::json_of(balance.flux)}};
}

/// The members of BeamShares, an estimate as {"value", "error"}.
inline io::Json json_of(const BeamShares& shares) {
  return {{"reflectance", impl::json_of(shares.reflectance)},
          {"transmittance", impl::json_of(shares.transmittance)},
          {"absorptance", impl::json_of(shares.absorptance)}};
}

/// The members of RadiativeEquilibrium, an estimate as {"value", "error"}.
inline io::Json json_of(const RadiativeEquilibrium& equilibrium) {
  return {{"photons", equilibrium.photons},
          {"temperatures", impl::json_of(equilibrium.temperatures)},
          {"flux", impl::json_of(equilibrium.flux)},
          {"lower", impl::json_of(equilibrium.lower)},
          {"upper", impl::json_of(equilibrium.upper)},
          {"iterations", equilibrium.iterations}};
}

/// Counts, to go on from.
inline io::Json json_of(const PhotonCounts& counts) {
  return {{"batches", counts.batches}, {"rows", counts.rows}, {"tallies", counts.tallies}, {"units", counts.units}};
}

/// The counts that json_of(counts) has written. Throws std::invalid_argument, calling them `what`, where it has not.
inline PhotonCounts photon_counts_of_json(const io::Json& json, std::string_view what) {
  constexpr std::int64_t most = 1 << 30;
  const auto whole = [&](std::string_view name) {
    const auto value = io::json_member<std::int64_t>(json, what, name);
    if (value < 1 || value > most) {
      throw std::invalid_argument(
          fmt::format("{}: {} is {}, expected a whole number from 1 to {}", what, name, value, most));
    }
    return static_cast<int>(value);
  };
  PhotonCounts counts{whole("batches"), whole("rows"), whole("tallies"), {}};
  for (const auto& units : io::json_list(json, what, "units")) {
    if (!units.is_number_integer()) {
      throw std::invalid_argument(
          fmt::format("{}: units has {}, expected whole numbers only", what, io::in_quotes(units.dump())));
    }
    counts.units.push_back(units.get<std::int64_t>());
  }
  const auto size = static_cast<std::size_t>(counts.batches) * static_cast<std::size_t>(counts.rows) *
                    static_cast<std::size_t>(counts.tallies);
  if (counts.units.size() == size) return counts;
  throw std::invalid_argument(fmt::format("{}: units has {} numbers, expected {}", what, counts.units.size(), size));
}

}  // namespace sporos::models
