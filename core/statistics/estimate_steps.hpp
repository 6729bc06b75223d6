// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

/// History of an estimate as observations arrive.
namespace sporos {

/// An estimate with its interval after a number of observations.
struct EstimateStep {
  std::int64_t observations;  ///< number of observations so far
  double value;               ///< the estimate
  double low;                 ///< lower end of its interval; not finite if there is none
  double high;                ///< upper end of its interval; not finite if there is none
};

/// Returns `steps`, with `last` appended if it has more observations than the last of them.
inline std::vector<EstimateStep> with_last(std::vector<EstimateStep> steps, const EstimateStep& last) {
  if (steps.empty() || steps.back().observations < last.observations) steps.push_back(last);
  return steps;
}

/// Schedule for inspecting an estimate: at ten observations, and then each time their number has grown by a quarter.
class Looks {
 public:
  /// Returns whether an inspection is due at `observations` observations. If so, schedules the next one.
  bool are_due(std::int64_t observations) {
    if (observations < m_next) return false;
    while (m_next <= observations) m_next += m_next / 4;
    return true;
  }

 private:
  std::int64_t m_next = 10;
};

}  // namespace sporos
