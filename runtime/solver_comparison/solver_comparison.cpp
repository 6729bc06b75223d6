// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/solver_comparison/solver_comparison.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/tool_region.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/optimizers/search/run_searches.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

// Returns the areas under the mean progress curves of the cells for which `pick` returns true, in the order of the
// cells.
template <class Pick>
std::vector<double> areas_of(const SolverComparisonReport& report, const Pick& pick) {
  std::vector<double> areas;
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    if (pick(report.cells[i])) areas.push_back(report.summary.cells[i].area_mean.estimate);
  }
  return areas;
}

// Adds the main effects of the factors of a varied solver or problem on the areas. Does nothing if a design point has
// no area.
void add_effects(SolverComparisonReport& report, const Farmed& farmed, const std::vector<double>& areas,
                 const std::string& problem, const std::string& solver) {
  if (areas.size() != farmed.design.size()) return;
  const auto effects = main_effects(farmed.design, areas, report.request.summary.confidence);
  for (std::size_t k = 0; k < effects.size(); ++k)
    report.effects.push_back({problem, solver, farmed.settings[k], effects[k]});
}

bool is_of(const Farmed& farmed, std::size_t place) {
  return place >= farmed.first && place < farmed.first + farmed.design.size();
}

// Adds the effects of each varied solver, separately for each problem, and of each varied problem, separately for each
// solver.
void add_effects(SolverComparisonReport& report) {
  const SolverComparisonRequest& request = report.request;
  for (std::size_t problem = 0; problem < request.problems.size(); ++problem) {
    for (const Farmed& farmed : request.farmed) {
      const auto areas = areas_of(
          report, [&](const MeasuredCell& cell) { return cell.problem == problem && is_of(farmed, cell.solver); });
      add_effects(report, farmed, areas, request.problems[problem].described->name, farmed.name);
    }
  }
  for (std::size_t solver = 0; solver < request.solvers.size(); ++solver) {
    for (const Farmed& farmed : request.farmed_problems) {
      const auto areas = areas_of(
          report, [&](const MeasuredCell& cell) { return cell.solver == solver && is_of(farmed, cell.problem); });
      add_effects(report, farmed, areas, farmed.name, request.solvers[solver].name);
    }
  }
}

double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

}  // namespace

ProblemOnBackend::ProblemOnBackend(const SolverComparisonRequest& request, const RegisteredProblem& problem,
                                   const Backend& backend)
    : m_registered(problem), m_search(search_request(problem)) {
  m_search.budget = budget_of(request, problem);
  m_search.seed = request.seed;
  m_requested.emplace(m_search,
                      objective_of(m_search.objective, m_search.constraints_on_means, *m_search.model, m_search.values,
                                   m_search.decisions),
                      backend);
}

std::optional<std::vector<double>> ProblemOnBackend::optimum() {
  const auto& known = m_registered.described->optimum;
  if (!known || known->x.empty()) return std::nullopt;
  return m_requested->tails() ? m_requested->tails()->with_thresholds(known->x) : known->x;
}

std::optional<std::string> ProblemOnBackend::unmet_requirement(const ComparedSolver& solver) const {
  if (solver.own) return std::nullopt;
  const bool has_kernel = has_probabilities(m_search) && m_search.gradient != GradientKind::likelihood_ratio;
  const GradientKind gradient = has_kernel ? GradientKind::kernel : m_search.gradient;
  return runtime::unmet_requirement(*solver.description, m_requested->problem(), gradient);
}

Solver ProblemOnBackend::solver(const ComparedSolver& solver) const {
  if (solver.own) return solver.own;
  SolverSettings settings = solver.settings;
  if (settings.replications == 0) settings.replications = m_requested->default_sample();
  return make_solver(*solver.description, settings, m_requested->problem());
}

void SolverComparison::run(const Backend& backend,
                           const std::function<bool(const SolverComparisonProgress&)>& is_enough,
                           const std::function<void()>& allow_launches) {
  m_allow_launches = allow_launches;
  for (std::size_t problem = 0; problem < m_request.problems.size(); ++problem) {
    try {
      if (!run_problem(problem, backend, is_enough)) return;
    } catch (const LaunchStopped&) {  // the stop came before the problem's first cell
      return;
    }
  }
  if (!m_cells.empty()) return;
  throw std::invalid_argument(fmt::format("no solver of --solvers fits a problem of --problems: {} on {} needs {}",
                                          m_request.solvers[m_left_out.front().solver].name,
                                          m_request.problems[m_left_out.front().problem].described->name,
                                          m_left_out.front().why));
}

// Runs all solvers on a problem. Returns whether the comparison continues.
bool SolverComparison::run_problem(std::size_t problem, const Backend& backend,
                                   const std::function<bool(const SolverComparisonProgress&)>& is_enough) {
  const RegisteredProblem& registered = m_request.problems[problem];
  ProblemOnBackend on_backend(m_request, registered, backend);
  const std::size_t all = m_request.problems.size() * m_request.solvers.size();
  bool goes_on = true;
  for (std::size_t solver = 0; solver < m_request.solvers.size() && goes_on; ++solver) {
    const auto is_over = [&] {
      return is_enough(
          {registered.described->name, m_request.solvers[solver].name, m_cells.size() + m_left_out.size(), all});
    };
    goes_on = run_cell(on_backend, problem, solver, is_over);
  }
  if (m_cells.empty() || m_cells.back().problem != problem) return goes_on;
  return measure_in_time(on_backend, problem, goes_on) && goes_on;
}

// Measures a problem, if there is time; otherwise removes its cells, which cannot be compared. Returns whether there
// was time.
bool SolverComparison::measure_in_time(ProblemOnBackend& on_backend, std::size_t problem, bool goes_on) {
  if (!goes_on) m_allow_launches();
  try {
    measure(on_backend, problem);
    return true;
  } catch (const LaunchStopped&) {
    std::erase_if(m_cells, [&](const Cell& cell) { return cell.problem == problem; });
    return false;
  }
}

// Runs a solver on a problem. Returns whether the comparison continues.
bool SolverComparison::run_cell(ProblemOnBackend& on_backend, std::size_t problem, std::size_t solver,
                                const std::function<bool()>& is_enough) {
  const RegisteredProblem& registered = m_request.problems[problem];
  const ComparedSolver& compared = m_request.solvers[solver];
  const ToolRegion region(
      [&] { return "sporos::compare_solvers[" + registered.described->name + " by " + compared.name + "]"; });
  if (auto reason = on_backend.unmet_requirement(compared)) {
    m_left_out.push_back({problem, solver, std::move(*reason)});
    return true;
  }
  if (auto kept = m_kept.read(m_request, registered, compared)) {
    m_cells.push_back({problem, solver, std::move(*kept), true});
    return true;
  }
  const RecordingOptions options{budget_of(m_request, registered), m_request.looks, m_request.post};
  const auto seeds = seeds_of_runs(m_request.seed, m_request.runs);
  try {
    RecordedRuns runs =
        recorded_runs(on_backend.problem(), on_backend.solver(compared), on_backend.start(), seeds, options, is_enough);
    if (runs.runs.empty()) return false;
    if (std::ranges::all_of(runs.runs, [](const RecordedRun& run) { return run.replications == 0; })) {
      if (!m_request.budget) {  // the user gave no budget that could be increased
        m_left_out.push_back(
            {problem, solver,
             fmt::format("a larger budget than the problem's, {}, for its first step", options.budget)});
        return true;
      }
      throw std::invalid_argument(
          fmt::format("--budget of {} is {}, too small for the first step of {}, expected a larger budget",
                      registered.described->name, options.budget, compared.name));
    }
    m_kept.write(m_request, registered, compared, runs);
    m_cells.push_back({problem, solver, std::move(runs), false});
  } catch (const io::WriteError&) {
    throw;
  } catch (const LaunchStopped&) {
    return !is_enough();
  } catch (const std::runtime_error& error) {  // for example an objective that is not finite
    m_left_out.push_back({problem, solver, fmt::format("another problem: {}", error.what())});
  }
  return true;
}

// Determines the scale on which the problem's objectives are measured.
void SolverComparison::measure(ProblemOnBackend& on_backend, std::size_t problem) {
  const DescribedProblem& described = *m_request.problems[problem].described;
  std::vector<std::vector<double>> points{on_backend.start()};
  const auto optimum = on_backend.optimum();
  if (optimum) points.push_back(*optimum);
  const auto seen = evaluated_points(on_backend.problem(), points, m_request.post);
  ProblemScale scale{seen.front().of_groups, seen.back().of_groups};
  std::string_view known_by = "best found";
  if (described.optimum) {
    known_by = name_of(described.optimum->kind);
    if (!optimum) std::ranges::fill(scale.optimum, on_backend.sign() * described.optimum->value);
  } else {
    std::vector<RecordedRuns> all;
    for (const Cell& cell : m_cells) {
      if (cell.problem == problem) all.push_back(cell.runs);
    }
    if (const EvaluatedPoint* best = best_of(all, m_request.summary.confidence)) scale.optimum = best->of_groups;
  }
  const double start = mean_of(scale.start), best = mean_of(scale.optimum);
  if (!(start > best)) {
    std::erase_if(m_cells, [&](const Cell& cell) { return cell.problem == problem; });
    for (std::size_t solver = 0; solver < m_request.solvers.size(); ++solver)
      m_left_out.push_back({problem, solver, "a start that is worse than the best known point"});
    return;
  }
  // Adding 0.0 avoids -0.
  m_problems.push_back({problem, on_backend.sign() * start + 0.0, on_backend.sign() * best + 0.0, known_by});
  m_scales.push_back(std::move(scale));
}

SolverComparisonReport SolverComparison::report(std::optional<StopReason> ended_by, double seconds,
                                                const Machine& machine) const {
  SolverComparisonReport report{m_request, m_problems, {}, m_left_out, {}, {}, ended_by, seconds, machine};
  std::vector<ComparedRuns> cells;
  for (const Cell& cell : m_cells) {
    const auto measured = std::ranges::find(m_problems, cell.problem, &MeasuredProblem::problem);
    const auto& [problem, solver, runs, is_kept] = cell;
    const RegisteredProblem& registered = m_request.problems[problem];
    const double sign = registered.described->is_maximized ? -1 : 1;
    std::vector<double> used, ends;
    for (const RecordedRun& run : runs.runs) {
      used.push_back(static_cast<double>(run.replications));
      ends.push_back(sign * runs.points[run.steps.back().point].objective);
    }
    report.cells.push_back({problem, solver, mean_of(used), mean_of(ends), is_kept});
    cells.push_back({solver, problem, &runs, budget_of(m_request, registered),
                     &m_scales[static_cast<std::size_t>(measured - m_problems.begin())]});
  }
  report.summary = summaries_of(cells, m_request.solvers.size(), m_request.summary);
  add_effects(report);
  return report;
}

}  // namespace sporos::runtime
