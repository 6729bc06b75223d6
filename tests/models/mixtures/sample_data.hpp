// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/named_rows.hpp>
#include <sporos/models/mixtures/observations.hpp>

#include <string>

namespace sporos::test {

/// The sample in the first column of a sample file of Sporos.
inline models::Observations sample_of(const std::string& name) {
  io::NamedRows rows(SPOROS_SAMPLE_DATA "/" + name + ".csv", {"variable", "observation"});
  models::Observations sample;
  while (rows.next()) sample.values.push_back(rows.number(0));
  return sample;
}

/// Nickel in rock, parts per million: 31 observations, of which one is far from all others (Venables and Ripley).
inline models::Observations abbey() {
  return {{5.2, 6.5, 6.9, 7,    7,  7,  7.4, 8,  8,  8,  8,  8.5, 9,  9,  10, 11,
           11,  12,  12,  13.7, 14, 14, 14,  16, 17, 17, 18, 24,  28, 34, 125}};
}

/// Copper in flour, parts per million: 24 observations with ties and an outlier (Venables and Ripley).
inline models::Observations chem() {
  return {{2.9,  3.1,  3.4,  3.4,  3.7,   3.7,  2.8, 2.5, 2.4, 2.4, 2.7, 2.2,
           5.28, 3.37, 3.03, 3.03, 28.95, 3.77, 3.4, 2.2, 3.5, 3.6, 3.7, 3.7}};
}

}  // namespace sporos::test
