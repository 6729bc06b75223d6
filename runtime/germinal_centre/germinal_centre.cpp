// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/germinal_centre/germinal_centre.hpp>

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/case_models.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/models/germinal_centre/germinal_centre_picture.hpp>
#include <sporos/models/germinal_centre/germinal_centre_vtk.hpp>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr auto centre_form = "sporos simulate germinal-centre CASE --hours H [OPTION...]";
constexpr auto centre_footer =
    "CASE is a JSON file that describes tissue, cells, chemokines and pools, each quantity with its unit and source "
    "(example: examples/data/germinal_centre.json). The result is the number of cells of each kind in the tissue of "
    "all centres and in the four pools: at the end, and in the formats csv and json after each global step. It is "
    "bitwise reproducible: it depends only on the case and the seed. Ctrl-C ends the run and writes the results so "
    "far.";

std::vector<OptionEntry> germinal_centre_entries() {
  const std::string simulation = "Simulation", files = "Files";
  const auto file = [&](const char* name, const char* value, const char* help, FileUse use) {
    return OptionEntry{files, name, value, help, use, Decides::run};
  };
  return entries_of(
      {{{simulation, "hours", "H", "simulated time in hours; rounded up to a whole number of global steps"},
        {simulation, "seed", "S", "seed of the random numbers, from 0 to 2^64 - 1; default: 1"}},
       execution_options("threads of the backend; changes no bit of the result"),
       {format_option(" (the populations over time)"),
        table_option(),
        output_option(),
        report_option(),
        file("picture", "FILE", "draw the populations over time there, as SVG or PNG by the name's ending",
             FileUse::writes),
        file("section", "FILE",
             "draw a section through the first centre at the end there: its cells over the first chemokine",
             FileUse::writes),
        file("snapshots", "PREFIX",
             "at the end, write the centres to PREFIX-CENTRE-HOURS-elements.vtk and -cells.vtk, for ParaView",
             FileUse::writes_series),
        {files, "snapshot-every", "H", "with --snapshots: write them also after every H hours", {}, Decides::run}},
       checkpoint_options(),
       {no_progress_option()}});
}

Usage germinal_centre_usage() {
  return {"simulate germinal-centre",
          centre_form,
          "Simulates germinal centres: cells that move, meet, divide and die in tissues joined by blood and lymph.",
          centre_footer,
          {{"CASE", FileUse::reads, "case is"}},
          germinal_centre_entries()};
}

std::optional<io::PictureFile> picture_of_first(const OptionText& path) {
  if (!path || !is_first_process()) return std::nullopt;
  return std::optional<io::PictureFile>(std::in_place, *path);
}

double hours_of(const GerminalCentreReport& report, std::int64_t steps) {
  return static_cast<double>(steps) * report.all.global_step() / 60;
}

std::vector<ResultColumn> population_columns() {
  std::vector<ResultColumn> columns{{"kind", "kind", ValueKind::text}};
  for (const std::string& place : models::population_places()) columns.push_back({place, place, ValueKind::count});
  return columns;
}

// Name of a kind, followed by its number of cells in the tissue and in each pool.
std::vector<ResultValue> population_values(const GerminalCentreReport& report, const models::PopulationRow& row,
                                           std::size_t kind) {
  const std::size_t kinds = report.all.kinds.size();
  std::vector<ResultValue> values{report.all.kinds[kind].name};
  for (std::size_t i = kind; i < row.cells.size(); i += kinds) values.emplace_back(row.cells[i]);
  return values;
}

ResultTable populations_table(const GerminalCentreReport& report) {
  ResultTable table{"populations", "Cells over time", population_columns(), {}, Shown::as_data};
  table.columns.insert(table.columns.begin(), {.id = "hours", .title = "time", .unit = "h"});
  for (const models::PopulationRow& row : report.rows) {
    for (std::size_t kind = 0; kind < report.all.kinds.size(); ++kind) {
      auto values = population_values(report, row, kind);
      values.insert(values.begin(), hours_of(report, row.step));
      table.rows.push_back(std::move(values));
    }
  }
  table.pictures.push_back({.title = "Cells in the tissue",
                            .kind = PictureKind::curves,
                            .x = "hours",
                            .y = "tissue",
                            .is_logarithmic = true,
                            .series = "kind"});
  return table;
}

ResultTable last_table(const GerminalCentreReport& report) {
  ResultTable table{"last", "Cells at the end", population_columns(), {}};
  for (std::size_t kind = 0; kind < report.all.kinds.size(); ++kind) {
    table.rows.push_back(population_values(report, report.rows.back(), kind));
  }
  return table;
}

std::string snapshot_path(const std::string& prefix, std::size_t centre, double minutes, std::string_view what) {
  return fmt::format("{}-{}-{:09.2f}-{}.vtk", prefix, centre, minutes / 60, what);
}

}  // namespace

CaseModel germinal_centre_model() {
  return {"germinal-centre", "cells in tissues joined by blood and lymph, from a case file", "lists the options",
          germinal_centre_usage};
}

Arguments parse_germinal_centre_options(std::span<const std::string> arguments) {
  Arguments given = parsed(germinal_centre_usage(), arguments);
  if (!given.options.has("hours"))
    throw std::invalid_argument(fmt::format("--hours is not given: expected {}", centre_form));
  return given;
}

ResultDocument document_of(const GerminalCentreReport& report) {
  const models::GerminalCentreCase& all = report.all;
  const std::int64_t done = report.rows.back().step;
  const bool is_interrupted = report.stopped_by == "interrupted";
  return {.question = "germinal-centre",
          .subject = {report.path, "germinal centres"},
          .lead = fmt::format("{} for {:.6g} h, {} of {:.6g} min, seed {}", plural(all.centres, "centre", "centres"),
                              hours_of(report, done), plural(done, "global step", "global steps"), all.global_step(),
                              report.seed),
          .settings = {{"hours", "simulated hours", hours_of(report, report.steps), ValueKind::number},
                       {"seed", "seed", report.seed, ValueKind::count},
                       {"centres", "centres", static_cast<std::int64_t>(all.centres), ValueKind::count},
                       {"local_step", "local step [min]", all.local_step, ValueKind::number},
                       {"steps_per_exchange", "local steps of a global step",
                        static_cast<std::int64_t>(all.steps_per_exchange), ValueKind::count}},
          .tables = {populations_table(report), last_table(report)},
          .stopped_by = std::string(report.stopped_by),
          .early_end = early_end_line(is_interrupted ? report.stopped_by : "",
                                      fmt::format("{} of {} global steps", done, report.steps)),
          .confidence = 0,
          .seconds = report.seconds,
          .machine = report.machine};
}

GerminalCentreFiles::GerminalCentreFiles(const Arguments& given)
    : m_files(given.options, "simulate germinal-centre", given.positionals),
      m_picture(picture_of_first(given.options.text("picture"))),
      m_section(picture_of_first(given.options.text("section"))),
      m_section_wanted(given.options.has("section")),
      m_prefix(given.options.text("snapshots")),
      m_minutes_between(given.options.has("snapshot-every") ? 60 * given.options.positive("snapshot-every", 0) : 0) {
  check_table(given.options, {"populations", "last"});
  given.options.refuse_unless(m_prefix.has_value(), "snapshot-every", "--snapshots");
  if (m_prefix && is_first_process()) io::OutputFile(snapshot_path(*m_prefix, 0, 0, "elements"));
}

bool GerminalCentreFiles::wants_snapshot(double minutes, double step) const {
  if (!m_prefix || m_minutes_between == 0) return false;
  return std::floor(minutes / m_minutes_between) > std::floor((minutes - step) / m_minutes_between);
}

void GerminalCentreFiles::write_snapshot(const models::GerminalCentreCase& all,
                                         const models::GerminalCentresState& state) const {
  if (!m_prefix || !is_first_process()) return;
  const double minutes = static_cast<double>(state.steps) * all.global_step();
  for (std::size_t i = 0; i < state.centres.size(); ++i) {
    const models::CentreState& centre = state.centres[i];
    io::OutputFile(snapshot_path(*m_prefix, i, minutes, "elements")).write(elements_vtk(all, centre, minutes));
    io::OutputFile(snapshot_path(*m_prefix, i, minutes, "cells")).write(agents_vtk(all, centre, minutes));
  }
}

void GerminalCentreFiles::draw_section(const models::GerminalCentreCase& all,
                                       const models::GerminalCentresState& state) const {
  if (!m_section) return;
  m_section->draw(section_picture(all, state.centres[0], static_cast<double>(state.steps) * all.global_step()));
}

void GerminalCentreFiles::write(const GerminalCentreReport& report) const {
  if (m_picture) m_picture->draw(population_picture(report.all, report.rows));
  m_files.write(document_of(report));
}

}  // namespace sporos::runtime
