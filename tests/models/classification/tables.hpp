// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/classification/dense_features.hpp>
#include <sporos/models/classification/packed_features.hpp>
#include <sporos/models/classification/sparse_features.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace sporos::test {

/// A pseudo-random number between −1 and 1.
inline double some_number(std::int64_t i) {
  return std::sin(0.7 * static_cast<double>(i) * static_cast<double>(i + 3));
}

/// A table of features, row-major.
struct Table {
  std::int64_t columns;
  std::vector<double> values;

  std::int64_t rows() const { return static_cast<std::int64_t>(values.size()) / columns; }
  double at(std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
};

/// A table of zeros and ones.
inline Table binary_table(std::int64_t rows, std::int64_t columns) {
  Table table{columns, {}};
  for (std::int64_t i = 0; i < rows * columns; ++i) table.values.push_back(some_number(i) > 0.2 ? 1 : 0);
  return table;
}

/// A table of floats, of which two in three are 0.
inline Table real_table(std::int64_t rows, std::int64_t columns) {
  Table table{columns, {}};
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    table.values.push_back(some_number(i) > 0.5 ? static_cast<double>(static_cast<float>(some_number(i + 1))) : 0.0);
  }
  return table;
}

inline models::SparseRows sparse_rows(const Table& table) {
  models::SparseRows sparse;
  sparse.columns = table.columns;
  for (std::int64_t i = 0; i < table.rows(); ++i) {
    for (std::int64_t j = 0; j < table.columns; ++j) {
      if (table.at(i, j) == 0) continue;
      sparse.indices.push_back(static_cast<std::int32_t>(j));
      sparse.values.push_back(table.at(i, j));
    }
    sparse.starts.push_back(static_cast<std::int64_t>(sparse.values.size()));
  }
  return sparse;
}

inline models::PackedRows packed_rows(const Table& table) {
  models::PackedRows packed{table.columns, {}};
  packed.words.resize(static_cast<std::size_t>(table.rows() * packed.words_of_row()));
  for (std::int64_t i = 0; i < table.rows(); ++i) {
    for (std::int64_t j = 0; j < table.columns; ++j) {
      if (table.at(i, j) == 0) continue;
      packed.words[static_cast<std::size_t>(i * packed.words_of_row() + j / 64)] |= std::uint64_t{1} << (j % 64);
    }
  }
  return packed;
}

/// Stores the table as features of the given kind; packed features require zeros and ones.
template <class Features>
Features features_of(const Table& table) {
  using MemorySpace = typename Features::memory_space;
  if constexpr (std::is_same_v<Features, models::PackedFeatures<MemorySpace>>) {
    return Features(packed_rows(table));
  } else if constexpr (std::is_same_v<Features, models::SparseFeatures<MemorySpace>>) {
    return Features(sparse_rows(table));
  } else if constexpr (std::is_same_v<Features, models::DenseFeatures<float, MemorySpace>>) {
    return Features(table.columns, std::vector<float>(table.values.begin(), table.values.end()));
  } else {
    return Features(table.columns, table.values);
  }
}

}  // namespace sporos::test
