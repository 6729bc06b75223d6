// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace sporos::test {

/// 1 to `count`: of so many runs.
inline std::vector<std::uint64_t> seeds(std::uint64_t count) {
  std::vector<std::uint64_t> list;
  for (std::uint64_t i = 1; i <= count; ++i) list.push_back(i);
  return list;
}

}  // namespace sporos::test
