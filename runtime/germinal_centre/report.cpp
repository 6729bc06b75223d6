// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/germinal_centre/report.hpp>

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/results/output.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/models/germinal_centre/germinal_centre_picture.hpp>
#include <sporos/models/germinal_centre/germinal_centre_vtk.hpp>

#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

namespace sporos::runtime {

namespace {

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
    : m_options(given.options),
      m_destination(given.options.text("output")),
      m_page(given.options, "simulate germinal-centre", given.positionals),
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
  const ResultDocument document = document_of(report);
  m_page.write(document);
  m_destination.write(text_of(document, m_options));
}

}  // namespace sporos::runtime
