// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/standard_normals.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/models/classification/packed_features.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sporos::models {

/// Invented rows of binary features, and their labels.
struct PaperClassification {
  PackedRows features;         ///< N rows of n
  std::vector<double> labels;  ///< 0 or 1 for each row
  std::vector<double> rule;    ///< the n weights behind the labels
};

/// The instance of paper 004, section 4.1, after Mukherjee et al. (2013): features are 1 with probability ½; a row x
/// gets the label 1 where xᵀw > 0 for random weights w, standard normals less their mean, so that both classes are as
/// likely; then each label is turned round with probability `noise`. Everything is a function of the seed and its
/// place: row i is the same for every N. Throws std::invalid_argument for fewer than one feature or row, or a noise
/// that is no probability.
inline PaperClassification paper_classification(std::int64_t features, std::int64_t rows, double noise,
                                                std::uint64_t seed) {
  check_positive_integer("number of features", features);
  check_positive_integer("number of rows", rows);
  check_probability("label noise", noise);
  enum Input : std::uint32_t { feature, weight, turn };
  const auto n = static_cast<std::size_t>(features), row_count = static_cast<std::size_t>(rows);
  PaperClassification made{{features, {}}, std::vector<double>(row_count), std::vector<double>(n)};
  fill_standard_normals({seed, 0, weight}, 0, features, made.rule.data());
  const double mean = std::accumulate(made.rule.begin(), made.rule.end(), 0.0) / static_cast<double>(n);
  for (double& w : made.rule) w -= mean;
  const auto width = static_cast<std::size_t>(made.features.words_of_row());
  const std::uint64_t used_of_last = ~std::uint64_t{0} >> (64 * width - n);
  made.features.words.resize(row_count * width + impl::packed_padding);
  for (std::size_t i = 0; i < row_count; ++i) {
    std::uint64_t* const row = made.features.words.data() + i * width;
    for (std::size_t w = 0; w < width; ++w) row[w] = Philox4x32::block({seed, i, feature}, w / 2)[w % 2];
    row[width - 1] &= used_of_last;
  }
  const PackedHandle handle{made.features.words.data(), made.features.words_of_row(), features};
  const auto rule = handle.prepared(made.rule.data());
  for (std::int64_t first = 0; first < rows; first += PackedHandle::rows_of_task) {
    const std::int64_t count = std::min(PackedHandle::rows_of_task, rows - first);
    handle.multiply({nullptr, rows}, first, count, rule, made.labels.data() + first);
  }
  made.features.words.resize(row_count * width);
  for (std::size_t i = 0; i < row_count; ++i) {
    const bool is_turned = open_uniform(Philox4x32::block({seed, i, turn}, 0)[0]) < noise;
    made.labels[i] = (made.labels[i] > 0) != is_turned ? 1.0 : 0.0;
  }
  return made;
}

}  // namespace sporos::models
