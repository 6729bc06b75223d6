// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "optimizations.hpp"

#include <sporos/core/io/format.hpp>

#include <cmath>
#include <cstdint>
#include <string>

/// Data sets for `sporos optimize classification`.
namespace sporos::test {

/// File of real rows in two classes, in the project's sample data.
inline const std::string breast_cancer = SPOROS_SAMPLE_DATA "/breast_cancer.csv";

/// A number in [0, 1) that looks random and depends on i alone.
inline double some_share(std::int64_t i) {
  const double x = 1e4 * std::sin(static_cast<double>(i) + 1);
  return x - std::floor(x);
}

/// Rows in LIBSVM's format. All features are 0 or 1, and each is 1 in about `share` of the rows. The first six features
/// determine most labels.
inline std::string binary_rows(std::int64_t rows, std::int64_t columns, double share) {
  std::string text;
  for (std::int64_t i = 0; i < rows; ++i) {
    std::string features;
    double margin = some_share(7 * i) - 0.5;
    for (std::int64_t j = 0; j < columns; ++j) {
      if (some_share(i * columns + j) >= share) continue;
      features += fmt::format(" {}:1", j + 1);
      if (j < 6) margin += j % 2 == 0 ? 1 : -1;
    }
    text += fmt::format("{}{}\n", margin > 0 ? "+1" : "-1", features);
  }
  return text;
}

/// Arguments of a run that learns from all rows of the sample data.
inline std::string on_all_rows(const std::string& more) {
  return "classification " + breast_cancer + " --test-share 0 " + more;
}

}  // namespace sporos::test
