// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace sporos::test {

/// Seeds 1 to `count`, one for each run.
inline std::vector<std::uint64_t> seeds(std::uint64_t count) {
  std::vector<std::uint64_t> list;
  for (std::uint64_t i = 1; i <= count; ++i) list.push_back(i);
  return list;
}

}  // namespace sporos::test
