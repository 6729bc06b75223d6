// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_members.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/models/radiation/energy_balance.hpp>
#include <sporos/models/radiation/equilibrium.hpp>
#include <sporos/models/radiation/radiation_case.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Cases of radiation from JSON files, and results by element as CSV. Errors in a case are one-line messages that name
/// the file and the member.
namespace sporos::models {

/// Reads a case from a JSON file, such as
///
///     {"layers": [{"thickness": 1, "extinction": 2, "albedo": 0.5, "asymmetry": 0.8, "temperature": 900, "slices":
///     20}],
///      "lower": {"temperature": 1200, "emissivity": 0.9},
///      "upper": {"temperature": 300, "emissivity": 1},
///      "beam": {"irradiance": 5000, "cosine": 1},
///      "widths": [1, 1], "columns": [1, 1]}
///
/// Members and units are those of RadiationCase and its parts, including `temperatures` and `bands`, such as
///
///     "bands": [{"end": 4, "extinctions": [0.5], "emissivities": [0.9, 0.4]}, {"extinctions": [5]}]
///
/// Only `layers` is required, with `thickness` and `extinction` of each layer; the other members have defaults.
///
/// @throws std::invalid_argument if the file cannot be read or is not JSON, if a member is unknown, missing or of the
/// wrong type, or if the case is invalid (see RadiationCase::check).
inline RadiationCase read_radiation_case(const std::string& path);

/// Parses a case from the JSON string `text`. `path` names the source in error messages. Throws like
/// read_radiation_case.
inline RadiationCase radiation_case_of_json(const std::string& path, std::string_view text);

/// Returns the energy balance as CSV with one row per element:
/// - `x`, `y`: column indices along the plates; `slice`: index of the slice; `bottom`, `top`: its heights in m
/// - `temperature` in K; `gained`, `gained_error` (standard error), `lost` and `net` in W
/// - `flux` and `flux_error` in W/m², upwards through the lower face of the element's slice
///
/// Two more rows are for the plates, with slice "lower" or "upper" and the flux into or out of the plate. Numbers are
/// written without loss of bits.
inline std::string energy_text(const RadiationCase& radiation, const EnergyBalance& balance);

/// Returns the temperatures as CSV with one row per element, located as in energy_text. `temperature` and
/// `temperature_error` (standard error) are in K; both are empty if the element has no temperature.
inline std::string temperatures_text(const RadiationCase& radiation, const RadiativeEquilibrium& equilibrium);

namespace impl {

/// Members of a JSON object that is part of a case.
class CaseMembers {
 public:
  /// Throws std::invalid_argument if `json` is not an object or has a member not listed in `names`.
  CaseMembers(const io::Json& json, std::string what, std::initializer_list<std::string_view> names)
      : m_json(json), m_what(std::move(what)) {
    io::check_json_members(json, m_what, names);
  }

  const io::Json& json() const { return m_json; }
  const std::string& what() const { return m_what; }
  bool has(std::string_view name) const { return m_json.contains(name); }
  std::string part(std::string_view name) const { return fmt::format("{}: {}", m_what, name); }

  /// Sets `value` to the member if it exists.
  void read(std::string_view name, double& value) const {
    if (has(name)) value = io::json_member<double>(m_json, m_what, name);
  }
  void read(std::string_view name, int& value) const {
    if (has(name)) value = whole(io::json_member<std::int64_t>(m_json, m_what, name), name);
  }
  void read(std::string_view name, std::vector<double>& values) const {
    if (has(name)) values = io::json_numbers(m_json, m_what, name);
  }
  /// Reads one number for each direction along the plates.
  template <class Number>
  void read(std::string_view name, std::array<Number, 2>& values) const {
    if (!has(name)) return;
    const auto numbers = io::json_numbers(m_json, m_what, name);
    if (numbers.size() != 2) {
      throw io::JsonError(m_json.at(std::string(name)), fmt::format("{} has {} number{}, expected 2", part(name),
                                                                    numbers.size(), numbers.size() == 1 ? "" : "s"));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if constexpr (std::same_as<Number, int>) {
        values[i] = whole(numbers[i], name);
      } else {
        values[i] = numbers[i];
      }
    }
  }

 private:
  template <class Number>
  int whole(Number number, std::string_view name) const {
    if (number >= 1 && number <= Number{max_elements} && number == std::floor(number)) return static_cast<int>(number);
    throw io::JsonError(m_json.at(std::string(name)), fmt::format("{} is {}, expected a whole number from 1 to {}",
                                                                  part(name), number, max_elements));
  }

  const io::Json& m_json;
  std::string m_what;
};

inline MediumLayer layer_of_json(const io::Json& json, const std::string& what) {
  const CaseMembers members(json, what, {"thickness", "extinction", "albedo", "asymmetry", "temperature", "slices"});
  MediumLayer layer;
  layer.thickness = io::json_member<double>(json, what, "thickness");
  layer.extinction = io::json_member<double>(json, what, "extinction");
  members.read("albedo", layer.albedo);
  members.read("asymmetry", layer.asymmetry);
  members.read("temperature", layer.temperature);
  members.read("slices", layer.slices);
  return layer;
}

inline RadiatingPlate plate_of_json(const CaseMembers& radiation, std::string_view name) {
  RadiatingPlate plate;
  if (!radiation.has(name)) return plate;
  const io::Json& json = io::json_member<io::Json>(radiation.json(), radiation.what(), name);
  const CaseMembers members(json, radiation.part(name), {"temperature", "emissivity"});
  members.read("temperature", plate.temperature);
  members.read("emissivity", plate.emissivity);
  return plate;
}

inline SpectralBand band_of_json(const io::Json& json, const std::string& what) {
  const CaseMembers members(json, what, {"end", "extinctions", "albedos", "emissivities", "irradiance"});
  SpectralBand band;
  members.read("end", band.end);
  members.read("extinctions", band.extinctions);
  members.read("albedos", band.albedos);
  if (members.has("emissivities")) members.read("emissivities", band.emissivities.emplace());
  members.read("irradiance", band.irradiance);
  return band;
}

inline LightBeam beam_of_json(const CaseMembers& radiation) {
  LightBeam beam;
  if (!radiation.has("beam")) return beam;
  const io::Json& json = io::json_member<io::Json>(radiation.json(), radiation.what(), "beam");
  const CaseMembers members(json, radiation.part("beam"), {"irradiance", "cosine"});
  members.read("irradiance", beam.irradiance);
  members.read("cosine", beam.cosine);
  return beam;
}

/// Calls `row(element, fields)` for each element with the fields that locate it.
template <class Row>
void for_each_element(const RadiationCase& radiation, const Row& row) {
  const auto faces = slice_faces(radiation);
  std::size_t element = 0;
  for (std::size_t slice = 0; slice + 1 < faces.size(); ++slice) {
    for (int y = 0; y < radiation.columns[1]; ++y) {
      for (int x = 0; x < radiation.columns[0]; ++x) {
        row(element++, std::vector<std::string>{std::to_string(x), std::to_string(y), std::to_string(slice),
                                                io::shortest_text(faces[slice]), io::shortest_text(faces[slice + 1])});
      }
    }
  }
}

inline void append_energy_row(std::string& text, std::vector<std::string> fields, double temperature,
                              const SinkEnergy& energy, const Estimated& flux) {
  const auto& [gained, error] = energy.gained;
  for (const double value : {temperature, gained, error, energy.lost, gained - energy.lost, flux.value, flux.error}) {
    fields.push_back(io::shortest_text(value));
  }
  io::append_csv_row(text, fields);
}

}  // namespace impl

namespace impl {

inline RadiationCase radiation_case_of_json(const io::Json& json, const std::string& path) {
  const CaseMembers members(json, path,
                            {"layers", "lower", "upper", "beam", "widths", "columns", "temperatures", "bands"});
  RadiationCase radiation;
  for (const auto& layer : io::json_list(json, path, "layers")) {
    const std::string what = members.part(fmt::format("layer {}", radiation.layers.size() + 1));
    radiation.layers.push_back(layer_of_json(layer, what));
  }
  radiation.lower = plate_of_json(members, "lower");
  radiation.upper = plate_of_json(members, "upper");
  radiation.beam = beam_of_json(members);
  members.read("widths", radiation.widths);
  members.read("columns", radiation.columns);
  members.read("temperatures", radiation.temperatures);
  if (members.has("bands")) {
    for (const auto& band : io::json_list(json, path, "bands")) {
      const std::string what = members.part(fmt::format("band {}", radiation.bands.size() + 1));
      radiation.bands.push_back(band_of_json(band, what));
    }
  }
  try {
    radiation.check();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", path, error.what()));
  }
  return radiation;
}

}  // namespace impl

inline RadiationCase radiation_case_of_json(const std::string& path, std::string_view text) {
  return io::JsonText(path, std::string(text)).read([](const io::Json& json, const std::string& what) {
    return impl::radiation_case_of_json(json, what);
  });
}

inline RadiationCase read_radiation_case(const std::string& path) {
  return radiation_case_of_json(path, io::read_text_file(path));
}

inline std::string energy_text(const RadiationCase& radiation, const EnergyBalance& balance) {
  std::string text = "x,y,slice,bottom,top,temperature,gained,gained_error,lost,net,flux,flux_error\n";
  const auto temperatures = element_temperatures(radiation);
  impl::for_each_element(radiation, [&](std::size_t element, const std::vector<std::string>& place) {
    const std::size_t slice = element / static_cast<std::size_t>(radiation.elements_of_slice());
    impl::append_energy_row(text, place, temperatures[element], balance.elements[element], balance.flux[slice]);
  });
  const std::string top = io::shortest_text(slice_faces(radiation).back());
  impl::append_energy_row(text, {"", "", "lower", "0", "0"}, radiation.lower.temperature, balance.lower,
                          balance.flux.front());
  impl::append_energy_row(text, {"", "", "upper", top, top}, radiation.upper.temperature, balance.upper,
                          balance.flux.back());
  return text;
}

inline std::string temperatures_text(const RadiationCase& radiation, const RadiativeEquilibrium& equilibrium) {
  std::string text = "x,y,slice,bottom,top,temperature,temperature_error\n";
  impl::for_each_element(radiation, [&](std::size_t element, std::vector<std::string> fields) {
    const auto& [temperature, error] = equilibrium.temperatures[element];
    const bool has_one = std::isfinite(temperature);
    fields.push_back(has_one ? io::shortest_text(temperature) : "");
    fields.push_back(has_one ? io::shortest_text(error) : "");
    io::append_csv_row(text, fields);
  });
  return text;
}

}  // namespace sporos::models
