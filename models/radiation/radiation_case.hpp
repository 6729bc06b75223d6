// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/models/radiation/black_body.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

/// Radiative heat transfer between two plates, as in Lee (2012), Hybrid parallel computing strategies for scientific
/// computing applications, section 4.5.3, and M. F. Modest, Radiative Heat Transfer. Lengths are in metres,
/// temperatures in kelvin, powers in watts.
namespace sporos::models {

/// A homogeneous layer of a gray medium with refractive index 1.
struct MediumLayer {
  double thickness = 1;    ///< thickness in m
  double extinction = 1;   ///< β in 1/m: rate at which absorption and scattering weaken a ray
  double albedo = 0;       ///< ω: fraction of extinction that is scattering
  double asymmetry = 0;    ///< mean cosine g of Henyey and Greenstein's scattering angle; 0 for isotropic scattering
  double temperature = 0;  ///< temperature in K
  int slices = 1;          ///< number of slices of equal thickness

  /// Returns κ = (1 − ω) β in 1/m.
  double absorption() const { return (1 - albedo) * extinction; }
  /// Returns σₛ = ω β in 1/m.
  double scattering() const { return albedo * extinction; }
};

/// A gray plate that emits and reflects diffusely. An open side is a plate with emissivity 1 at 0 K.
struct RadiatingPlate {
  double temperature = 0;  ///< temperature in K
  double emissivity = 1;   ///< fraction of the incident energy that it absorbs
};

/// Parallel light that enters through the whole lower plate, as if the plate were transparent to it.
struct LightBeam {
  double irradiance = 0;  ///< irradiance in W per m² of the plate
  double cosine = 1;      ///< cosine of the angle between the beam and the plates' normal
};

/// Properties of medium and plates in a band of wavelengths, within which they are gray (Lee (2012), section 4.5.3.2).
struct SpectralBand {
  /// End of the band in µm; a band begins where the one before ends, the first at 0.
  double end = std::numeric_limits<double>::infinity();
  std::vector<double> extinctions;  ///< β of each layer in 1/m; if empty, the layers' own values apply
  std::vector<double> albedos;      ///< ω of each layer; if empty, the layers' own values apply
  /// Emissivities of the lower and the upper plate, which replace their own values.
  std::optional<std::array<double, 2>> emissivities;
  double irradiance = 0;  ///< irradiance of the beam in W/m²
};

/// A layered medium between two plates that is periodic sideways: a photon that leaves a period on one side enters on
/// the other. Layers are divided into slices, and slices into columns; the cells are the elements. Element (i, j) of
/// slice k has the index (k columns[1] + j) columns[0] + i.
struct RadiationCase {
  std::vector<MediumLayer> layers;        ///< layers from the lower plate to the upper
  RadiatingPlate lower;                   ///< lower plate, at height 0
  RadiatingPlate upper;                   ///< upper plate, above the last layer
  LightBeam beam;                         ///< beam into the lower side
  std::array<double, 2> widths = {1, 1};  ///< widths of the period in m, in both directions along the plates
  std::array<int, 2> columns = {1, 1};    ///< number of columns in these directions
  std::vector<double> temperatures;       ///< temperatures of the elements in K; if empty, those of the layers apply
  std::vector<SpectralBand> bands;        ///< bands from short waves to long; empty if everything is gray

  /// Number of slices of all layers.
  int slices() const {
    return std::accumulate(layers.begin(), layers.end(), 0, [](int n, const auto& layer) { return n + layer.slices; });
  }
  /// Number of elements in each slice.
  int elements_of_slice() const { return columns[0] * columns[1]; }
  /// Number of elements.
  int elements() const { return slices() * elements_of_slice(); }
  /// Area of a plate in a period in m².
  double area() const { return widths[0] * widths[1]; }
  /// Returns Σ β · thickness.
  double optical_thickness() const {
    return std::accumulate(layers.begin(), layers.end(), 0.0,
                           [](double sum, const auto& layer) { return sum + layer.extinction * layer.thickness; });
  }

  /// Returns one gray case per band, or only this case if there are no bands.
  std::vector<RadiationCase> gray_cases() const;

  /// Throws std::invalid_argument, naming the layer, plate or band, if
  /// - a thickness or width is not positive, or an extinction or a temperature is negative,
  /// - an albedo or emissivity is outside [0, 1], or an asymmetry outside (−1, 1),
  /// - a number of slices or columns is not positive,
  /// - the optical thickness exceeds `max_optical_thickness`, or the elements exceed `max_elements`,
  /// - there is not one temperature per element, or not one band property per layer,
  /// - the ends of bands do not increase, or
  /// - nothing or almost nothing absorbs, in a band if there are any, so that photons would hardly ever end.
  void check() const;
};

/// Maximum optical thickness. A photon needs as many scatterings as its square to cross the medium.
inline constexpr double max_optical_thickness = 1e4;

/// Maximum number of elements of a case.
inline constexpr int max_elements = 1 << 24;

/// Returns the power in W that leaves each source in a period: 4κσT⁴ times the volume of each element, εσT⁴ times the
/// area of the lower and the upper plate, and the power of the beam. With bands, these values are repeated for each
/// band, with the κ and ε of the band and its fraction of σT⁴.
inline std::vector<double> source_powers(const RadiationCase& radiation);

/// Returns `value(layer)` for each element, where `layer` is the layer of the element.
template <class Value>
std::vector<double> by_element(const RadiationCase& radiation, const Value& value) {
  std::vector<double> values;
  for (const auto& layer : radiation.layers) {
    const auto elements = static_cast<std::size_t>(radiation.elements_of_slice() * layer.slices);
    values.insert(values.end(), elements, value(layer));
  }
  return values;
}

/// Returns 4κ times the volume for each element, in m². The power of an element is this area times σT⁴.
inline std::vector<double> emitting_areas(const RadiationCase& radiation) {
  return by_element(radiation, [&](const MediumLayer& layer) {
    const double volume = radiation.area() / radiation.elements_of_slice() * layer.thickness / layer.slices;
    return 4 * layer.absorption() * volume;
  });
}

/// Returns the temperature of each element in K.
inline std::vector<double> element_temperatures(const RadiationCase& radiation) {
  if (!radiation.temperatures.empty()) return radiation.temperatures;
  return by_element(radiation, [](const MediumLayer& layer) { return layer.temperature; });
}

/// Returns the heights in m of the lower face of each slice, followed by that of the upper plate.
inline std::vector<double> slice_faces(const RadiationCase& radiation) {
  std::vector<double> faces{0};
  for (const auto& layer : radiation.layers) {
    const double bottom = faces.back();
    for (int i = 1; i <= layer.slices; ++i) faces.push_back(bottom + layer.thickness * i / layer.slices);
  }
  return faces;
}

namespace impl {

// Checks a length. Photons divide lengths by cosines of directions, which math::quotient supports in this range.
inline void check_length(const std::string& name, double metres) {
  check_positive(name, metres);
  sporos::impl::check_parameter(metres >= 1e-30 && metres <= 1e30, name, metres, "a length from 1e-30 to 1e30 m");
}

inline void check_layer(const MediumLayer& layer, std::size_t index) {
  const auto named = [&](const char* what) {
    return std::string(what).append(" of layer ").append(std::to_string(index + 1));
  };
  check_length(named("thickness"), layer.thickness);
  check_non_negative(named("extinction"), layer.extinction);
  sporos::impl::check_parameter(layer.albedo >= 0 && layer.albedo <= 1, named("albedo"), layer.albedo,
                                "a number from 0 to 1");
  sporos::impl::check_parameter(layer.asymmetry > -1 && layer.asymmetry < 1, named("asymmetry"), layer.asymmetry,
                                "a number between -1 and 1");
  check_non_negative(named("temperature"), layer.temperature);
  check_positive_integer(named("number of slices"), layer.slices);
}

inline void check_plate(const RadiatingPlate& plate, const std::string& name) {
  check_non_negative("temperature of the " + name, plate.temperature);
  sporos::impl::check_parameter(plate.emissivity >= 0 && plate.emissivity <= 1, "emissivity of the " + name,
                                plate.emissivity, "a number from 0 to 1");
}

inline void check_elements(const RadiationCase& radiation) {
  std::int64_t slices = 0;
  for (const auto& layer : radiation.layers) slices += layer.slices;
  double count = static_cast<double>(slices);
  for (const int columns : radiation.columns) {
    check_positive_integer("number of columns", columns);
    count *= columns;
  }
  sporos::impl::check_parameter(count <= max_elements, "number of elements", count,
                                std::string("at most ").append(std::to_string(max_elements)));
  const auto& temperatures = radiation.temperatures;
  if (!temperatures.empty() && static_cast<double>(temperatures.size()) != count) {
    sporos::impl::refuse_parameter("number of temperatures", std::to_string(temperatures.size()),
                                   "one for each element, " + std::to_string(static_cast<std::int64_t>(count)));
  }
  for (std::size_t i = 0; i < temperatures.size(); ++i) {
    check_non_negative(std::string("temperature of element ").append(std::to_string(i)), temperatures[i]);
  }
}

/// Returns the largest absorption: at a plate, or of a photon that crosses the medium once.
inline double largest_absorption(const RadiationCase& radiation) {
  double medium = 0;
  for (const auto& layer : radiation.layers) medium += layer.absorption() * layer.thickness;
  return std::max({medium, radiation.lower.emissivity, radiation.upper.emissivity});
}

inline void check_photons_end(const RadiationCase& radiation) {
  constexpr double least = 1e-6;
  const double absorbed = largest_absorption(radiation);
  if (absorbed >= least) return;
  if (absorbed > 0) {
    sporos::impl::refuse_parameter("largest absorption of medium and plates", sporos::impl::number_text(absorbed),
                                   "at least 1e-06; otherwise photons are hardly ever absorbed");
  }
  throw std::invalid_argument(
      "nothing absorbs photons: no layer has an albedo below 1 and an extinction above 0, and both plates have "
      "emissivity 0, expected at least one absorbing layer or plate");
}

inline void check_size(const std::vector<double>& values, std::size_t layers, const char* what) {
  if (values.empty() || values.size() == layers) return;
  sporos::impl::refuse_parameter(std::string("number of ") + what, std::to_string(values.size()),
                                 "one for each layer, " + std::to_string(layers));
}

inline void check_bands(const RadiationCase& radiation) {
  const std::vector<SpectralBand>& bands = radiation.bands;
  const double elements = static_cast<double>(radiation.elements()) * static_cast<double>(bands.size());
  sporos::impl::check_parameter(elements <= max_elements, "number of elements in all bands", elements,
                                std::string("at most ").append(std::to_string(max_elements)));
  double before = 0;
  for (std::size_t b = 0; b < bands.size(); ++b) {
    const bool is_last = b + 1 == bands.size();
    sporos::impl::check_parameter(
        is_last ? std::isinf(bands[b].end) : bands[b].end > before && std::isfinite(bands[b].end),
        "end of band " + std::to_string(b + 1), bands[b].end,
        is_last ? "no end of the last band" : "a finite wavelength above " + sporos::impl::number_text(before));
    check_size(bands[b].extinctions, radiation.layers.size(), "extinctions of a band");
    check_size(bands[b].albedos, radiation.layers.size(), "albedos of a band");
    before = bands[b].end;
  }
  if (bands.empty() || radiation.beam.irradiance == 0) return;
  sporos::impl::refuse_parameter("irradiance of the beam", sporos::impl::number_text(radiation.beam.irradiance),
                                 "0 in a case with bands, which have separate irradiances");
}

}  // namespace impl

inline std::vector<RadiationCase> RadiationCase::gray_cases() const {
  if (bands.empty()) return {*this};
  std::vector<RadiationCase> cases;
  for (const SpectralBand& band : bands) {
    RadiationCase& gray = cases.emplace_back(*this);
    gray.bands.clear();
    for (std::size_t i = 0; i < band.extinctions.size(); ++i) gray.layers[i].extinction = band.extinctions[i];
    for (std::size_t i = 0; i < band.albedos.size(); ++i) gray.layers[i].albedo = band.albedos[i];
    if (band.emissivities) gray.lower.emissivity = (*band.emissivities)[0];
    if (band.emissivities) gray.upper.emissivity = (*band.emissivities)[1];
    gray.beam.irradiance = band.irradiance;
  }
  return cases;
}

inline void RadiationCase::check() const {
  if (!bands.empty()) {
    impl::check_elements(*this);
    impl::check_bands(*this);
    const std::vector<RadiationCase> cases = gray_cases();
    for (std::size_t b = 0; b < cases.size(); ++b) {
      try {
        cases[b].check();
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument("band " + std::to_string(b + 1) + ": " + error.what());
      }
    }
    return;
  }
  if (layers.empty()) throw std::invalid_argument("number of layers is 0, expected at least 1");
  for (std::size_t i = 0; i < layers.size(); ++i) impl::check_layer(layers[i], i);
  impl::check_plate(lower, "lower plate");
  impl::check_plate(upper, "upper plate");
  check_non_negative("irradiance of the beam", beam.irradiance);
  sporos::impl::check_parameter(beam.cosine >= 1e-6 && beam.cosine <= 1, "cosine of the beam", beam.cosine,
                                "a number from 1e-06 to 1");
  for (const double width : widths) impl::check_length("width", width);
  impl::check_elements(*this);
  sporos::impl::check_parameter(optical_thickness() <= max_optical_thickness, "optical thickness", optical_thickness(),
                                "at most " + sporos::impl::number_text(max_optical_thickness));
  impl::check_photons_end(*this);
}

namespace impl {

/// Source powers of a gray case whose bodies would emit `emitted(temperature)` W/m² if they were black.
template <class Emitted>
std::vector<double> source_powers(const RadiationCase& radiation, const Emitted& emitted) {
  std::vector<double> powers = emitting_areas(radiation);
  const auto temperatures = element_temperatures(radiation);
  for (std::size_t i = 0; i < powers.size(); ++i) powers[i] *= emitted(temperatures[i]);
  for (const auto& plate : {radiation.lower, radiation.upper}) {
    powers.push_back(plate.emissivity * radiation.area() * emitted(plate.temperature));
  }
  powers.push_back(radiation.beam.irradiance * radiation.area());
  return powers;
}

}  // namespace impl

inline std::vector<double> source_powers(const RadiationCase& radiation) {
  if (radiation.bands.empty()) return impl::source_powers(radiation, black_power);
  std::vector<double> powers;
  const std::vector<RadiationCase> cases = radiation.gray_cases();
  double begin = 0;
  for (std::size_t b = 0; b < cases.size(); ++b) {
    const double end = radiation.bands[b].end;
    const auto emitted = [&](double temperature) {
      return black_power(temperature) * (black_share(end, temperature) - black_share(begin, temperature));
    };
    const std::vector<double> of_band = impl::source_powers(cases[b], emitted);
    powers.insert(powers.end(), of_band.begin(), of_band.end());
    begin = end;
  }
  return powers;
}

}  // namespace sporos::models
