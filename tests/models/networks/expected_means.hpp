// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "replicated_network.hpp"

#include <sporos/models/networks/network_files.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

namespace sporos::test {

/// Exact means by the names of responses.
using Exact = std::map<std::string, double>;

/// Number of exact means outside the 99.9 % intervals around their estimates.
inline int misses(const std::string& text, const Exact& exact, std::uint64_t seed, std::uint64_t replications) {
  const auto moments = network_moments(models::network_case_of_json("case", text), seed, replications);
  int count = 0;
  for (const auto& [name, mean] : exact) {
    const Moments& found = moments.at(name);
    const double half = half_width(found, 0.999);
    if (std::abs(found.mean - mean) <= half) continue;
    ++count;
    std::printf("  %s: %g +- %g does not hold %g\n", name.c_str(), found.mean, half, mean);
  }
  return count;
}

/// Expects that all intervals hold the exact means, for three seeds.
inline void expect_exact(const std::string& text, const Exact& exact, std::uint64_t replications = 15) {
  for (const std::uint64_t seed : {1, 2, 3}) EXPECT_EQ(misses(text, exact, seed, replications), 0) << "seed " << seed;
}

/// Control: expects that the intervals detect a faulty network.
inline void expect_seen(const std::string& text, const Exact& exact, std::uint64_t replications = 40) {
  EXPECT_GT(misses(text, exact, 1, replications), 0);
}

/// Returns `text` with its first `from` replaced by `to`.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

}  // namespace sporos::test
