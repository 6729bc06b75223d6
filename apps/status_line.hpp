// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace sporos::apps {

/// A line on standard error that tells how far a run has come, if that is a terminal; gone with this object.
class StatusLine {
 public:
  /// Never visible unless `wanted`.
  explicit StatusLine(bool wanted);
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  /// Whether it is time for another text, `seconds` after the start of the run: not more than a few times a second, and
  /// not in the first moment.
  bool is_due(double seconds) const;
  /// Shows the text in place of the last one.
  void show(double seconds, std::string_view text);

 private:
  bool m_is_visible;
  double m_shown_at = 0;  // seconds since the start
};

}  // namespace sporos::apps
