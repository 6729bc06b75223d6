// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Parsed string of the form RESPONSE=LOW:HIGH:NUMBER.
struct ResponseGrid {
  std::size_t response;  ///< index of the response among the names
  double low, high;      ///< finite edges, low < high
  std::int64_t count;    ///< number of bins or points
};

/// Parses `text`, the value of `option`. NUMBER must be from `least` to `most`; `counted` ("bins") names it in
/// messages. Throws std::invalid_argument if the string does not have this form, or if the response is not one of
/// `names`.
ResponseGrid response_grid(const std::string& option, const std::string& text, const std::string& counted,
                           const std::vector<std::string>& names, std::int64_t least, std::int64_t most);

}  // namespace sporos::runtime
