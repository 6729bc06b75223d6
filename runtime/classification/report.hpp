// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/classification/data.hpp>
#include <sporos/runtime/classification/model.hpp>
#include <sporos/runtime/classification/separation.hpp>
#include <sporos/runtime/page/document.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

namespace sporos::runtime {

/// A classification that was learned, and how.
struct ClassificationReport {
  const ClassificationData& data;
  const std::variant<SqnOptions, LbfgsOptions>& options;
  const QuasiNewtonResult& result;
  ClassificationScores training;              ///< on the rows it was learned from
  std::optional<ClassificationScores> test;   ///< on those that were held back
  std::optional<ClassSeparation> separation;  ///< of the classes; nothing with a penalty
  std::size_t bytes;                          ///< memory that the features took
  double seconds;
  Machine machine;
};

/// Why it ended, as reports have it: the callback stops only where a signal came.
std::string end_of(const QuasiNewtonResult& result);

/// For people: data, method, objective, counts, scores, a few points of the trajectory.
std::string table_of(const ClassificationReport& report);

/// A line for each point of the trajectory.
std::string csv_of(const ClassificationReport& report);

/// Everything but the model:
///
///     {"sporos": version, "problem": "classification", "data": {...}, "options": {...}, "stopped_by", "iterations",
///      "objective", "gradient_norm", "separation": {...} | null, "counts": {...}, "training": {...}, "test": {...} |
///      null, "trajectory": [{"iteration", "objective", "gradient_norm", "step", "counts", "seconds"}], "run":
///      {"seconds", "machine": {...}}}
///
/// Equal runs give equal bytes but for "run" and the seconds of the trajectory.
std::string json_of(const ClassificationReport& report);

/// As a page; `json` is json_of(report).
Document document_of(const ClassificationReport& report, const io::Json& json);

/// How the model came about, for its file: the report without trajectory and run.
io::Json summary_of(const ClassificationReport& report);

}  // namespace sporos::runtime
