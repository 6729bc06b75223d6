// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>
#include <sporos/models/radiation/photon_tallies.hpp>
#include <sporos/models/radiation/radiation_case.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

/// Cases and photon counts as JSON. Identical values always yield identical bytes.
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

/// Returns a case as JSON in the format of read_radiation_case. All members are written, for bands only those that are
/// set.
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

/// Returns counts as JSON, from which a trace can resume.
inline io::Json json_of(const PhotonCounts& counts) {
  return {{"batches", counts.batches}, {"rows", counts.rows}, {"tallies", counts.tallies}, {"units", counts.units}};
}

/// Reads the counts that json_of(counts) has written. Throws std::invalid_argument, in which `what` names them, if
/// `json` is invalid.
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
