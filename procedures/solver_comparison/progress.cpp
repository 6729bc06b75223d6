// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/solver_comparison/progress.hpp>

#include <sporos/core/math/normal.hpp>

#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace sporos {

namespace {

double mean_of_groups(const std::vector<double>& of_groups, const std::vector<std::size_t>& groups) {
  double sum = 0;
  for (const std::size_t group : groups) sum += of_groups[group];
  return sum / static_cast<double>(groups.size());
}

}  // namespace

ProblemScale scale_of(const EvaluatedPoint& start, const EvaluatedPoint& best) {
  return {start.of_groups, best.of_groups};
}

bool is_infeasible(const EvaluatedPoint& point, double confidence) {
  if (point.exceeded_by.empty()) return false;
  const double critical = math::normal_quantile(1 - (1 - confidence) / static_cast<double>(point.exceeded_by.size()));
  for (std::size_t j = 0; j < point.exceeded_by.size(); ++j) {
    if (point.exceeded_by[j] - critical * point.errors[j] > 0) return true;
  }
  return false;
}

const EvaluatedPoint* best_of(std::span<const RecordedRuns> all, double confidence) {
  const EvaluatedPoint* best = nullptr;
  for (const RecordedRuns& runs : all) {
    for (const EvaluatedPoint& point : runs.points) {
      if (is_infeasible(point, confidence)) continue;
      if (best == nullptr || point.objective < best->objective) best = &point;
    }
  }
  return best;
}

Resample everything(const RecordedRuns& runs) {
  Resample all{std::vector<std::size_t>(runs.runs.size()),
               std::vector<std::size_t>(runs.points.front().of_groups.size())};
  std::iota(all.runs.begin(), all.runs.end(), std::size_t{0});
  std::iota(all.groups.begin(), all.groups.end(), std::size_t{0});
  return all;
}

ProgressCurves progress_of(const RecordedRuns& runs, std::int64_t budget, const ProblemScale& scale, double confidence,
                           const Resample& resample) {
  const double optimum = mean_of_groups(scale.optimum, resample.groups);
  const double gap = mean_of_groups(scale.start, resample.groups) - optimum;
  if (gap == 0) throw std::invalid_argument("the start is an optimum already, expected another start");
  std::vector<double> progress;
  std::vector<bool> are_infeasible;
  for (const EvaluatedPoint& point : runs.points) {
    progress.push_back((mean_of_groups(point.of_groups, resample.groups) - optimum) / gap);
    are_infeasible.push_back(is_infeasible(point, confidence));
  }
  ProgressCurves found;
  for (const std::size_t run : resample.runs) {
    std::vector<double> x, y, solving, feasible;
    const auto add = [&](double place, std::size_t point) {
      x.push_back(place);
      y.push_back(progress[point]);
      solving.push_back(are_infeasible[point] ? std::numeric_limits<double>::infinity() : progress[point]);
      feasible.push_back(are_infeasible[point] ? 0 : 1);
    };
    const std::vector<RecordedStep>& steps = runs.runs[run].steps;
    for (const RecordedStep& step : steps)
      add(static_cast<double>(step.replications) / static_cast<double>(budget), step.point);
    if (x.back() < 1) add(1, steps.back().point);
    found.progress.emplace_back(x, std::move(y));
    found.solving.emplace_back(x, std::move(solving));
    found.feasible.emplace_back(std::move(x), std::move(feasible));
  }
  return found;
}

}  // namespace sporos
