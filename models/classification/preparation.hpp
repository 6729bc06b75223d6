// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/sampling/keyed_permutation.hpp>
#include <sporos/models/classification/dense_features.hpp>
#include <sporos/models/classification/packed_features.hpp>
#include <sporos/models/classification/sparse_features.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

/// Steps between a data file and a problem, on the host: splitting off test rows, standardization and packing.
namespace sporos::models {

/// Training rows and test rows, both ascending.
struct RowSplit {
  std::vector<std::int64_t> training;  ///< rows to train on
  std::vector<std::int64_t> test;      ///< rows held out
};

/// Holds out ⌊N share⌋ of N rows at random; all such subsets are equally likely. The test rows are those that the keyed
/// permutation of the seed maps below that number. Throws std::invalid_argument if one of the two sets would be empty.
inline RowSplit split_rows(std::int64_t rows, double test_share, std::uint64_t seed) {
  check_positive_integer("number of rows", rows);
  if (rows > std::numeric_limits<std::int32_t>::max()) {
    sporos::impl::refuse_parameter("number of rows", std::to_string(rows), "at most 2147483647");
  }
  const auto tests = test_share > 0 && test_share < 1
                         ? static_cast<std::int64_t>(static_cast<double>(rows) * test_share)
                         : std::int64_t{0};
  sporos::impl::check_parameter(
      tests > 0 && tests < rows, "share of test rows", test_share,
      "a share that leaves some of " + std::to_string(rows) + " rows for training and some for tests");
  const KeyedPermutation shuffle(static_cast<std::uint32_t>(rows), seed);
  RowSplit split;
  for (std::int64_t i = 0; i < rows; ++i) {
    (shuffle(static_cast<std::uint32_t>(i)) < tests ? split.test : split.training).push_back(i);
  }
  return split;
}

/// Selects the elements of some rows, such as their labels.
inline std::vector<double> select_rows(const std::vector<double>& numbers, const std::vector<std::int64_t>& rows) {
  std::vector<double> selected;
  for (const std::int64_t i : rows) selected.push_back(numbers[static_cast<std::size_t>(i)]);
  return selected;
}

/// Selects some rows of a dense table.
inline DenseRows select_rows(const DenseRows& table, const std::vector<std::int64_t>& rows) {
  DenseRows selected{table.columns, {}};
  for (const std::int64_t i : rows) {
    const auto row = table.values.begin() + i * table.columns;
    selected.values.insert(selected.values.end(), row, row + table.columns);
  }
  return selected;
}

/// Selects some rows of a sparse table.
inline SparseRows select_rows(const SparseRows& table, const std::vector<std::int64_t>& rows) {
  SparseRows selected;
  selected.columns = table.columns;
  for (const std::int64_t i : rows) {
    const auto first = table.starts[static_cast<std::size_t>(i)], end = table.starts[static_cast<std::size_t>(i) + 1];
    selected.indices.insert(selected.indices.end(), table.indices.begin() + first, table.indices.begin() + end);
    selected.values.insert(selected.values.end(), table.values.begin() + first, table.values.begin() + end);
    selected.starts.push_back(static_cast<std::int64_t>(selected.values.size()));
  }
  return selected;
}

/// Converts sparse features to dense ones.
inline DenseRows dense(const SparseRows& table) {
  const auto n = static_cast<std::size_t>(table.columns);
  DenseRows rows{table.columns, std::vector<double>(static_cast<std::size_t>(table.rows()) * n)};
  table.for_each([&](std::size_t i, std::size_t j, double value) { rows.values[i * n + j] = value; });
  return rows;
}

/// Converts dense features to sparse ones, without the zeros.
inline SparseRows sparse(const DenseRows& table) {
  SparseRows rows;
  rows.columns = table.columns;
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    const auto column = static_cast<std::int64_t>(i) % table.columns;
    if (table.values[i] != 0) {
      rows.indices.push_back(static_cast<std::int32_t>(column));
      rows.values.push_back(table.values[i]);
    }
    if (column + 1 == table.columns) rows.starts.push_back(static_cast<std::int64_t>(rows.values.size()));
  }
  return rows;
}

/// Whether all values are 0 or 1.
inline bool is_binary(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return x == 0 || x == 1; });
}

/// Packs features that are 0 or 1. Throws std::invalid_argument for other values, naming row and column (from 0).
inline PackedRows packed(const SparseRows& table) {
  PackedRows rows{table.columns, {}};
  const auto width = static_cast<std::size_t>(rows.words_of_row());
  rows.words.resize(static_cast<std::size_t>(table.rows()) * width);
  table.for_each([&](std::size_t i, std::size_t j, double value) {
    sporos::impl::check_parameter(value == 0 || value == 1,
                                  "feature " + std::to_string(j) + " of row " + std::to_string(i), value, "0 or 1");
    if (value == 1) rows.words[i * width + j / 64] |= std::uint64_t{1} << (j % 64);
  });
  return rows;
}

/// Scales features to mean 0 and standard deviation 1 (divisor N) over the rows from which it was computed: x_j becomes
/// (x_j − mean_j) / scale_j. A feature that is constant over these rows keeps its scale.
struct Standardization {
  std::vector<double> means;   ///< means; 0 for sparse rows, whose zeros stay zeros
  std::vector<double> scales;  ///< standard deviations, or 1 for constant features

  /// Standardizes the features of all dense rows in place.
  void apply(DenseRows& table) const;
  /// Standardizes the features of all sparse rows in place.
  void apply(SparseRows& table) const;

  /// Returns the weights that give the same margins on the original features. Takes n weights and the intercept or, for
  /// sparse rows without an intercept, n weights.
  std::vector<double> weights_before(std::vector<double> weights) const;
};

namespace impl {

/// Throws std::invalid_argument if the squares of a feature (from 0) were too large to be summed.
inline void check_scale(std::size_t feature, double mean, double scale) {
  if (std::isfinite(mean) && std::isfinite(scale)) return;
  throw std::invalid_argument("the squares of feature " + std::to_string(feature + 1) +
                              " are too large for double precision, expected values below 1e150");
}

}  // namespace impl

/// Computes the standardization of dense rows. Throws std::invalid_argument if squares of values overflow.
inline Standardization standardization_of(const DenseRows& table) {
  const auto n = static_cast<std::size_t>(table.columns), size = table.values.size();
  const auto rows = static_cast<double>(table.rows());
  Standardization found{std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t i = 0; i < size; ++i) found.means[i % n] += table.values[i] / rows;
  for (std::size_t i = 0; i < size; ++i) {
    const double deviation = table.values[i] - found.means[i % n];
    found.scales[i % n] += deviation * deviation / rows;
  }
  for (std::size_t j = 0; j < n; ++j) {
    // Rounding gives a constant column a deviation of a few ulps.
    const double scale = std::sqrt(found.scales[j]);
    impl::check_scale(j, found.means[j], scale);
    found.scales[j] = scale > 1e-13 * std::abs(found.means[j]) ? scale : 1.0;
  }
  return found;
}

/// Computes the standardization of sparse rows, with scales only. Throws std::invalid_argument if squares of values
/// overflow.
inline Standardization standardization_of(const SparseRows& table) {
  const auto n = static_cast<std::size_t>(table.columns);
  const auto rows = static_cast<double>(table.rows());
  std::vector<double> means(n), squares(n), counts(n);
  for (std::size_t entry = 0; entry < table.values.size(); ++entry) {
    const auto j = static_cast<std::size_t>(table.indices[entry]);
    means[j] += table.values[entry] / rows;
    ++counts[j];
  }
  for (std::size_t entry = 0; entry < table.values.size(); ++entry) {
    const auto j = static_cast<std::size_t>(table.indices[entry]);
    const double deviation = table.values[entry] - means[j];
    squares[j] += deviation * deviation;
  }
  Standardization found{std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t j = 0; j < n; ++j) {
    const double scale = std::sqrt((squares[j] + (rows - counts[j]) * means[j] * means[j]) / rows);
    impl::check_scale(j, means[j], scale);
    found.scales[j] = scale > 1e-13 * std::abs(means[j]) ? scale : 1.0;
  }
  return found;
}

inline void Standardization::apply(DenseRows& table) const {
  const std::size_t n = means.size();
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    table.values[i] = (table.values[i] - means[i % n]) / scales[i % n];
  }
}

inline void Standardization::apply(SparseRows& table) const {
  for (std::size_t entry = 0; entry < table.values.size(); ++entry) {
    table.values[entry] /= scales[static_cast<std::size_t>(table.indices[entry])];
  }
}

inline std::vector<double> Standardization::weights_before(std::vector<double> weights) const {
  for (std::size_t j = 0; j < scales.size(); ++j) {
    weights[j] /= scales[j];
    if (weights.size() > scales.size()) weights.back() -= weights[j] * means[j];
  }
  return weights;
}

}  // namespace sporos::models
