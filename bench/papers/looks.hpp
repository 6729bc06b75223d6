// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace sporos::papers {

/// Iterations to look at: 0, then 1, 2, 3, 5 and 7 times powers of ten, and `end`.
inline std::vector<std::int64_t> looks_until(std::int64_t end) {
  std::vector<std::int64_t> looks{0};
  for (std::int64_t power = 1; power < end; power *= 10) {
    for (const std::int64_t digit : {1, 2, 3, 5, 7}) {
      if (digit * power < end) looks.push_back(digit * power);
    }
  }
  looks.push_back(end);
  return looks;
}

}  // namespace sporos::papers
