// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/radiation/report.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/models/radiation/beam_shares.hpp>
#include <sporos/models/radiation/radiation_files.hpp>
#include <sporos/models/radiation/radiation_json.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;
using models::Estimated, models::RadiationCase, models::SinkEnergy;

// The most elements that a table shows.
constexpr std::size_t most_shown = 50;

std::string plate_text(const models::RadiatingPlate& plate) {
  return fmt::format("{:g} K with emissivity {:g}", plate.temperature, plate.emissivity);
}

std::string bands_of(const RadiationCase& radiation) {
  io::Table table({{"band, up to [µm]", Column::number},
                   {"optical thickness", Column::number},
                   {"emissivity below", Column::number},
                   {"above", Column::number},
                   {"beam [W/m²]", Column::number}});
  const std::vector<RadiationCase> cases = radiation.gray_cases();
  for (std::size_t b = 0; b < cases.size(); ++b) {
    const auto number = [](double value) { return fmt::format("{:.6g}", value); };
    table.add_row({number(radiation.bands[b].end), number(cases[b].optical_thickness()),
                   number(cases[b].lower.emissivity), number(cases[b].upper.emissivity),
                   number(cases[b].beam.irradiance)});
  }
  return table.text();
}

std::string title_of(const RadiationReport& report) {
  const RadiationCase& radiation = report.radiation;
  std::string text =
      fmt::format("radiation in {}: {} in {}", report.path, plural(radiation.elements(), "element", "elements"),
                  plural(static_cast<std::int64_t>(radiation.layers.size()), "layer", "layers"));
  if (radiation.bands.empty()) {
    text += fmt::format(", optical thickness {:.6g}\nplates: {} below, {} above\n", radiation.optical_thickness(),
                        plate_text(radiation.lower), plate_text(radiation.upper));
  } else {
    text +=
        fmt::format("\nplates: {:g} K below, {:g} K above\n", radiation.lower.temperature, radiation.upper.temperature);
  }
  if (!radiation.bands.empty()) text += bands_of(radiation);
  if (radiation.beam.irradiance > 0) {
    text += fmt::format("a beam of {:.6g} W/m² from below, cosine {:g}\n", radiation.beam.irradiance,
                        radiation.beam.cosine);
  }
  return text;
}

std::string plan_of(const models::PhotonPlan& plan, std::int64_t photons) {
  std::string paths = std::string(name_of(plan.rules.paths)) + " paths";
  if (plan.rules.paths == models::PathTreatment::sampled)
    paths += " of " + plural(plan.rules.points, "point", "points");
  return fmt::format("{}, {}, {}, {} batches, seed {}, {}\n", plural(photons, "photon", "photons"),
                     name_of(plan.rules.weighting), paths, plan.batches, plan.seed, name_of(plan.engine));
}

// Estimates with their errors, one above the other; empty where there is none.
std::vector<std::string> with_errors(const std::vector<Estimated>& estimates) {
  std::vector<std::string> values, errors;
  for (const auto& [value, error] : estimates) {
    values.push_back(std::isfinite(value) ? io::text_to_precision(value, error) : "");
    errors.push_back(error > 0 ? io::text_to_precision(error, error) : "");
  }
  values = lined_up(std::move(values));
  const auto aligned = lined_up(errors);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!errors[i].empty()) values[i] += " ± " + aligned[i];
  }
  return values;
}

std::string with_error(const Estimated& estimate) { return with_errors({estimate}).front(); }

// The places of lower plate, elements and upper plate, from below: the first columns of a table.
class Places {
 public:
  explicit Places(const RadiationCase& radiation)
      : m_radiation(radiation),
        m_faces(slice_faces(radiation)),
        m_shown(std::min(static_cast<std::size_t>(radiation.elements()), most_shown)) {}

  std::size_t shown() const { return m_shown; }

  std::vector<std::pair<std::string, Column>> columns() const {
    return {{"", Column::text}, {"from [m]", Column::number}, {"to [m]", Column::number}};
  }

  // Of row 0, the lower plate, up to shown() + 1, the upper one.
  std::vector<std::string> fields(std::size_t row) const {
    const auto height = [](double value) { return fmt::format("{:.6g}", value); };
    if (row == 0) return {"lower plate", height(0), height(0)};
    if (row > m_shown) return {"upper plate", height(m_faces.back()), height(m_faces.back())};
    const auto of_slice = static_cast<std::size_t>(m_radiation.elements_of_slice());
    const std::size_t element = row - 1, slice = element / of_slice, column = element % of_slice;
    const auto columns = static_cast<std::size_t>(m_radiation.columns[0]);
    std::string name = fmt::format("slice {}", slice);
    if (of_slice > 1) name += fmt::format(", column ({}, {})", column % columns, column / columns);
    return {name, height(m_faces[slice]), height(m_faces[slice + 1])};
  }

  std::string note() const {
    const auto left = m_radiation.elements() - static_cast<std::int64_t>(m_shown);
    return left > 0
               ? plural(left, "more element: --profile FILE writes it\n", "more elements: --profile FILE writes all\n")
               : "";
  }

 private:
  const RadiationCase& m_radiation;
  std::vector<double> m_faces;
  std::size_t m_shown;
};

// A value of lower plate, the shown elements and upper plate.
template <class Value>
std::vector<Value> from_below(const Value& lower, const std::vector<Value>& elements, const Value& upper,
                              std::size_t shown) {
  std::vector<Value> values{lower};
  values.insert(values.end(), elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(shown));
  values.push_back(upper);
  return values;
}

std::string table_of_energies(const RadiationCase& radiation, const models::EnergyBalance& balance) {
  const Places places(radiation);
  const auto energies = from_below(balance.lower, balance.elements, balance.upper, places.shown());
  const auto temperatures = from_below(radiation.lower.temperature, element_temperatures(radiation),
                                       radiation.upper.temperature, places.shown());
  std::vector<Estimated> gains, nets;
  for (const SinkEnergy& energy : energies) {
    gains.push_back(energy.gained);
    nets.push_back({energy.gained.value - energy.lost, energy.gained.error});
  }
  const auto gained = with_errors(gains), net = with_errors(nets);
  auto columns = places.columns();
  for (const char* name : {"temperature [K]", "lost [W]"}) columns.emplace_back(name, Column::number);
  for (const char* name : {"gained [W]", "net [W]"}) columns.emplace_back(name, Column::text);
  io::Table table(std::move(columns));
  for (std::size_t row = 0; row < energies.size(); ++row) {
    auto fields = places.fields(row);
    fields.push_back(fmt::format("{:.6g}", temperatures[row]));
    fields.push_back(fmt::format("{:.6g}", energies[row].lost));
    fields.push_back(gained[row]);
    fields.push_back(net[row]);
    table.add_row(std::move(fields));
  }
  return table.text() + places.note();
}

std::string summary_of(const RadiationCase& radiation, const models::EnergyBalance& balance) {
  io::Table table({{"upwards flux", Column::text}, {"W/m²", Column::text}});
  const auto fluxes = with_errors({balance.flux.front(), balance.flux.back()});
  table.add_row({"past the lower plate", fluxes[0]});
  table.add_row({"past the upper plate", fluxes[1]});
  std::string text = table.text();
  if (const auto shares = beam_shares(radiation, balance)) {
    io::Table of_beam({{"share of the beam", Column::text}, {"", Column::text}});
    const auto values = with_errors({shares->reflectance, shares->transmittance, shares->absorptance});
    of_beam.add_row({"reflectance", values[0]});
    of_beam.add_row({"transmittance", values[1]});
    of_beam.add_row({"absorptance", values[2]});
    text += "\n" + of_beam.text();
  }
  return text;
}

std::string text_of_result(const RadiationReport& report, const models::EnergyBalance& balance) {
  return fmt::format("{}energy at the given temperatures, in a period of {:g} m x {:g} m\n\n{}\n{}",
                     plan_of(report.plan.photons, balance.photons), report.radiation.widths[0],
                     report.radiation.widths[1], table_of_energies(report.radiation, balance),
                     summary_of(report.radiation, balance));
}

std::string table_of_temperatures(const RadiationCase& radiation, const models::RadiativeEquilibrium& equilibrium) {
  const Places places(radiation);
  const auto temperatures = with_errors(from_below({radiation.lower.temperature, 0}, equilibrium.temperatures,
                                                   {radiation.upper.temperature, 0}, places.shown()));
  auto columns = places.columns();
  columns.emplace_back("temperature [K]", Column::text);
  io::Table table(std::move(columns));
  for (std::size_t row = 0; row < temperatures.size(); ++row) {
    auto fields = places.fields(row);
    fields.push_back(temperatures[row]);
    table.add_row(std::move(fields));
  }
  return table.text() + places.note();
}

// The flux over that between black plates with nothing between them, where only they send out energy.
std::string dimensionless(const RadiationCase& radiation, const Estimated& flux) {
  const double most =
      models::black_power(radiation.lower.temperature) - models::black_power(radiation.upper.temperature);
  if (most == 0 || radiation.beam.irradiance > 0) return "";
  return fmt::format("over σT⁴ of the plates, lower less upper: {}\n",
                     with_error({flux.value / most, flux.error / std::abs(most)}));
}

std::string text_of_result(const RadiationReport& report, const models::RadiativeEquilibrium& equilibrium) {
  return fmt::format("{}temperatures at radiative equilibrium, settled in {}\n\n{}\nupwards flux: {} W/m²\n{}",
                     plan_of(report.plan.photons, equilibrium.photons),
                     plural(equilibrium.iterations, "iteration", "iterations"),
                     table_of_temperatures(report.radiation, equilibrium), with_error(equilibrium.flux),
                     dimensionless(report.radiation, equilibrium.flux));
}

void add_result(io::Json& json, const RadiationReport& report, const models::EnergyBalance& balance) {
  json["balance"] = models::json_of(balance);
  if (const auto shares = beam_shares(report.radiation, balance)) json["beam_shares"] = models::json_of(*shares);
}

void add_result(io::Json& json, const RadiationReport& report, const models::RadiativeEquilibrium& equilibrium) {
  json["tolerance"] = report.plan.equilibrium.tolerance;
  json["equilibrium"] = models::json_of(equilibrium);
}

std::string profile_of(const models::RadiationCase& radiation, const models::EnergyBalance& balance) {
  return energy_text(radiation, balance);
}

std::string profile_of(const models::RadiationCase& radiation, const models::RadiativeEquilibrium& equilibrium) {
  return temperatures_text(radiation, equilibrium);
}

}  // namespace

std::string table_of(const RadiationReport& report) {
  return fmt::format("{}{}\n±: standard error\n{} on {}\n", title_of(report),
                     std::visit([&](const auto& result) { return text_of_result(report, result); }, report.result),
                     duration_text(report.seconds), text_of(report.machine));
}

std::string json_of(const RadiationReport& report) {
  const RadiationPlan& plan = report.plan;
  io::Json json{{"sporos", SPOROS_VERSION},
                {"file", report.path},
                {"case", models::json_of(report.radiation)},
                {"question", name_of(plan.question)},
                {"plan", models::json_of(plan.photons)},
                {"precision", plan.precision ? io::Json(*plan.precision) : io::Json(nullptr)}};
  std::visit([&](const auto& result) { add_result(json, report, result); }, report.result);
  json["run"] = {{"seconds", io::json_number(report.seconds)}, {"machine", json_of(report.machine)}};
  return json_text(json);
}

std::string csv_of(const RadiationReport& report) {
  return std::visit([&](const auto& result) { return profile_of(report.radiation, result); }, report.result);
}

}  // namespace sporos::runtime
