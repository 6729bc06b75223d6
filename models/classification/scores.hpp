// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/models/classification/losses.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

/// Scores of predicted probabilities of label 1 against labels 0 and 1, on the host. Functions of probabilities throw
/// std::invalid_argument, naming the row (from 0), if there are no rows, the numbers of probabilities and labels
/// differ, a label is neither 0 nor 1, or a probability is not in [0, 1].
namespace sporos::models {

/// The proportion of rows whose label is the more probable one. At probability ½, label 1 is predicted.
double accuracy(std::span<const double> probabilities, std::span<const double> labels);

/// −1/N Σᵢ ln(probability of row i's label). Infinite if such a probability is 0.
double log_loss(std::span<const double> probabilities, std::span<const double> labels);

/// The log loss computed from margins instead of probabilities. No probability is rounded to 0 or 1, so that the result
/// is finite if the margins are. Only the numbers of margins and labels are checked.
double log_loss_of_margins(std::span<const double> margins, std::span<const double> labels);

/// The area under the receiver operating characteristic: the probability that a row of label 1 has a higher probability
/// than a row of label 0, with ties counted half. Computed exactly (Mann and Whitney's statistic by mid-ranks). NaN if
/// all labels are equal.
double area_under_curve(std::span<const double> probabilities, std::span<const double> labels);

namespace impl {

inline void check_scored(std::span<const double> probabilities, std::span<const double> labels) {
  if (probabilities.empty() || probabilities.size() != labels.size()) {
    sporos::impl::refuse_parameter("number of probabilities", std::to_string(probabilities.size()),
                                   "at least 1, and one for each label, " + std::to_string(labels.size()));
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    sporos::impl::check_parameter(LogisticLoss::is_label(labels[i]), "label of row " + std::to_string(i), labels[i],
                                  LogisticLoss::labels);
    check_probability("probability of row " + std::to_string(i), probabilities[i]);
  }
}

}  // namespace impl

inline double accuracy(std::span<const double> probabilities, std::span<const double> labels) {
  impl::check_scored(probabilities, labels);
  std::int64_t right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += (probabilities[i] >= 0.5) == (labels[i] == 1);
  return static_cast<double>(right) / static_cast<double>(labels.size());
}

inline double log_loss(std::span<const double> probabilities, std::span<const double> labels) {
  impl::check_scored(probabilities, labels);
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    sum -= labels[i] == 1 ? math::log(probabilities[i]) : math::log1p(-probabilities[i]);
  }
  return sum / static_cast<double>(labels.size());
}

inline double log_loss_of_margins(std::span<const double> margins, std::span<const double> labels) {
  if (margins.empty() || margins.size() != labels.size()) {
    sporos::impl::refuse_parameter("number of margins", std::to_string(margins.size()),
                                   "at least 1, and one for each label, " + std::to_string(labels.size()));
  }
  const auto count = static_cast<double>(labels.size());
  double mean = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) mean += LogisticLoss::value(margins[i], labels[i]) / count;
  return mean;
}

inline double area_under_curve(std::span<const double> probabilities, std::span<const double> labels) {
  impl::check_scored(probabilities, labels);
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return probabilities[a] < probabilities[b]; });
  // Counts half pairs, so that all counts are whole numbers.
  std::uint64_t ones = 0, zeros = 0, half_pairs = 0;
  for (std::size_t first = 0, next = 0; first < order.size(); first = next) {
    std::uint64_t tied_ones = 0, tied_zeros = 0;
    for (; next < order.size() && probabilities[order[next]] == probabilities[order[first]]; ++next) {
      ++(labels[order[next]] == 1 ? tied_ones : tied_zeros);
    }
    half_pairs += tied_ones * (2 * zeros + tied_zeros);
    ones += tied_ones;
    zeros += tied_zeros;
  }
  if (ones == 0 || zeros == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(half_pairs) / (2.0 * static_cast<double>(ones) * static_cast<double>(zeros));
}

}  // namespace sporos::models
