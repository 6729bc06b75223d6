// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

/// How an estimate comes about as observations come.
namespace sporos {

/// An estimate with its interval after some observations.
struct EstimateStep {
  std::int64_t observations;  ///< so far
  double value;               ///< the estimate
  double low;                 ///< lower end of its interval; not finite where there is none
  double high;                ///< upper end, likewise
};

/// The steps with the last of all, if that is not among them.
inline std::vector<EstimateStep> with_last(std::vector<EstimateStep> steps, const EstimateStep& last) {
  if (steps.empty() || steps.back().observations < last.observations) steps.push_back(last);
  return steps;
}

/// Says when an estimate is looked at: at ten observations, and whenever there are a quarter more.
class Looks {
 public:
  /// Whether one is due at so many observations, which then has been.
  bool are_due(std::int64_t observations) {
    if (observations < m_next) return false;
    while (m_next <= observations) m_next += m_next / 4;
    return true;
  }

 private:
  std::int64_t m_next = 10;
};

}  // namespace sporos
