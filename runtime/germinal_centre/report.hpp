// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/germinal_centre/options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/core/io/gnuplot.hpp>
#include <sporos/models/germinal_centre/germinal_centre_table.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// The populations that a run of germinal centres has had.
struct GerminalCentreReport {
  std::string path;  ///< of the case
  const models::GerminalCentreCase& all;
  std::uint64_t seed;
  std::int64_t steps;                              ///< the global steps that were asked for
  const std::vector<models::PopulationRow>& rows;  ///< the beginning, and the state after each global step
  std::string_view stopped_by;                     ///< hours or interrupted
  double seconds;
  Machine machine;
};

/// The result: the number of cells of each kind in the tissue of all centres and in each pool, over time and at the
/// end.
ResultDocument document_of(const GerminalCentreReport& report);

/// The files that a run of germinal centres leaves. They are known to be writable before there is anything to write.
/// The first of several processes writes them.
class GerminalCentreFiles {
 public:
  /// The files that the arguments name. Throws std::invalid_argument if options contradict each other, io::WriteError
  /// if a file could not be written now, std::runtime_error if gnuplot is needed and missing.
  explicit GerminalCentreFiles(const Arguments& given);

  /// Whether a snapshot is due after so many minutes of simulated time, the last step of which took `step`.
  bool wants_snapshot(double minutes, double step) const;
  /// Whether the state of all centres is needed at the end.
  bool wants_state() const { return m_prefix.has_value() || m_section_wanted; }

  /// Writes VTK files of all centres.
  void write_snapshot(const models::GerminalCentreCase& all, const models::GerminalCentresState& state) const;
  /// Draws the section if it is asked for.
  void draw_section(const models::GerminalCentreCase& all, const models::GerminalCentresState& state) const;
  /// Writes the populations: their picture, the page and the result.
  void write(const GerminalCentreReport& report) const;

 private:
  Format m_format;
  Destination m_destination;
  ReportFile m_page;
  std::optional<io::PictureFile> m_picture, m_section;
  bool m_section_wanted;
  OptionText m_prefix;
  double m_minutes_between;  // snapshots; 0 where only the last is wanted
};

}  // namespace sporos::runtime
