// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/classification/data.hpp>
#include <sporos/runtime/classification/model.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sporos::runtime {

/// A classification that was learned, and how.
struct ClassificationReport {
  const ClassificationData& data;
  const std::variant<SqnOptions, LbfgsOptions>& options;
  const ClassificationOutcome& outcome;
  double seconds;
  Machine machine;
};

/// Whether an objective has grown so much that it will not come back to where it began.
inline bool is_hopeless(double objective, double at_first) { return objective > 1000 * at_first; }

/// Why a result is no model, and what may help; nothing if it is one. It is none if it is worse than the model without
/// features, with which a run begins that follows `first` = 0 iterations, or hopeless.
std::optional<std::string> divergence(const QuasiNewtonResult& result,
                                      const std::variant<SqnOptions, LbfgsOptions>& options, std::int64_t first);

/// The trajectory, the scores on the rows to learn from and on those that were held back, and without a penalty
/// whether the classes can be separated.
ResultDocument document_of(const ClassificationReport& report);

/// The model as its file keeps it, and in "learned" the JSON of `document` without trajectory, times and machine.
io::Json model_json(const ClassificationReport& report, const ResultDocument& document);

/// A row for each named part of the data: how well its classes are predicted, and how often which class was taken for
/// which.
ResultTable scores_table(const std::vector<std::pair<std::string, ClassificationScores>>& parts,
                         const std::array<std::string, 2>& classes);

}  // namespace sporos::runtime
