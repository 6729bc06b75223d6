// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/picture_parts.hpp>
#include <sporos/models/radiation/energy_balance.hpp>
#include <sporos/models/radiation/equilibrium.hpp>
#include <sporos/models/radiation/radiation_case.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace sporos::models {

/// Maximum number of elements in a picture.
inline constexpr int most_drawn_elements = 20'000;

/// Returns a script for io::PictureFile that draws the temperatures of all elements between the plates. Vertical bars
/// are one standard error each way; horizontal bars span the element's slice. `name` is the name of the case.
inline std::string temperature_picture(const RadiationCase& radiation, const RadiativeEquilibrium& equilibrium,
                                       const std::string& name);

/// Returns a script that draws the net power gained per cubic metre by the elements, and below it the flux through all
/// faces.
inline std::string energy_picture(const RadiationCase& radiation, const EnergyBalance& balance,
                                  const std::string& name);

namespace impl {

/// A point of a picture: an estimate between two heights.
struct DrawnEstimate {
  double low, high;  // heights in m
  Estimated estimate;
};

/// Returns the data block `$name` of the points: height, value, low and high height, low and high value.
inline std::string drawn_data(const char* name, const std::vector<DrawnEstimate>& points) {
  std::string text = fmt::format("${} << END\n", name);
  for (const auto& [low, high, estimate] : points) {
    const auto& [value, error] = estimate;
    if (!std::isfinite(value)) continue;
    text += fmt::format("{:.9g} {:.9g} {:.9g} {:.9g} {:.9g} {:.9g}\n", 0.5 * (low + high), value, low, high,
                        value - error, value + error);
  }
  return text + "END\n";
}

/// Returns `estimate(element)` of each element, located at its slice.
template <class Estimate>
std::vector<DrawnEstimate> drawn_elements(const RadiationCase& radiation, const Estimate& estimate) {
  const auto faces = slice_faces(radiation);
  const auto of_slice = static_cast<std::size_t>(radiation.elements_of_slice());
  std::vector<DrawnEstimate> points;
  for (std::size_t i = 0; i < static_cast<std::size_t>(radiation.elements()); ++i) {
    points.push_back({faces[i / of_slice], faces[i / of_slice + 1], estimate(i)});
  }
  return points;
}

/// Returns the largest standard error, to report errors too small to be visible.
inline double largest_error(const std::vector<DrawnEstimate>& points) {
  double largest = 0;
  for (const auto& point : points) {
    if (std::isfinite(point.estimate.error)) largest = std::max(largest, point.estimate.error);
  }
  return largest;
}

/// A unit of power for axes.
struct PowerUnit {
  double watts;
  const char* name;
};

/// Scales the points to the largest unit in which the largest of them is at least 1, and returns that unit.
inline PowerUnit scale_powers(std::vector<DrawnEstimate>& points) {
  double greatest = 0;
  for (const auto& point : points) greatest = std::max(greatest, std::abs(point.estimate.value));
  PowerUnit unit{1, "W"};
  for (const PowerUnit& larger : {PowerUnit{1e3, "kW"}, PowerUnit{1e6, "MW"}}) {
    if (greatest >= larger.watts) unit = larger;
  }
  for (auto& [low, high, estimate] : points) estimate = {estimate.value / unit.watts, estimate.error / unit.watts};
  return unit;
}

/// Returns the start of a script for a picture of radiation.
inline std::string radiation_frame(const RadiationCase& radiation, const std::string& name, const std::string& more) {
  const double height = slice_faces(radiation).back();
  return io::quiet_axes() + io::picture_title(name, more, 0.11) +
         fmt::format("set xrange [{}:{}]\n", -0.03 * height, 1.03 * height) +
         "set lmargin at screen 0.11\nset rmargin at screen 0.97\nset bars 0\n"
         "set style line 1 linecolor rgb '#0072B2' linewidth 1.7 pointtype 7 pointsize 0.5\n"
         "set style line 2 linecolor rgb '#D55E00' linewidth 1.7 pointtype 5 pointsize 1.1\n";
}

/// Returns axes between these fractions of the picture's height. Only the lowest axes are labelled with the height.
inline std::string radiation_axes(double bottom, double top, const std::string& quantity, bool is_lowest = true) {
  return fmt::format("set bmargin at screen {}\nset tmargin at screen {}\nset ylabel '{}'\nset xlabel '{}'\n", bottom,
                     top, quantity, is_lowest ? "height above the lower plate in m" : "");
}

inline std::string element_count(const RadiationCase& radiation) {
  return fmt::format("{} element{}, optical thickness {:.4g}", radiation.elements(),
                     radiation.elements() == 1 ? "" : "s", radiation.optical_thickness());
}

}  // namespace impl

inline std::string temperature_picture(const RadiationCase& radiation, const RadiativeEquilibrium& equilibrium,
                                       const std::string& name) {
  const auto points = impl::drawn_elements(radiation, [&](std::size_t i) { return equilibrium.temperatures[i]; });
  const double height = slice_faces(radiation).back();
  const std::vector<impl::DrawnEstimate> plates{{0, 0, {radiation.lower.temperature, 0}},
                                                {height, height, {radiation.upper.temperature, 0}}};
  const std::string more =
      fmt::format("{}, {} photons; vertical bars: standard error, at most {:.2g} K; squares: plates",
                  impl::element_count(radiation), equilibrium.photons, impl::largest_error(points));
  return impl::radiation_frame(radiation, "Temperatures at radiative equilibrium, " + name, more) +
         impl::radiation_axes(0.13, 0.86, "temperature in K") + impl::drawn_data("elements", points) +
         impl::drawn_data("plates", plates) +
         "plot $elements using 1:2:3:4:5:6 with xyerrorbars linestyle 1, $plates using 1:2 with points linestyle 2\n";
}

inline std::string energy_picture(const RadiationCase& radiation, const EnergyBalance& balance,
                                  const std::string& name) {
  const auto faces = slice_faces(radiation);
  auto points = impl::drawn_elements(radiation, [&](std::size_t i) {
    const auto& [gained, lost] = balance.elements[i];
    return Estimated{gained.value - lost, gained.error};
  });
  const double base = radiation.area() / radiation.elements_of_slice();
  for (auto& [low, high, estimate] : points) {
    estimate.value /= base * (high - low);
    estimate.error /= base * (high - low);
  }
  std::vector<impl::DrawnEstimate> fluxes;
  for (std::size_t i = 0; i < faces.size(); ++i) fluxes.push_back({faces[i], faces[i], balance.flux[i]});
  const auto unit = impl::scale_powers(points), flux_unit = impl::scale_powers(fluxes);
  const std::string more =
      fmt::format("{}, {} photons; vertical bars: standard error, at most {:.3g} {}/m³, {:.3g} {}/m²",
                  impl::element_count(radiation), balance.photons, impl::largest_error(points), unit.name,
                  impl::largest_error(fluxes), flux_unit.name);
  return impl::radiation_frame(radiation, "Energy between plates, " + name, more) +
         impl::drawn_data("elements", points) + impl::drawn_data("fluxes", fluxes) +
         "set xzeroaxis linetype 1 linecolor rgb '#707070' linewidth 1\nset multiplot\n" +
         impl::radiation_axes(0.52, 0.86, fmt::format("net gain in {}/m³", unit.name), false) +
         "plot $elements using 1:2:3:4:5:6 with xyerrorbars linestyle 1\nunset label\n" +
         impl::radiation_axes(0.13, 0.45, fmt::format("upward flux in {}/m²", flux_unit.name)) +
         "plot $fluxes using 1:2:5:6 with yerrorbars linestyle 1\nunset multiplot\n";
}

}  // namespace sporos::models
