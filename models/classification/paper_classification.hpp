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

/// Synthetic rows of binary features with their labels.
struct PaperClassification {
  PackedRows features;         ///< N rows of n features
  std::vector<double> labels;  ///< label of each row, 0 or 1
  std::vector<double> rule;    ///< the n weights that determine the labels
};

/// The instance of He et al. (2024), A preliminary study on accelerating simulation optimization with GPU
/// implementation, section 4.1, after Mukherjee et al. (2013). Features are 1 with probability ½. A row x has label 1
/// if xᵀw > 0 for random weights w, which are standard normals minus their mean, so that both classes are equally
/// likely. Each label is then flipped with probability `noise`. Every value is a function of the seed and its position:
/// row i is the same for every N. Throws std::invalid_argument for fewer than one feature or row, or if `noise` is not
/// a probability.
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
