// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/named_rows.hpp>
#include <sporos/models/mixtures/observations.hpp>

#include <string>

namespace sporos::test {

/// The sample in the first column of a file that comes with Sporos.
inline models::Observations sample_of(const std::string& name) {
  io::NamedRows rows(SPOROS_SAMPLE_DATA "/" + name + ".csv", {"variable", "observation"});
  models::Observations sample;
  while (rows.next()) sample.values.push_back(rows.number(0));
  return sample;
}

}  // namespace sporos::test
