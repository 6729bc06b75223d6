// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/classification/data.hpp>
#include <sporos/runtime/classification/model.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>
#include <sporos/procedures/class_separation.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sporos::runtime {

/// Returns whether the classes of the training rows can be separated; std::nullopt with a penalty, which ensures that a
/// minimum exists. `predictor` is the trained predictor for the features as used in training.
std::optional<ClassSeparation> separation_of(const ClassificationData& data, const LinearPredictor& predictor);

/// Returns the kind of separation, how it was checked and what helps, in one or two sentences for the user.
std::string text_of(const ClassSeparation& separation, const ClassificationData& data);

/// Returns the names and direction entries of the coefficients that grow without bound, the largest first. The entry of
/// the intercept is for features as in the file.
std::vector<std::pair<std::string, double>> growing(ClassSeparation separation, const ClassificationData& data);

/// Report on a trained classification.
struct ClassificationReport {
  const ClassificationData& data;
  const std::variant<SqnOptions, LbfgsOptions>& options;
  const ClassificationOutcome& outcome;
  double seconds;
  Machine machine;
};

/// Whether an objective has grown so much that it will not return to its first value.
inline bool is_hopeless(double objective, double at_first) { return objective > 1000 * at_first; }

/// Returns the reason why a result is not usable as a model, with advice; std::nullopt if it is usable. A result that
/// is not finite is not usable. A run from iteration `first` = 0 starts at the model without features; its result is
/// not usable if the objective has grown. The result of a resumed run is not usable if its objective is hopeless.
std::optional<std::string> divergence(const QuasiNewtonResult& result,
                                      const std::variant<SqnOptions, LbfgsOptions>& options, std::int64_t first);

/// Returns the result as data: the trajectory, the scores on training rows and test rows, and, without a penalty,
/// whether the classes can be separated.
ResultDocument document_of(const ClassificationReport& report);

/// Returns the JSON of a model file. Its member "learned" has the JSON of `document` without version, trajectory,
/// duration and machine.
io::Json model_json(const ClassificationReport& report, const ResultDocument& document);

/// Returns a table with a row for each named part of the data, with its scores and its confusion matrix.
ResultTable scores_table(const std::vector<std::pair<std::string, ClassificationScores>>& parts,
                         const std::array<std::string, 2>& classes);

}  // namespace sporos::runtime
