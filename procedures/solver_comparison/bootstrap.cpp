// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/solver_comparison/bootstrap.hpp>

#include <sporos/core/math/normal.hpp>
#include <sporos/core/random/decision_engine.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace sporos {

namespace {

// Engine of a problem: for its start and optimum (part 0), or for the runs of one of its solvers (part 1 on).
DecisionEngine engine_of(std::uint64_t seed, std::size_t problem, std::size_t part) {
  return decision_engine(RandomDecision::bootstrap, seed, static_cast<std::uint32_t>(problem),
                         static_cast<std::uint32_t>(part));
}

// Draws `count` of the numbers 0 to `count` − 1 with replacement.
std::vector<std::size_t> drawn_places(std::size_t count, DecisionEngine& engine) {
  std::vector<std::size_t> places(count);
  for (std::size_t& place : places) place = index_below(count, engine);
  return places;
}

// All statistics of a cell.
struct CellStatistics {
  std::vector<double> mean, quantile, solved, feasible;  // on the grid
  double area_mean, area_deviation, solve_time, end_mean;

  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const auto* list : {&mean, &quantile, &solved, &feasible}) {
      for (const double number : *list) visit(number);
    }
    for (const double number : {area_mean, area_deviation, solve_time, end_mean}) visit(number);
  }
};

double mean_of_numbers(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double deviation_of_numbers(const std::vector<double>& numbers) {
  const double mean = mean_of_numbers(numbers);
  double squares = 0;
  for (const double number : numbers) squares += (number - mean) * (number - mean);
  return std::sqrt(squares / (static_cast<double>(numbers.size()) - 1));
}

double share_until(const std::vector<double>& times, double end) {
  const auto reached = std::ranges::count_if(times, [&](double time) { return time <= end; });
  return static_cast<double>(reached) / static_cast<double>(times.size());
}

std::vector<double> times_of(const ProgressCurves& curves, double solved_below) {
  std::vector<double> times;
  for (const StepCurve& curve : curves.solving) times.push_back(curve.first_below(solved_below));
  return times;
}

std::vector<double> values_at(const std::vector<StepCurve>& curves, double place) {
  std::vector<double> values;
  for (const StepCurve& curve : curves) values.push_back(curve.at(place));
  return values;
}

CellStatistics statistics_of(const ProgressCurves& curves, const SummaryOptions& options) {
  CellStatistics found{};
  const std::vector<double> times = times_of(curves, options.solved_below);
  for (const double place : options.grid) {
    const std::vector<double> values = values_at(curves.progress, place);
    found.mean.push_back(mean_of_numbers(values));
    found.quantile.push_back(quantile_of_numbers(values, options.quantile));
    found.solved.push_back(share_until(times, place));
    found.feasible.push_back(mean_of_numbers(values_at(curves.feasible, place)));
  }
  std::vector<double> areas, ends;
  for (const StepCurve& curve : curves.progress) {
    areas.push_back(curve.area());
    ends.push_back(curve.y().back());
  }
  found.area_mean = mean_of_numbers(areas);
  found.area_deviation = deviation_of_numbers(areas);
  found.solve_time = quantile_of_times(times, options.quantile);
  found.end_mean = mean_of_numbers(ends);
  return found;
}

// Estimates and their bootstrap replicates, number by number.
class Replicated {
 public:
  explicit Replicated(const std::vector<double>& estimates) : m_estimates(estimates), m_replicates(estimates.size()) {}

  void add(const std::vector<double>& replicate) {
    for (std::size_t i = 0; i < replicate.size(); ++i) m_replicates[i].push_back(replicate[i]);
  }

  BootstrapBand intervals(double confidence) && {
    BootstrapBand found;
    for (std::size_t i = 0; i < m_estimates.size(); ++i)
      found.push_back(bias_corrected(m_estimates[i], std::move(m_replicates[i]), confidence));
    return found;
  }

 private:
  std::vector<double> m_estimates;
  std::vector<std::vector<double>> m_replicates;
};

std::vector<double> numbers_of(const CellStatistics& statistics) {
  std::vector<double> numbers;
  statistics.for_each([&](double number) { numbers.push_back(number); });
  return numbers;
}

// Profiles of all solvers, from the statistics of all cells.
class Profiles {
 public:
  Profiles(std::span<const ComparedRuns> cells, std::size_t solvers, const SummaryOptions& options)
      : m_options(options), m_of_solver(solvers) {
    for (std::size_t i = 0; i < cells.size(); ++i) m_of_solver[cells[i].solver][cells[i].problem] = i;
  }

  std::vector<std::size_t> problems_of(std::size_t solver) const {
    std::vector<std::size_t> problems;
    for (const auto& [problem, cell] : m_of_solver[solver]) problems.push_back(problem);
    return problems;
  }

  // Returns the four curves of SolverSummary on the grid, one after the other.
  std::vector<double> numbers_of(std::size_t solver, const std::vector<CellStatistics>& cells) const {
    std::vector<double> solvability, by_quantile, difference, quantile_difference;
    const auto& own = m_of_solver[solver];
    const auto& reference = m_of_solver[m_options.reference];
    for (std::size_t k = 0; k < m_options.grid.size(); ++k) {
      const auto solved = [&](std::size_t cell) { return cells[cell].solved[k]; };
      const auto is_solved = [&](std::size_t cell) { return cells[cell].solve_time <= m_options.grid[k] ? 1.0 : 0.0; };
      std::vector<double> values, jumps, differences, jump_differences;
      for (const auto& [problem, cell] : own) {
        values.push_back(solved(cell));
        jumps.push_back(is_solved(cell));
        const auto other = reference.find(problem);
        if (other == reference.end()) continue;
        differences.push_back(solved(cell) - solved(other->second));
        jump_differences.push_back(is_solved(cell) - is_solved(other->second));
      }
      solvability.push_back(mean_of_numbers(values));
      by_quantile.push_back(mean_of_numbers(jumps));
      difference.push_back(mean_of_numbers(differences));
      quantile_difference.push_back(mean_of_numbers(jump_differences));
    }
    for (const auto* list : {&by_quantile, &difference, &quantile_difference})
      solvability.insert(solvability.end(), list->begin(), list->end());
    return solvability;
  }

 private:
  const SummaryOptions& m_options;
  std::vector<std::map<std::size_t, std::size_t>> m_of_solver;  // for each solver, cell by problem
};

BootstrapBand part_of(const BootstrapBand& all, std::size_t part, std::size_t size) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(part * size);
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

CellSummary cell_summary(const BootstrapBand& all, const ProgressCurves& curves, const SummaryOptions& options) {
  const std::size_t size = options.grid.size();
  CellSummary summary{part_of(all, 0, size),
                      part_of(all, 1, size),
                      part_of(all, 2, size),
                      part_of(all, 3, size),
                      all[4 * size],
                      all[4 * size + 1],
                      all[4 * size + 2],
                      all[4 * size + 3],
                      {},
                      {},
                      {}};
  for (const StepCurve& curve : curves.progress) summary.ends.push_back(curve.y().back());
  for (const double place : options.grid) {
    const std::vector<double> values = values_at(curves.progress, place);
    summary.lowest.push_back(quantile_of_numbers(values, 0.1));
    summary.highest.push_back(quantile_of_numbers(values, 0.9));
  }
  return summary;
}

}  // namespace

BootstrapInterval bias_corrected(double estimate, std::vector<double> replicates, double confidence) {
  if (replicates.empty() || std::isnan(estimate)) return {estimate, estimate, estimate};
  std::erase_if(replicates, [](double value) { return std::isnan(value); });
  if (replicates.empty()) return {estimate, estimate, estimate};
  std::ranges::sort(replicates);
  const auto count = static_cast<double>(replicates.size());
  const auto [first, last] = std::equal_range(replicates.begin(), replicates.end(), estimate);
  const double below = static_cast<double>(first - replicates.begin()) + 0.5 * static_cast<double>(last - first);
  const double share = std::clamp(below / count, 0.5 / count, 1 - 0.5 / count);
  const double z = math::normal_quantile(share), width = math::normal_quantile(0.5 + confidence / 2);
  const auto at = [&](double place) {
    const double rank = std::floor(math::normal_cdf(place) * count);
    return replicates[static_cast<std::size_t>(std::clamp(rank, 0.0, count - 1))];
  };
  return {estimate, at(2 * z - width), at(2 * z + width)};
}

SolverComparisonSummary summaries_of(std::span<const ComparedRuns> cells, std::size_t solvers,
                                     const SummaryOptions& options) {
  const Profiles profiles(cells, solvers, options);
  const auto curves_of = [&](const ComparedRuns& cell, const Resample& resample) {
    return progress_of(*cell.runs, cell.budget, *cell.scale, options.confidence, resample);
  };
  std::vector<ProgressCurves> curves;
  std::vector<CellStatistics> statistics;
  std::vector<Replicated> of_cells, of_solvers;
  for (const ComparedRuns& cell : cells) {
    curves.push_back(curves_of(cell, everything(*cell.runs)));
    statistics.push_back(statistics_of(curves.back(), options));
    of_cells.emplace_back(numbers_of(statistics.back()));
  }
  for (std::size_t solver = 0; solver < solvers; ++solver)
    of_solvers.emplace_back(profiles.numbers_of(solver, statistics));

  std::map<std::size_t, DecisionEngine> of_groups;
  std::vector<DecisionEngine> of_runs;
  for (const ComparedRuns& cell : cells) {
    of_groups.try_emplace(cell.problem, engine_of(options.seed, cell.problem, 0));
    of_runs.push_back(engine_of(options.seed, cell.problem, cell.solver + 1));
  }
  for (std::int64_t b = 0; b < options.bootstraps; ++b) {
    std::map<std::size_t, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const ComparedRuns& cell = cells[i];
      auto& drawn = groups[cell.problem];
      if (drawn.empty()) drawn = drawn_places(cell.scale->start.size(), of_groups.at(cell.problem));
      const Resample resample{drawn_places(cell.runs->runs.size(), of_runs[i]), drawn};
      statistics[i] = statistics_of(curves_of(cell, resample), options);
      of_cells[i].add(numbers_of(statistics[i]));
    }
    for (std::size_t solver = 0; solver < solvers; ++solver)
      of_solvers[solver].add(profiles.numbers_of(solver, statistics));
  }

  SolverComparisonSummary summary;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    summary.cells.push_back(cell_summary(std::move(of_cells[i]).intervals(options.confidence), curves[i], options));
  }
  const std::size_t size = options.grid.size();
  for (std::size_t solver = 0; solver < solvers; ++solver) {
    SolverSummary& own = summary.solvers.emplace_back();
    own.problems = profiles.problems_of(solver);
    const BootstrapBand all = std::move(of_solvers[solver]).intervals(options.confidence);
    if (own.problems.empty()) continue;
    own.solvability = part_of(all, 0, size);
    own.quantile_solvability = part_of(all, 1, size);
    own.difference = part_of(all, 2, size);
    own.quantile_difference = part_of(all, 3, size);
  }
  return summary;
}

}  // namespace sporos
