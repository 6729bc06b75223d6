// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "expected_means.hpp"

#include <sporos/models/networks/network_files.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace sporos::test {

/// Whether one replication of a case without random times has these values.
inline bool has_values(const std::string& text, const Exact& exact) {
  const auto moments = network_moments(models::network_case_of_json("case", text), 1, 1);
  bool has_all = true;
  for (const auto& [name, value] : exact) {
    const double found = moments.at(name).mean;
    if (std::abs(found - value) <= 1e-9 * (1 + std::abs(value))) continue;
    has_all = false;
    std::printf("  %s: %.12g instead of %.12g\n", name.c_str(), found, value);
  }
  return has_all;
}

/// Expects that a case without random times has these values.
inline void expect_values(const std::string& text, const Exact& exact) { EXPECT_TRUE(has_values(text, exact)); }

/// Control: expects that a value differs.
inline void expect_other_values(const std::string& text, const Exact& exact) { EXPECT_FALSE(has_values(text, exact)); }

}  // namespace sporos::test
