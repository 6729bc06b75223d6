// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdlib>

namespace sporos::test {

/// Whether the tests that have two lengths run in the long one: `scripts/test --all` sets SPOROS_LONG_TESTS.
inline bool are_tests_long() { return std::getenv("SPOROS_LONG_TESTS") != nullptr; }

/// How many runs a test makes: more where tests are long.
template <class Count>
Count runs_in_test(Count where_short, Count where_long) {
  return are_tests_long() ? where_long : where_short;
}

}  // namespace sporos::test
