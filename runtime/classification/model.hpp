// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/classification/task.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/models/classification/preparation.hpp>
#include <sporos/models/classification/rows_to_predict.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sporos::runtime {

/// A linear predictor: the margin of a row x is xᵀ coefficients + intercept.
struct LinearPredictor {
  std::vector<double> coefficients;  ///< one for each feature
  double intercept;

  /// Of the optimizer's solution, `dimension` coefficients and the intercept where there is one.
  static LinearPredictor of(const std::vector<double>& solution, std::int64_t dimension);
  /// That which gives features as they are in the file the margins that this one gives standardized ones.
  LinearPredictor before(const models::Standardization& standardization) const;
  /// The margin of each row.
  std::vector<double> margins(const FeatureRows& rows) const;
};

/// A logistic classification that was learned, as a file keeps it.
struct ClassificationModel {
  models::KnownRows rows;     ///< as it was learned from
  LinearPredictor predictor;  ///< for features as they are in a file
};

/// The members of such a file that tell the model itself:
///
///     {"sporos": version, "kind": "logistic classification", "classes": [name, name], "label": name | null,
///      "feature_count": n, "features": [name...] | null,
///      "columns": [{"name", "levels": [text...] | null}...] | null, "missing": name, "means": [...] | null,
///      "intercept", "coefficients": [...],
///      "standardization": {"means": [...], "scales": [...], "intercept", "coefficients": [...]} | null}
///
/// The probability of the second class is 1 / (1 + exp(-margin)). The columns are those of the file, of numbers or of
/// categories with a feature for each level; means stand in the place of missing values. Files of versions before have
/// neither.
io::Json json_of(const ClassificationModel& model, const LinearPredictor& standardized,
                 const std::optional<models::Standardization>& standardization);

/// The model that such a file's contents describe; throws std::invalid_argument, calling them `what`, where they do
/// not.
ClassificationModel classification_model_of_json(const io::Json& json, const std::string& what);

/// Reads the file; throws std::invalid_argument, naming it, where it is none.
ClassificationModel read_classification_model(const std::string& path);

/// How well a model's probabilities fit labels.
struct ClassificationScores {
  double accuracy;
  double area;                                         ///< under the ROC curve; NaN where there is one class only
  double log_loss;                                     ///< from margins: finite where these are
  std::array<std::array<std::int64_t, 2>, 2> counted;  ///< [label][predicted label]

  /// Number of rows.
  std::int64_t rows() const { return counted[0][0] + counted[0][1] + counted[1][0] + counted[1][1]; }
};

/// The probability of label 1 for each margin.
std::vector<double> probabilities_of(std::vector<double> margins);

/// Of the margins of at least one row.
ClassificationScores scores_of(const std::vector<double>& margins, const std::vector<double>& labels);

/// The label that a probability predicts.
inline int predicted_label(double probability) { return probability >= 0.5 ? 1 : 0; }

}  // namespace sporos::runtime
