// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::runtime {

/// RESPONSE=LOW:HIGH:NUMBER.
struct ResponseGrid {
  std::size_t response;  ///< its place among the names
  double low, high;      ///< finite, the lower one first
  std::int64_t count;    ///< of what lies between
};

/// What `text` of `option` says, where `counted` ("bins") is what the count is of: from `least` to `most`. Throws
/// std::invalid_argument for what is no such text, and for a response that is none of `names`.
ResponseGrid response_grid(const std::string& option, const std::string& text, const std::string& counted,
                           const std::vector<std::string>& names, std::int64_t least, std::int64_t most);

}  // namespace sporos::runtime
