// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/germinal_centre/files.hpp>

#include <sporos/runtime/backend/processes.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/models/germinal_centre/germinal_centre_picture.hpp>
#include <sporos/models/germinal_centre/germinal_centre_vtk.hpp>

#include <cmath>
#include <cstddef>
#include <string_view>

namespace sporos::runtime {

namespace {

std::optional<io::PictureFile> picture_of_first(const OptionText& path) {
  if (!path || !is_first_process()) return std::nullopt;
  return std::optional<io::PictureFile>(std::in_place, *path);
}

std::string snapshot_path(const std::string& prefix, std::size_t centre, double minutes, std::string_view what) {
  return fmt::format("{}-{}-{:09.2f}-{}.vtk", prefix, centre, minutes / 60, what);
}

}  // namespace

GerminalCentreFiles::GerminalCentreFiles(const OptionTable& options)
    : m_series(options.text("output")),
      m_picture(picture_of_first(options.text("picture"))),
      m_section(picture_of_first(options.text("section"))),
      m_section_wanted(options.has("section")),
      m_prefix(options.text("snapshots")),
      m_minutes_between(options.has("snapshot-every") ? 60 * options.positive("snapshot-every", 0) : 0) {
  options.refuse_unless(m_prefix.has_value(), "snapshot-every", "--snapshots");
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

void GerminalCentreFiles::write_series(const models::GerminalCentreCase& all,
                                       const std::vector<models::PopulationRow>& rows) const {
  if (m_picture) m_picture->draw(population_picture(all, rows));
  m_series.write(population_text(all, rows));
}

}  // namespace sporos::runtime
