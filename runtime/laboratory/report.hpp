// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/laboratory/options.hpp>
#include <sporos/runtime/page/document.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/procedures/laboratory/bootstrap.hpp>
#include <sporos/procedures/laboratory/farming.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// What objectives of a problem are measured by. Objectives are as the problem has them.
struct MeasuredProblem {
  std::size_t problem;        ///< its place
  double start;               ///< objective at the start, by post-replications
  double optimum;             ///< that progress is measured against
  std::string_view known_by;  ///< "exact", "certified", "best known", or "best found": by these runs
};

/// A solver on a problem.
struct MeasuredCell {
  std::size_t problem, solver;  ///< their places
  double replications;          ///< that a run used, on average
  double end;                   ///< mean objective at the ends of the runs
  bool is_kept;                 ///< whether it was there already
};

/// A solver that did not run on a problem.
struct LeftOut {
  std::size_t problem, solver;  ///< their places
  std::string why;              ///< "needs ..."
};

/// What a setting or parameter that is varied does to the mean area of a solver on a problem.
struct SettingEffect {
  std::string problem;    ///< its name
  std::string solver;     ///< its name
  VariedSetting setting;  ///< and its range
  MainEffect effect;      ///< on the area, from the low end to the high end
};

/// What an experiment found.
struct ExperimentReport {
  const ExperimentRequest& request;
  std::vector<MeasuredProblem> problems;  ///< of those that a solver ran on
  std::vector<MeasuredCell> cells;        ///< in the order of problems, then solvers
  std::vector<LeftOut> left_out;
  ExperimentSummary summary;           ///< of the cells, in their order
  std::vector<SettingEffect> effects;  ///< of settings that are varied
  std::string_view end;                ///< complete, time or interrupted
  double seconds;
  Machine machine;
};

/// "half of the runs", "0.9 of the runs".
std::string runs_text(double share);

/// For people.
std::string table_of(const ExperimentReport& report);
/// For programs.
std::string json_of(const ExperimentReport& report);
/// A line for each solver on each problem.
std::string csv_of(const ExperimentReport& report);
/// Of a problem, by its place: progress, solve times, feasibility, terminal distributions and areas.
std::vector<PagePicture> problem_pictures_of(const ExperimentReport& report, std::size_t problem);
/// Of all problems: solvability and difference profiles.
std::vector<PagePicture> profile_pictures_of(const ExperimentReport& report);
/// As a page; `json` is json_of(report).
Document document_of(const ExperimentReport& report, const io::Json& json);

}  // namespace sporos::runtime
