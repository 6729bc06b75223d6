// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace sporos::apps {

/// A line on standard error that shows the progress of a run if standard error is a terminal. The line is cleared when
/// the object is destroyed.
class StatusLine {
 public:
  /// Makes a line that is never visible unless `wanted`.
  explicit StatusLine(bool wanted);
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  /// Whether another text is due `seconds` after the start of the run: at most a few times a second, and not in the
  /// first moment.
  bool is_due(double seconds) const;
  /// Shows `text` in place of the previous one.
  void show(double seconds, std::string_view text);

 private:
  bool m_is_visible;
  double m_shown_at = 0;  // seconds since the start
};

}  // namespace sporos::apps
