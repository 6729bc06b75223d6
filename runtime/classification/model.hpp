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
#include <vector>

namespace sporos::runtime {

/// A linear predictor: the margin of a row x is xᵀ coefficients + intercept.
struct LinearPredictor {
  std::vector<double> coefficients;  ///< coefficient of each feature
  double intercept;

  /// Returns the predictor of an optimizer's solution: `dimension` coefficients, followed by the intercept if there is
  /// one.
  static LinearPredictor of(const std::vector<double>& solution, std::int64_t dimension);
  /// Converts a predictor for standardized features to one for the features in the file, with equal margins.
  LinearPredictor before(const models::Standardization& standardization) const;
  /// Returns the margin of each row.
  std::vector<double> margins(const FeatureRows& rows) const;
};

/// A trained model of logistic classification, as stored in a model file.
struct ClassificationModel {
  models::KnownRows rows;     ///< properties of the training rows
  LinearPredictor predictor;  ///< predictor for features as in a data file, not standardized
};

/// Returns the members of a model file that describe the model itself:
///
///     {"sporos": version, "kind": "logistic classification", "classes": [name, name], "label": name | null,
///      "feature_count": n, "features": [name...] | null,
///      "columns": [{"name", "levels": [text...] | null}...] | null, "missing": name, "means": [...] | null,
///      "intercept", "coefficients": [...],
///      "standardization": {"means": [...], "scales": [...], "intercept", "coefficients": [...]} | null}
///
/// The probability of the second class is 1 / (1 + exp(-margin)). The columns are those of the data file: columns of
/// numbers, or columns of categories with a feature for each level. Means replace missing values. Files of earlier
/// versions have neither columns nor means.
io::Json json_of(const ClassificationModel& model, const LinearPredictor& standardized,
                 const std::optional<models::Standardization>& standardization);

/// Returns the model that the JSON of a model file describes. Throws std::invalid_argument, in which `what` names the
/// JSON, if it describes none.
ClassificationModel classification_model_of_json(const io::Json& json, const std::string& what);

/// Reads a model file. Throws std::invalid_argument, which names the file, if it is not a model file.
ClassificationModel read_classification_model(const std::string& path);

/// Scores of a model's probabilities, compared with labels.
struct ClassificationScores {
  double accuracy;
  double area;                                         ///< area under the ROC curve; NaN if there is only one class
  double log_loss;                                     ///< log-loss, computed from margins: finite if these are
  std::array<std::array<std::int64_t, 2>, 2> counted;  ///< number of rows by [label][predicted label]

  /// Number of rows.
  std::int64_t rows() const { return counted[0][0] + counted[0][1] + counted[1][0] + counted[1][1]; }
};

/// Returns the probability of label 1 for each margin.
std::vector<double> probabilities_of(std::vector<double> margins);

/// Returns the scores for the margins and labels of at least one row.
ClassificationScores scores_of(const std::vector<double>& margins, const std::vector<double>& labels);

/// Returns the label that a probability predicts.
inline int predicted_label(double probability) { return probability >= 0.5 ? 1 : 0; }

}  // namespace sporos::runtime
