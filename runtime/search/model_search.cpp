// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/model_search.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/search/macro_replications.hpp>
#include <sporos/runtime/search/unseen_objectives.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/optimizers/search/check_pathwise.hpp>
#include <sporos/optimizers/search/optimality_gap.hpp>
#include <sporos/optimizers/search/selection.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sporos::runtime {

void ModelSearch::start(const Backend& backend) {
  m_requested.emplace(m_request, std::move(m_objective), backend);
  m_problem = &m_requested->problem();
  if (m_request.settings.replications == 0) m_request.settings.replications = m_requested->usual_sample();
  m_journal.emplace(*m_problem);
  choose_solver();
  if (m_request.gap_batches.value_or(0) > 0) check_that_gap_is_bounded();
}

void ModelSearch::choose_solver() {
  const bool is_scored = m_request.gradient == GradientKind::likelihood_ratio;
  const GradientKind gradients = has_probabilities(m_request) && !is_scored ? GradientKind::kernel : m_request.gradient;
  if (m_request.solver != "automatic") {
    m_solver = {&find_solver(m_request.solver, *m_problem, gradients), ""};
  } else {
    bool is_biased = false;
    m_solver = automatic_solver(*m_problem, gradients, [&] { return !(is_biased = !are_gradients_unbiased()); });
    if (is_biased && has_likelihood_ratios(*m_request.model, m_request.decisions))
      m_solver.reason += "; those of --gradient likelihood-ratio are not";
  }
  m_make = make_solver(*m_solver.solver, m_request.settings, *m_problem);
}

// By a tenth of the budget, on replications of its own.
bool ModelSearch::are_gradients_unbiased() {
  if (m_are_unbiased) return *m_are_unbiased;
  PathwiseCheckOptions options;
  const auto points = static_cast<std::int64_t>(4 * m_problem->dimension() + 1);
  options.replications = std::clamp<std::int64_t>(m_request.budget / 10 / points, 30, 10'000);
  options.seed = m_request.seed + 1;
  for (const DecisionRange& bounds : m_problem->bounds()) {
    if (std::isfinite(bounds.high)) options.step = std::min(options.step, (bounds.high - bounds.low) / 100);
  }
  m_are_unbiased = !check_pathwise(*m_problem, m_requested->start(), options);
  return *m_are_unbiased;
}

// By its linear oracle: minimizing a batch anew is for boxes.
bool ModelSearch::bounds_gap_by_frank_wolfe() const {
  return m_request.constraints_on_means.empty() && (!m_request.constraints.empty() || solver() == "frank-wolfe");
}

std::int64_t ModelSearch::gap_batches() const {
  constexpr std::int64_t usual = 10;
  return m_request.gap_batches.value_or(solver() == "frank-wolfe" ? usual : 0);
}

// A gap is bounded by gradients whose mean is right.
void ModelSearch::check_that_gap_is_bounded() {
  if (!m_problem->has_gradient()) {
    const bool has_whole = std::ranges::any_of(m_problem->bounds(), &DecisionRange::is_integer);
    throw std::invalid_argument(
        fmt::format("--gap-batches needs {}", has_whole ? "decisions that are real numbers"
                                                        : "pathwise derivatives, which the model does not have"));
  }
  if (has_probabilities(m_request))
    throw std::invalid_argument(
        "--gap-batches is given with P(...) in --subject-to, whose Lagrangian has no bound that is "
        "known, expected none");
  if (m_request.gradient == GradientKind::likelihood_ratio)
    throw std::invalid_argument("--gap-batches needs --gradient pathwise or differences, expected one of these");
  if (m_request.gradient == GradientKind::pathwise && !are_gradients_unbiased())
    throw std::invalid_argument("--gap-batches needs pathwise derivatives without bias, and a check found one");
  if (!bounds_gap_by_frank_wolfe()) return;
  for (const DecisionRange& bounds : m_problem->bounds()) {
    if (std::isinf(bounds.high)) throw std::invalid_argument("--gap-batches needs finite bounds with --subject-to");
  }
}

void ModelSearch::run(const std::function<bool()>& is_enough, const std::function<void()>& allow_launches) {
  m_allow_launches = allow_launches;
  const auto noted = [&] { return m_is_ended_early = m_is_ended_early || is_enough(); };
  const std::vector<std::uint64_t> seeds = seeds_of_runs(m_request.seed, m_request.runs);
  m_runs = run_searches(*m_journal, m_make, m_requested->start(), m_request.budget, seeds, noted);
  if (is_launch_stop_requested()) noted();
  if (!m_request.constraints_on_means.empty() && replications() > 0) certify_ends(seeds, noted);
}

// Where it is asked to end before they are certified, they have no certificates.
void ModelSearch::certify_ends(const std::vector<std::uint64_t>& seeds, const std::function<bool()>& is_enough) {
  if (m_is_ended_early) m_allow_launches();
  std::vector<CertifiedEnd> ends;
  try {
    const CertifiedProblem certified{*m_journal, *m_problem, m_requested->tails()};
    ends = certified_ends(certified, m_make, m_runs, seeds, m_request, is_enough);
  } catch (const LaunchStopped&) {
    is_enough();
    return;
  }
  m_runs.clear();
  for (CertifiedEnd& end : ends) {
    m_runs.push_back(std::move(end.run));
    m_certificates.push_back(std::move(end.certificate));
  }
}

std::int64_t ModelSearch::replications() const {
  std::int64_t sum = 0;
  for (const SearchResult& run : m_runs) sum += run.replications;
  return sum;
}

std::optional<std::string> ModelSearch::estimate() {
  if (replications() == 0 && !m_is_ended_early) {
    return fmt::format("{} are too few for {}: expected a larger budget, or a smaller sample",
                       plural(m_request.budget, "replication", "replications"), m_solver.solver->name);
  }
  if (m_is_ended_early) return estimate_in_time();
  try {
    return estimate_ends();
  } catch (const LaunchStopped&) {
    m_is_ended_early = true;
    m_selection.reset();
    return estimate_in_time();
  }
}

// Where there are several runs, or points to select from, the best is chosen on some replications and looked at on
// others: what was the best of many on some replications is worse on most others.
std::optional<std::string> ModelSearch::estimate_ends() {
  const bool has_runs = m_request.runs > 1;
  if (has_runs) {
    m_macro = macro_replications(*m_problem, m_runs, m_certificates, seeds_of_runs(m_request.seed, m_request.runs),
                                 m_requested->start(), m_request);
  }
  if (auto lack = lack_of_end()) return lack;
  SearchResult& best = m_runs[m_macro.best];
  if (!has_runs && !best.candidates.empty()) select(best);
  if (has_runs || m_selection) m_skipped = m_request.final_replications;
  begin_points(has_runs ? std::vector{Recommendation{best.replications, best.x}} : some_of(best.recommendations));
  estimate_points(unseen_means(*m_problem, points(), m_request.final_replications, m_request.seed, m_skipped));
  return std::nullopt;
}

// Of several runs the best is chosen by few replications; where there is no time for it, it is the first one.
std::optional<std::string> ModelSearch::estimate_in_time() {
  const std::int64_t all = m_request.final_replications;
  if (m_request.runs > 1) {
    SearchRequest hurried = m_request;
    constexpr std::int64_t few = 64;
    hurried.final_replications = std::min(all, few);
    m_allow_launches();
    try {
      m_macro = macro_replications(*m_problem, m_runs, m_certificates, seeds_of_runs(m_request.seed, m_request.runs),
                                   m_requested->start(), hurried);
    } catch (const LaunchStopped&) {
      m_macro = {};
    }
    m_skipped = all;
  }
  const SearchResult& best = m_runs[m_macro.best];
  begin_points({{best.replications, best.x}});
  m_allow_launches();
  const std::vector<SampleMean> means = unseen_means_in_time(*m_problem, points(), m_request, m_skipped);
  if (means.empty()) return "there was no time for 2 replications of the start and the end: no results are written";
  m_request.final_replications = means.front().count;
  estimate_points(means);
  return std::nullopt;
}

// What is wrong with the problem where the best end is.
std::optional<std::string> ModelSearch::lack_of_end() {
  const SearchResult& best = m_runs[m_macro.best];
  if (m_certificates.empty()) return lack_of_optimum(*m_problem, m_runs.front().x, m_request);
  return lack_of_feasible_points({*m_problem, *m_problem, m_requested->tails()}, {best, m_certificates[m_macro.best]},
                                 m_request);
}

// Of the best end, where there are constraints on means.
std::optional<Certificate> ModelSearch::certificate_of_end() const {
  return m_certificates.empty() ? std::nullopt : std::optional(m_certificates[m_macro.best]);
}

// Ends the run at the best of its candidates.
void ModelSearch::select(SearchResult& run) {
  std::vector<std::vector<double>> points = run.candidates;
  if (std::ranges::find(points, run.x) == points.end()) points.push_back(run.x);
  if (points.size() < 2) return;
  const auto samples = unseen_samples(points, m_request.final_replications, m_request.seed, 0, true);
  m_selection = select_lowest(*m_problem, samples, m_request.confidence);
  if (run.x == points[m_selection->place]) return;
  run.x = points[m_selection->place];
  run.recommendations.push_back({run.replications, run.x});
}

// The start and these points.
void ModelSearch::begin_points(const std::vector<Recommendation>& recommendations) {
  m_points = {{0, m_requested->start(), {}, {}}};
  for (const Recommendation& recommendation : recommendations) {
    if (recommendation.replications > 0) m_points.push_back({recommendation.replications, recommendation.x, {}, {}});
  }
}

std::vector<std::vector<double>> ModelSearch::points() const {
  std::vector<std::vector<double>> points;
  for (const SearchPoint& point : m_points) points.push_back(point.x);
  return points;
}

// By the same replications of all points.
void ModelSearch::estimate_points(const std::vector<SampleMean>& means) {
  const ObjectiveIntervals interval(m_request);
  for (std::size_t i = 0; i < means.size(); ++i) {
    m_points[i].objective = interval(means[i]);
    m_points[i].constraints = interval.constraints(means[i]);
  }
  m_improvement = interval.improvement(means.front(), means.back());
}

// Where nobody asked for it, it is left out if gradients are biased.
std::optional<OptimalityGap> ModelSearch::bounded_gap(const std::function<bool()>& is_enough) {
  try {
    return gap_of_end(is_enough);
  } catch (const LaunchStopped&) {
    return std::nullopt;
  }
}

std::optional<OptimalityGap> ModelSearch::gap_of_end(const std::function<bool()>& is_enough) {
  if (gap_batches() == 0) return std::nullopt;
  const bool is_pathwise = m_request.gradient == GradientKind::pathwise;
  if (!m_request.gap_batches && is_pathwise && !are_gradients_unbiased()) return std::nullopt;
  OptimalityGapOptions options;
  options.batches = gap_batches();
  options.replications = m_request.final_replications;
  options.confidence = m_request.confidence;
  options.seed = m_request.seed;
  const std::vector<double>& end = m_points.back().x;
  bool is_ended = false;
  const auto noted = [&] { return is_ended = is_enough(); };
  if (const std::optional<Certificate> certificate = certificate_of_end()) {
    std::vector<double> multipliers;
    for (const CertifiedConstraint& constraint : certificate->constraints) multipliers.push_back(constraint.multiplier);
    const OptimalityGap gap = lagrangian_gap(*m_problem, multipliers, end, {m_requested->start()}, options, noted);
    return is_ended ? std::nullopt : std::optional(gap);
  }
  if (bounds_gap_by_frank_wolfe()) return frank_wolfe_gap(*m_problem, end, options);
  const OptimalityGap gap = optimality_gap(*m_problem, end, {m_requested->start()}, options, noted);
  return is_ended ? std::nullopt : std::optional(gap);
}

ResponseSurface ModelSearch::surface() {
  std::vector<std::vector<double>> path{m_requested->start()};
  for (const Recommendation& recommendation : m_runs[m_macro.best].recommendations) path.push_back(recommendation.x);
  return response_surface(*m_problem, std::move(path), m_request, m_skipped);
}

SearchReport ModelSearch::report(std::string_view end, double seconds, const Machine& machine,
                                 const std::optional<OptimalityGap>& gap) const {
  std::vector<bool> are_whole;
  for (const DecisionRange& bounds : m_problem->bounds()) are_whole.push_back(bounds.is_integer);
  std::vector<SearchPoint> points = m_points;
  for (SearchPoint& point : points) point.x.resize(m_request.decisions.size());  // without thresholds of CVaR
  return {m_request,
          std::move(are_whole),
          m_solver.solver->name,
          m_solver.reason,
          std::move(points),
          m_improvement,
          replications(),
          end,
          seconds,
          machine,
          m_macro,
          m_selection,
          gap,
          bounds_gap_by_frank_wolfe(),
          certificate_of_end()};
}

}  // namespace sporos::runtime
