// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/germinal_centre/options.hpp>

#include <sporos/core/io/gnuplot.hpp>
#include <sporos/models/germinal_centre/germinal_centre_table.hpp>

#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The files that a run of germinal centres leaves, known to be writable before there is anything to write. Of several
/// processes the first writes them.
class GerminalCentreFiles {
 public:
  /// As the options have them. Throws std::invalid_argument where they cannot be, io::WriteError where a file could not
  /// be written now.
  explicit GerminalCentreFiles(const OptionTable& options);

  /// Whether all there is is to be written after so many minutes of simulated time, of which the last step was `step`.
  bool wants_snapshot(double minutes, double step) const;
  /// Whether all there is is needed in the end.
  bool wants_state() const { return m_prefix.has_value() || m_section_wanted; }

  /// VTK files of all centres.
  void write_snapshot(const models::GerminalCentreCase& all, const models::GerminalCentresState& state) const;
  /// The section, where it is wanted.
  void draw_section(const models::GerminalCentreCase& all, const models::GerminalCentresState& state) const;
  /// Time series and their picture.
  void write_series(const models::GerminalCentreCase& all, const std::vector<models::PopulationRow>& rows) const;

 private:
  Destination m_series;
  std::optional<io::PictureFile> m_picture, m_section;
  bool m_section_wanted;
  OptionText m_prefix;
  double m_minutes_between;  // snapshots; 0 where only the last is wanted
};

}  // namespace sporos::runtime
