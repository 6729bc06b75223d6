// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/classification/separation.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace sporos::runtime {

namespace {

void read_row(const models::DenseRows& rows, std::int64_t row, std::span<double> features) {
  const auto first = rows.values.begin() + row * rows.columns;
  std::copy(first, first + rows.columns, features.begin());
}

void read_row(const models::SparseRows& rows, std::int64_t row, std::span<double> features) {
  std::fill_n(features.begin(), rows.columns, 0.0);
  const auto place = static_cast<std::size_t>(row);
  for (auto entry = static_cast<std::size_t>(rows.starts[place]);
       entry < static_cast<std::size_t>(rows.starts[place + 1]); ++entry) {
    features[static_cast<std::size_t>(rows.indices[entry])] = rows.values[entry];
  }
}

// Returns the names of up to five coefficients that grow fastest, and the number of others that grow.
std::string names_of_growing(const ClassSeparation& separation, const ClassificationData& data) {
  constexpr std::size_t most = 5;
  const auto all = growing(separation, data);
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), most); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", io::in_quotes(all[i].first));
  }
  return all.size() > most ? fmt::format("{} and {} more", text, all.size() - most) : text;
}

}  // namespace

std::vector<std::pair<std::string, double>> growing(ClassSeparation separation, const ClassificationData& data) {
  const RowDescription& description = data.description;
  constexpr double least = 1e-6;  // relative to the largest entry
  std::vector<std::pair<std::string, double>> found;
  const bool has_intercept = static_cast<std::int64_t>(separation.direction.size()) > description.columns;
  if (has_intercept && data.standardization) {
    const auto of_features = LinearPredictor::of(separation.direction, description.columns);
    separation.direction.back() = of_features.before(*data.standardization).intercept;
  }
  for (std::size_t j = 0; j < separation.direction.size(); ++j) {
    if (std::abs(separation.direction[j]) < least) continue;
    const bool is_intercept = static_cast<std::int64_t>(j) == description.columns;
    found.emplace_back(is_intercept                        ? "intercept"
                       : description.feature_names.empty() ? fmt::format("feature {}", j + 1)
                                                           : description.feature_names[j],
                       separation.direction[j]);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
  return found;
}

std::optional<ClassSeparation> separation_of(const ClassificationData& data, const LinearPredictor& predictor) {
  const ClassificationTask& task = data.training;
  if (task.model.penalty > 0) return std::nullopt;
  const std::int64_t features = data.description.columns, dimension = features + (task.model.has_intercept ? 1 : 0);
  const auto read = [&](std::int64_t row, std::span<double> numbers) {
    std::visit([&](const auto& rows) { read_row(rows, row, numbers); }, task.features);
    if (dimension > features) numbers[static_cast<std::size_t>(features)] = 1;
  };
  std::vector<double> coefficients = predictor.coefficients;
  if (dimension > features) coefficients.push_back(predictor.intercept);
  return class_separation({dimension, task.labels, read}, coefficients, predictor.margins(task.features));
}

std::string text_of(const ClassSeparation& separation, const ClassificationData& data) {
  constexpr auto consequence =
      "without a penalty there is no minimum: coefficients grow without bound, and those found depend on where the "
      "iteration stopped; give a positive --penalty";
  switch (separation.kind) {
    case SeparationKind::none:
      return "separation: none, by a linear program, so there is a minimum";
    case SeparationKind::quasi:
      return fmt::format(
          "quasi-complete separation: a linear function of {} separates the classes except for rows on its boundary; "
          "{}, or remove such a feature",
          names_of_growing(separation, data), consequence);
    case SeparationKind::complete:
      return fmt::format("complete separation: a linear function of {} separates the classes without an error; {}",
                         names_of_growing(separation, data), consequence);
    default:
      return data.description.columns >= max_separation_coefficients
                 ? fmt::format(
                       "separation: unknown, because there are more than {} coefficients; if the classes can be "
                       "separated, there is no minimum without a penalty",
                       max_separation_coefficients)
                 : "separation: unknown, because the classes are separated or overlap by rounding only; if they can be "
                   "separated, there is no minimum without a penalty";
  }
}

}  // namespace sporos::runtime
