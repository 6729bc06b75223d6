// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/core/io/gnuplot.hpp>
#include <sporos/models/germinal_centre/germinal_centre_table.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Reads the arguments after `sporos simulate germinal-centre`. Throws Help if help is requested, std::invalid_argument
/// for an unknown option or if no case or no --hours is given. Values of options are not checked.
Arguments parse_germinal_centre_options(std::span<const std::string> arguments);

/// Report on the populations of a run of germinal centres.
struct GerminalCentreReport {
  std::string path;  ///< path of the case file
  const models::GerminalCentreCase& all;
  std::uint64_t seed;
  std::int64_t steps;                              ///< requested number of global steps
  const std::vector<models::PopulationRow>& rows;  ///< populations at the beginning and after each global step
  std::string_view stopped_by;                     ///< reason for the end of the run: hours or interrupted
  double seconds;
  Machine machine;
};

/// Returns the result as data: the number of cells of each kind in the tissue of all centres and in each pool, over
/// time and at the end.
ResultDocument document_of(const GerminalCentreReport& report);

/// Output files of a run of germinal centres. The constructor already checks that they are writable. Only the first
/// process writes them.
class GerminalCentreFiles {
 public:
  /// Prepares the files that the arguments name. Throws std::invalid_argument if options contradict each other,
  /// io::WriteError if a file is not writable, std::runtime_error if gnuplot is needed and missing.
  explicit GerminalCentreFiles(const Arguments& given);

  /// Whether a snapshot is due after `minutes` of simulated time. `step` is the duration of the last step in minutes.
  bool wants_snapshot(double minutes, double step) const;
  /// Whether the state of all centres is needed at the end.
  bool wants_state() const { return m_prefix.has_value() || m_section_wanted; }

  /// Writes VTK files of all centres.
  void write_snapshot(const models::GerminalCentreCase& all, const models::GerminalCentresState& state) const;
  /// Draws the section if it is requested.
  void draw_section(const models::GerminalCentreCase& all, const models::GerminalCentresState& state) const;
  /// Writes the populations: their picture, the HTML report and the result.
  void write(const GerminalCentreReport& report) const;

 private:
  ResultFiles m_files;
  std::optional<io::PictureFile> m_picture, m_section;
  bool m_section_wanted;
  OptionText m_prefix;
  double m_minutes_between;  // minutes between snapshots; 0 if only the last one is requested
};

}  // namespace sporos::runtime
