// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>

namespace sporos {

/// A response that is the value of a quantity in a period of time. A described case may have such responses:
///
///     std::vector<PeriodResponse> periods(const Data&) const;
struct PeriodResponse {
  std::size_t response;   ///< index of the response
  std::string place;      ///< where it is observed: name of a station, or "network"
  std::string quantity;   ///< such as "number waiting"
  double from;            ///< beginning of the period
  double to;              ///< end of the period
  std::string time_unit;  ///< unit of the times
};

}  // namespace sporos
