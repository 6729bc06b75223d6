// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdlib>

namespace sporos::test {

/// Whether tests of two lengths run in their long form. `scripts/test --all` requests this by SPOROS_LONG_TESTS.
inline bool are_tests_long() { return std::getenv("SPOROS_LONG_TESTS") != nullptr; }

/// Number of runs in a test: `where_long` if tests are long, else `where_short`.
template <class Count>
Count runs_in_test(Count where_short, Count where_long) {
  return are_tests_long() ? where_long : where_short;
}

}  // namespace sporos::test
