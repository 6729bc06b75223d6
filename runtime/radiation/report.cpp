// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/radiation/radiation.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/models/radiation/beam_shares.hpp>
#include <sporos/models/radiation/radiation_files.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sporos::runtime {

namespace {

using models::EnergyBalance, models::Estimated, models::RadiationCase, models::RadiativeEquilibrium, models::SinkEnergy;

using Row = std::vector<ResultValue>;

std::int64_t count(auto value) { return static_cast<std::int64_t>(value); }

// Describes the case by its plates, its beam and its period.
ResultSubject subject_of(const RadiationReport& report) {
  const RadiationCase& radiation = report.radiation;
  ResultSubject subject{report.path, "radiation between two plates"};
  const auto add = [&](std::string name, const ResultValue& value, const char* unit, const char* meaning) {
    subject.parameters.push_back({std::move(name), value, people_text(value, ValueKind::number), unit, meaning});
  };
  for (const auto& [name, plate] : {std::pair("lower", radiation.lower), std::pair("upper", radiation.upper)}) {
    add(fmt::format("{}_temperature", name), plate.temperature, "K", "temperature of the plate");
    add(fmt::format("{}_emissivity", name), plate.emissivity, "", "share of radiation that the plate absorbs");
  }
  if (radiation.beam.irradiance > 0 || !radiation.bands.empty()) {
    add("irradiance", radiation.beam.irradiance, "W/m²", "power of the beam from below");
    add("cosine", radiation.beam.cosine, "", "cosine of the angle between the beam and the normal");
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const char* const direction = i == 0 ? "x" : "y";
    add(fmt::format("width_{}", direction), radiation.widths[i], "m", "width of the period");
    add(fmt::format("columns_{}", direction), count(radiation.columns[i]), "", "elements across the period");
  }
  return subject;
}

bool is_of_equilibrium(const RadiationReport& report) { return report.plan.question == RadiationQuestion::equilibrium; }

std::int64_t photons_of(const RadiationReport& report) {
  return std::visit([](const auto& result) { return result.photons; }, report.result);
}

std::string lead_of(const RadiationReport& report) {
  const RadiationCase& radiation = report.radiation;
  const models::PhotonPlan& plan = report.plan.photons;
  const std::string points =
      plan.rules.paths == models::PathTreatment::sampled ? " of " + plural(plan.rules.points, "point", "points") : "";
  const std::string thickness =
      radiation.bands.empty() ? fmt::format(", optical thickness {:.6g}", radiation.optical_thickness()) : "";
  return fmt::format(
      "{}: {} in {}{}; {}, {}, {} paths{}, {} batches, seed {}, {}",
      is_of_equilibrium(report) ? "Temperatures at radiative equilibrium" : "Energy at the temperatures of the case",
      plural(radiation.elements(), "element", "elements"), plural(count(radiation.layers.size()), "layer", "layers"),
      thickness, plural(photons_of(report), "photon", "photons"), name_of(plan.rules.weighting),
      name_of(plan.rules.paths), points, plan.batches, plan.seed, name_of(plan.engine));
}

std::vector<ResultFact> settings_of(const RadiationPlan& plan) {
  const bool is_sampled = plan.photons.rules.paths == models::PathTreatment::sampled,
             is_iterated = plan.question == RadiationQuestion::equilibrium;
  const auto only_if = [](bool is_so, ResultValue value) { return is_so ? value : ResultValue(); };
  return {
      {"question", "question", std::string(name_of(plan.question))},
      {"photons", "maximum number of photons", plan.photons.photons, ValueKind::count},
      {"precision", is_iterated ? "largest standard error [K]" : "largest standard error [W/m²]",
       value_of(plan.precision), ValueKind::number},
      {"seed", "seed", plan.photons.seed, ValueKind::count},
      {"engine", "engine", std::string(name_of(plan.photons.engine))},
      {"batches", "batches", count(plan.photons.batches), ValueKind::count},
      {"paths", "paths", std::string(name_of(plan.photons.rules.paths))},
      {"points", "points on a path", only_if(is_sampled, count(plan.photons.rules.points)), ValueKind::count},
      {"weighting", "weighting", std::string(name_of(plan.photons.rules.weighting))},
      {"tolerance", "tolerance of the iteration", only_if(is_iterated, plan.equilibrium.tolerance), ValueKind::number},
      {"iterations", "maximum number of iterations", only_if(is_iterated, plan.equilibrium.max_iterations),
       ValueKind::count}};
}

// Adds a column for an estimate, and a column for its standard error.
void add_estimate(ResultTable& table, const std::string& id, const std::string& title, const std::string& unit,
                  Shown shown = Shown::everywhere) {
  const std::string error = id + "_error";
  table.columns.push_back({.id = id, .title = title, .half_width = error, .unit = unit, .shown = shown});
  table.columns.push_back({.id = error, .title = "standard error", .half_width = error, .unit = unit, .shown = shown});
}

void append(Row& row, const Estimated& estimate) { row.insert(row.end(), {estimate.value, estimate.error}); }

// First columns of a table of elements: the positions of the lower plate, all elements and the upper plate, from below.
class Places {
 public:
  explicit Places(const RadiationCase& radiation)
      : m_radiation(radiation),
        m_faces(slice_faces(radiation)),
        m_columns(static_cast<std::size_t>(radiation.columns[0])),
        m_of_slice(static_cast<std::size_t>(radiation.elements_of_slice())) {}

  std::vector<ResultColumn> columns() const {
    double thinnest = m_faces.back();
    for (std::size_t i = 1; i < m_faces.size(); ++i) thinnest = std::min(thinnest, m_faces[i] - m_faces[i - 1]);
    return {{"place", "place", ValueKind::text},
            {.id = "x", .title = "column along x", .kind = ValueKind::count, .shown = Shown::as_data},
            {.id = "y", .title = "column along y", .kind = ValueKind::count, .shown = Shown::as_data},
            {.id = "slice", .title = "slice", .kind = ValueKind::count, .shown = Shown::as_data},
            {.id = "bottom", .title = "from", .unit = "m", .resolution = thinnest},
            {.id = "top", .title = "to", .unit = "m", .resolution = thinnest},
            {.id = "height", .title = "height", .unit = "m", .shown = Shown::as_data}};
  }

  Row lower() const { return plate("lower plate", 0); }
  Row upper() const { return plate("upper plate", m_faces.back()); }

  Row element(std::size_t element) const {
    const std::size_t slice = slice_of(element), column = element % m_of_slice, x = column % m_columns,
                      y = column / m_columns;
    std::string name = fmt::format("slice {}", slice);
    if (m_of_slice > 1) name += fmt::format(", column ({}, {})", x, y);
    const double bottom = m_faces[slice], top = m_faces[slice + 1];
    return {std::move(name), count(x), count(y), count(slice), bottom, top, 0.5 * (bottom + top)};
  }

  std::size_t elements() const { return static_cast<std::size_t>(m_radiation.elements()); }
  std::size_t slice_of(std::size_t element) const { return element / m_of_slice; }

  // Volume of the element in m³.
  double volume(std::size_t element) const {
    const std::size_t slice = slice_of(element);
    return m_radiation.area() / static_cast<double>(m_of_slice) * (m_faces[slice + 1] - m_faces[slice]);
  }

 private:
  static Row plate(const char* name, double height) {
    return {std::string(name), ResultValue(), ResultValue(), ResultValue(), height, height, height};
  }

  const RadiationCase& m_radiation;
  std::vector<double> m_faces;
  std::size_t m_columns, m_of_slice;
};

// A table with more than 50 elements shows only the first rows.
RowsShown rows_shown(const RadiationCase& radiation) {
  constexpr int max_elements = 50;
  return radiation.elements() > max_elements ? RowsShown::first : RowsShown::all;
}

ResultTable elements_table(const RadiationReport& report, const EnergyBalance& balance) {
  const RadiationCase& radiation = report.radiation;
  const Places places(radiation);
  ResultTable table{"elements", "Elements", places.columns(), {}};
  table.rows_shown = rows_shown(report.radiation);
  table.columns.push_back({.id = "temperature", .title = "temperature", .unit = "K"});
  table.columns.push_back({.id = "lost", .title = "lost", .unit = "W"});
  add_estimate(table, "gained", "gained", "W");
  table.columns.push_back({"net", "net", ValueKind::number, "gained_error", "W"});
  add_estimate(table, "net_density", "net gain", "W/m³", Shown::as_data);
  add_estimate(table, "flux", "upwards flux", "W/m²", Shown::as_data);
  const auto add = [&](Row row, double temperature, const SinkEnergy& energy, double volume, const Estimated& flux) {
    const double net = energy.gained.value - energy.lost;
    row.insert(row.end(), {temperature, energy.lost});
    append(row, energy.gained);
    row.emplace_back(net);
    append(row, {net / volume, energy.gained.error / volume});  // unknown for a plate, which has no volume
    append(row, flux);
    table.rows.push_back(std::move(row));
  };
  const double none = std::nan("");
  const auto temperatures = element_temperatures(radiation);
  add(places.lower(), radiation.lower.temperature, balance.lower, none, balance.flux.front());
  for (std::size_t i = 0; i < places.elements(); ++i) {
    add(places.element(i), temperatures[i], balance.elements[i], places.volume(i), balance.flux[places.slice_of(i)]);
  }
  add(places.upper(), radiation.upper.temperature, balance.upper, none, balance.flux.back());
  table.pictures = {{"Net gain of each element [W/m³]", PictureKind::intervals, "height", "net_density"},
                    {"Upwards flux [W/m²]", PictureKind::intervals, "bottom", "flux"}};
  return table;
}

ResultTable elements_table(const RadiationReport& report, const RadiativeEquilibrium& equilibrium) {
  const Places places(report.radiation);
  ResultTable table{"elements", "Elements", places.columns(), {}};
  table.rows_shown = rows_shown(report.radiation);
  add_estimate(table, "temperature", "temperature", "K");
  const auto add = [&](Row row, const Estimated& temperature) {
    append(row, temperature);
    table.rows.push_back(std::move(row));
  };
  add(places.lower(), {report.radiation.lower.temperature, 0});
  for (std::size_t i = 0; i < places.elements(); ++i) add(places.element(i), equilibrium.temperatures[i]);
  add(places.upper(), {report.radiation.upper.temperature, 0});
  table.pictures = {{"Temperature [K]", PictureKind::intervals, "height", "temperature"}};
  return table;
}

ResultTable empty_fluxes_table() {
  ResultTable table{"fluxes", "Upwards flux", {{"face", "face", ValueKind::text}}, {}};
  add_estimate(table, "flux", "flux", "W/m²");
  return table;
}

ResultTable fluxes_table(const RadiationReport&, const EnergyBalance& balance) {
  ResultTable table = empty_fluxes_table();
  for (const auto& [face, flux] : {std::pair("past the lower plate", balance.flux.front()),
                                   std::pair("past the upper plate", balance.flux.back())}) {
    table.rows.push_back({std::string(face), flux.value, flux.error});
  }
  return table;
}

// Includes the flux relative to that between black plates with nothing between them, if there is no beam.
ResultTable fluxes_table(const RadiationReport& report, const RadiativeEquilibrium& equilibrium) {
  const RadiationCase& radiation = report.radiation;
  ResultTable table = empty_fluxes_table();
  add_estimate(table, "relative", "relative to σT⁴ of lower minus upper plate", "");
  const double most =
      models::black_power(radiation.lower.temperature) - models::black_power(radiation.upper.temperature);
  const bool is_relative = most != 0 && radiation.beam.irradiance == 0;
  const auto& [flux, error] = equilibrium.flux;
  table.rows.push_back({std::string("past the upper plate"), flux, error,
                        is_relative ? ResultValue(flux / most) : ResultValue(),
                        is_relative ? ResultValue(error / std::abs(most)) : ResultValue()});
  return table;
}

// Total powers in a period: of all elements together, of plates and of the beam.
ResultTable totals_table(const std::vector<std::pair<const char*, Estimated>>& totals) {
  ResultTable table{"totals", "Power in a period", {{"total", "total", ValueKind::text}}, {}, Shown::in_reports};
  add_estimate(table, "power", "power", "W");
  for (const auto& [total, power] : totals) table.rows.push_back({std::string(total), power.value, power.error});
  return table;
}

// Adds the shares of the beam that are reflected, transmitted and absorbed, if the beam is the only source of energy.
void add_beam_table(std::vector<ResultTable>& tables, const RadiationCase& radiation, const EnergyBalance& balance) {
  const auto shares = beam_shares(radiation, balance);
  if (!shares) return;
  ResultTable table{"beam_shares", "Shares of the beam", {{"share", "share of the beam", ValueKind::text}}, {}};
  add_estimate(table, "value", "value", "");
  for (const auto& [share, value] :
       {std::pair("reflectance", shares->reflectance), std::pair("transmittance", shares->transmittance),
        std::pair("absorptance", shares->absorptance)}) {
    table.rows.push_back({std::string(share), value.value, value.error});
  }
  tables.push_back(std::move(table));
}

std::vector<ResultTable> tables_of(const RadiationReport& report, const EnergyBalance& balance) {
  std::vector<ResultTable> tables{elements_table(report, balance), fluxes_table(report, balance)};
  add_beam_table(tables, report.radiation, balance);
  tables.push_back(totals_table({{"gained by the medium", balance.medium.gained},
                                 {"lost by the medium", {balance.medium.lost, 0}},
                                 {"brought by the beam", {balance.beam, 0}},
                                 {"lost by Russian roulette", balance.roulette}}));
  return tables;
}

std::vector<ResultTable> tables_of(const RadiationReport& report, const RadiativeEquilibrium& equilibrium) {
  const auto& [lower, upper] = std::pair(equilibrium.lower, equilibrium.upper);
  return {elements_table(report, equilibrium), fluxes_table(report, equilibrium),
          totals_table({{"gained by the lower plate", lower.gained},
                        {"lost by the lower plate", {lower.lost, 0}},
                        {"gained by the upper plate", upper.gained},
                        {"lost by the upper plate", {upper.lost, 0}}})};
}

ResultTable bands_table(const RadiationCase& radiation) {
  ResultTable table{"bands",
                    "Bands of wavelengths",
                    {{.id = "end", .title = "up to", .unit = "µm"},
                     {"optical_thickness", "optical thickness"},
                     {"lower_emissivity", "emissivity below"},
                     {"upper_emissivity", "emissivity above"},
                     {.id = "irradiance", .title = "beam", .unit = "W/m²"}},
                    {}};
  const std::vector<RadiationCase> cases = radiation.gray_cases();
  for (std::size_t b = 0; b < cases.size(); ++b) {
    const double end = radiation.bands[b].end;
    table.rows.push_back({finite_value(end), cases[b].optical_thickness(), cases[b].lower.emissivity,
                          cases[b].upper.emissivity, cases[b].beam.irradiance});
  }
  return table;
}

// The layers from below, repeated for each band if there are bands.
ResultTable layers_table(const RadiationCase& radiation) {
  ResultTable table{"layers",
                    "Layers",
                    {{"band", "band", ValueKind::count},
                     {"layer", "layer", ValueKind::count},
                     {.id = "thickness", .title = "thickness", .unit = "m"},
                     {.id = "extinction", .title = "extinction", .unit = "1/m"},
                     {"albedo", "albedo"},
                     {"asymmetry", "asymmetry"},
                     {.id = "temperature", .title = "temperature", .unit = "K"},
                     {"slices", "slices", ValueKind::count}},
                    {},
                    Shown::in_reports};
  const std::vector<RadiationCase> cases = radiation.gray_cases();
  for (std::size_t b = 0; b < cases.size(); ++b) {
    for (std::size_t i = 0; i < cases[b].layers.size(); ++i) {
      const auto& [thickness, extinction, albedo, asymmetry, temperature, slices] = cases[b].layers[i];
      table.rows.push_back({radiation.bands.empty() ? ResultValue() : ResultValue(count(b + 1)), count(i + 1),
                            thickness, extinction, albedo, asymmetry, temperature, count(slices)});
    }
  }
  return table;
}

}  // namespace

std::string profile_of(const RadiationReport& report) {
  if (const auto* balance = std::get_if<EnergyBalance>(&report.result)) return energy_text(report.radiation, *balance);
  return temperatures_text(report.radiation, std::get<RadiativeEquilibrium>(report.result));
}

ResultDocument document_of(const RadiationReport& report) {
  auto tables = std::visit([&](const auto& result) { return tables_of(report, result); }, report.result);
  if (!report.radiation.bands.empty()) tables.push_back(bands_table(report.radiation));
  tables.push_back(layers_table(report.radiation));
  std::vector<ResultFact> findings{{"photons", "photons", photons_of(report), ValueKind::count}};
  if (const auto* equilibrium = std::get_if<RadiativeEquilibrium>(&report.result)) {
    findings.push_back({"iterations", "iterations until convergence", equilibrium->iterations, ValueKind::count});
  }
  const bool is_interrupted = report.stopped_by == "interrupted";
  return {.question = "radiation",
          .subject = subject_of(report),
          .lead = lead_of(report),
          .settings = settings_of(report.plan),
          .tables = std::move(tables),
          .findings = std::move(findings),
          .stopped_by = std::string(report.stopped_by),
          .early_end = early_end_line(is_interrupted ? report.stopped_by : "",
                                      fmt::format("{} of {} photons", photons_of(report), report.plan.photons.photons)),
          .confidence = 0,
          .seconds = report.seconds,
          .machine = report.machine};
}

std::vector<std::string> table_names(const RadiationCase& radiation) {
  std::vector<std::string> names{"elements", "fluxes", "totals", "layers"};
  if (!radiation.bands.empty()) names.emplace_back("bands");
  return names;
}

}  // namespace sporos::runtime
