// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/model_search.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/search/task.hpp>
#include <sporos/runtime/search/unseen_objectives.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/tool_region.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/search/check_pathwise.hpp>
#include <sporos/optimizers/search/chord_check.hpp>
#include <sporos/optimizers/search/drawn_point.hpp>
#include <sporos/optimizers/search/neighbour_probe.hpp>
#include <sporos/optimizers/search/replication_numbers.hpp>
#include <sporos/optimizers/search/selection.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sporos::runtime {

void ModelSearch::start(const Backend& backend, const RequestedProblem::Wrap& wrap) {
  take_other_responses(backend);
  m_requested.emplace(m_request, std::move(m_objective), backend, wrap);
  m_problem = &m_requested->problem();
  if (m_request.settings.replications == 0) m_request.settings.replications = m_requested->default_sample();
  find_start();
  m_journal.emplace(*m_problem);
  choose_solver();
  if (m_request.gap_batches.value_or(0) > 0) check_that_gap_is_bounded();
}

// Prepares estimates of the responses that are neither in the objective nor in constraints.
void ModelSearch::take_other_responses(const Backend& backend) {
  const std::string& model = m_request.model->name;
  if (!backend.offers<ProblemTask>(model)) return;
  for (const std::string& name : m_request.model->response_names(m_request.values)) {
    const auto has_it = [&](const std::vector<WeightedResponse>& quantity) {
      return std::ranges::find(quantity, name, &WeightedResponse::response) != quantity.end();
    };
    if (std::ranges::none_of(m_objective.quantities, has_it)) m_response_names.push_back(name);
  }
  const bool has_case = std::ranges::any_of(m_request.model->parameters, &ParameterDescription::is_member);
  if (has_case && m_response_names.size() > max_responses_of_case) m_response_names.resize(max_responses_of_case);
  if (m_response_names.empty()) return;
  const FunctionOfMeans first = [](std::span<const double>, std::span<const double> means, std::span<double>,
                                   std::span<double>) { return means[0]; };
  const Objective responses = function_of_means(m_response_names, first);
  m_responses = backend.run_with(model, ProblemTask{m_request.values, m_request.decisions, responses});
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
      m_solver.reason += "; those of --gradient likelihood-ratio are unbiased";
  }
  if (m_request.settings.starts == 0) choose_starts();
  m_make = make_solver(*m_solver.solver, m_request.settings, *m_problem);
}

// Sets the default number of starts. There are several for integer decision variables. For real ones there are several
// if a check shows that the objective is not convex. The check takes a twentieth of the budget, in addition to it.
void ModelSearch::choose_starts() {
  std::int64_t& starts = m_request.settings.starts;
  starts = default_starts(*m_solver.solver, *m_problem, m_request.budget);
  const bool has_whole = std::ranges::any_of(m_problem->bounds(), &DecisionRange::is_integer);
  if (starts > 1 || has_whole || m_solver.solver->draws_points || !can_be_drawn(*m_problem)) return;
  if (m_problem->constraints_on_means() > 0) return;
  constexpr std::int64_t most = 8, of_start = 500, least = 8, greatest = 1000;
  ChordCheckOptions options;
  options.replications = std::min(m_request.budget / 20 / (3 * options.chords), greatest);
  options.seed = m_request.seed;
  if (options.replications < least) return;
  try {
    m_end.is_not_convex = is_shown_not_convex(*m_problem, m_requested->start(), options);
  } catch (const LaunchStopped&) {
    return;  // the search ends before its first sample
  }
  if (m_end.is_not_convex) starts = std::clamp<std::int64_t>(m_request.budget / of_start, 1, most);
}

// Checks the start. If replications fail there, the search begins at the best of some random points.
void ModelSearch::find_start() {
  const std::vector<double> start = m_requested->start();
  const auto fault = fault_of_start(start);
  if (!fault) return;
  const std::string what = fmt::format("start {} is infeasible: {}", decisions_text(m_request, start), *fault);
  if (m_request.start_note.empty()) m_request.start_note = fmt::format("The {}.", what);
  constexpr std::int64_t most = 64, of_round = 8, replications = 8;
  SearchRun run(*m_problem, start, most * replications, m_request.seed);
  DecisionEngine engine = decision_engine(RandomDecision::search, m_request.seed);
  for (std::int64_t tried = 0; tried < most && can_be_drawn(*m_problem); tried += of_round) {
    const auto points = impl::spread_points(run, of_round, engine);
    std::vector<Sample> samples;
    for (const std::vector<double>& x : points)
      samples.push_back({x, m_request.seed, impl::replications_of_starts, replications});
    const std::vector<SampleMean> means = m_problem->evaluate(samples);
    const auto best = std::ranges::min_element(means, {}, &SampleMean::mean);
    if (best->count == 0) continue;
    m_request.values = values_at(m_request, points[static_cast<std::size_t>(best - means.begin())]);
    return;
  }
  throw std::runtime_error(fmt::format(
      "the {}; {}", what,
      can_be_drawn(*m_problem)
          ? fmt::format("{} random points within the bounds are infeasible, too, expected other bounds or another "
                        "objective",
                        most)
          : "expected another start, or finite bounds from which random starts can be drawn"));
}

// Returns what is wrong with the start, judged by few replications; nothing if it is feasible.
std::optional<std::string> ModelSearch::fault_of_start(std::span<const double> start) {
  constexpr std::int64_t most = 32;
  const std::int64_t count = std::clamp<std::int64_t>(m_request.budget / 100, 1, most);
  const std::vector<Sample> samples{
      {{start.begin(), start.end()}, m_request.seed, impl::replications_of_starts, count}};
  SampleMean found = m_problem->evaluate(samples).front();
  if (found.count > 0) return std::nullopt;
  return fault_text(m_request, start, count, found.moments);
}

// Checks the gradients with about a tenth of the budget, on separate replications.
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

// Whether the gap is bounded by its linear oracle. The alternative, minimizing each batch again, supports boxes only.
bool ModelSearch::bounds_gap_by_frank_wolfe() const {
  return !m_request.constraints.empty() || (m_request.constraints_on_means.empty() && solver() == "frank-wolfe");
}

std::int64_t ModelSearch::gap_batches() const {
  constexpr std::int64_t default_value = 10;
  return m_request.gap_batches.value_or(solver() == "frank-wolfe" ? default_value : 0);
}

// Throws if the gap cannot be bounded. The bound requires unbiased gradients.
void ModelSearch::check_that_gap_is_bounded() {
  if (!m_problem->has_gradient()) {
    const bool has_whole = std::ranges::any_of(m_problem->bounds(), &DecisionRange::is_integer);
    throw std::invalid_argument(
        fmt::format("--gap-batches needs {}", has_whole ? "decisions that are real numbers"
                                                        : "pathwise derivatives, which the model does not have"));
  }
  if (has_probabilities(m_request))
    throw std::invalid_argument(
        "--gap-batches is given with P(...) in --subject-to, for which no bound on the optimality gap is available: "
        "expected one of them");
  if (m_request.gradient == GradientKind::likelihood_ratio)
    throw std::invalid_argument(
        "--gradient is 'likelihood-ratio', expected pathwise or differences with --gap-batches");
  if (m_request.gradient == GradientKind::pathwise && !are_gradients_unbiased())
    throw std::invalid_argument(
        "--gap-batches needs unbiased derivatives, and a check of the pathwise ones found a bias: expected --gradient "
        "differences");
  if (!bounds_gap_by_frank_wolfe()) return;
  for (const DecisionRange& bounds : m_problem->bounds()) {
    if (std::isinf(bounds.high))
      throw std::invalid_argument("--gap-batches needs finite bounds with --subject-to on decisions");
  }
}

void ModelSearch::run(const std::function<bool()>& is_enough, const std::function<void()>& allow_launches) {
  const ToolRegion region([this] { return "sporos::optimize[" + m_request.model->name + "]"; });
  m_allow_launches = allow_launches;
  const auto noted = [&] { return m_is_ended_early = m_is_ended_early || is_enough(); };
  const std::vector<std::uint64_t> seeds = seeds_of_runs(m_request.seed, m_request.runs);
  m_runs = run_searches(*m_journal, m_make, m_requested->start(), m_request.budget, seeds, noted);
  if (is_launch_stop_requested()) noted();
  if (!m_request.constraints_on_means.empty() && replications() > 0) certify_ends(seeds, noted);
}

// Certifies the ends of the runs. If the search is asked to stop before that, the ends have no certificates.
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
    return fmt::format("{} are too few for {}: expected more --replications, or a smaller --sample-size",
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

// If there are several runs, or candidates to select from, some replications choose the best and others estimate it:
// the best of many on some replications is worse on most others.
std::optional<std::string> ModelSearch::estimate_ends() {
  const bool has_runs = m_request.runs > 1;
  if (has_runs) {
    m_macro = macro_replications(*m_problem, m_runs, m_certificates, seeds_of_runs(m_request.seed, m_request.runs),
                                 m_requested->start(), m_request);
  }
  if (auto reason = reason_without_end()) return reason;
  SearchResult& best = m_runs[m_macro.best];
  if (!has_runs && !best.candidates.empty()) select(best);
  if (has_runs || m_selection) m_skipped = m_request.final_replications;
  begin_points(has_runs ? std::vector{Recommendation{best.replications, best.x}} : some_of(best.recommendations));
  estimate_points(unseen_means(*m_problem, points(), m_request.final_replications, m_request.seed, m_skipped));
  return reason_without_feasible_end();
}

// Chooses the best of several runs by few replications or, if there is no time for this, takes the first one.
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
  if (means.back().count > 0) m_request.final_replications = means.back().count;
  estimate_points(means);
  return reason_without_feasible_end();
}

// Returns an error message if replications that the search has not seen fail at the end.
std::optional<std::string> ModelSearch::reason_without_feasible_end() const {
  const SearchPoint& end = m_points.back();
  if (std::isfinite(end.objective.mean)) return std::nullopt;
  return fmt::format(
      "the search ended at {}, where replications of the final estimate fail: expected a larger budget, other bounds, "
      "or another solver",
      decisions_text(m_request, end.x));
}

void ModelSearch::examine_end() {
  probe_end();
  estimate_other_responses();
}

// Uses about as many replications as a final estimate. Does not probe an end that violates constraints.
void ModelSearch::probe_end() {
  if (!m_certificates.empty() && certificate_of_end()->feasibility() == Feasibility::infeasible) return;
  NeighbourProbeOptions options;
  options.replications = m_request.final_replications;
  options.confidence = m_request.confidence;
  options.seed = m_request.seed;
  m_end.neighbours = probe_neighbours(*m_problem, m_points.back().x, m_request.decisions.size(), options);
  if (m_end.neighbours.better.empty() || m_request.solver == "automatic") return;
  const bool is_scored = m_request.gradient == GradientKind::likelihood_ratio;
  const GradientKind gradients = has_probabilities(m_request) && !is_scored ? GradientKind::kernel : m_request.gradient;
  const auto default_value =
      automatic_solver(*m_problem, gradients, [&] { return are_gradients_unbiased(); }).solver->name;
  if (default_value != solver()) m_end.other_solver = default_value;
}

void ModelSearch::estimate_other_responses() {
  if (!m_responses) return;
  std::vector<double> x = m_points.back().x;
  x.resize(m_request.decisions.size());
  const auto samples = unseen_samples({x}, m_request.final_replications, m_request.seed, m_skipped);
  const SampleMoments found = m_responses->simulate(samples).front();
  const double critical = student_t(m_request.confidence, m_request.final_replications);
  const auto n = static_cast<double>(found.count);
  const std::size_t k = found.means.size();
  for (std::size_t i = 0; i < k; ++i) {
    const double half_width = critical * std::sqrt(found.products[i * k + i] / (n - 1) / n);
    m_end.responses.push_back({m_response_names[i], {found.means[i], half_width}});
  }
}

// Returns an error message if the problem has no optimum or no feasible point near the best end.
std::optional<std::string> ModelSearch::reason_without_end() {
  const SearchResult& best = m_runs[m_macro.best];
  if (m_certificates.empty()) return reason_without_optimum(*m_problem, m_runs.front().x, m_request);
  return reason_without_feasible_points({*m_problem, *m_problem, m_requested->tails()},
                                        {best, m_certificates[m_macro.best]}, m_request);
}

// Returns the certificate of the best end, if there are constraints on means.
std::optional<Certificate> ModelSearch::certificate_of_end() const {
  return m_certificates.empty() ? std::nullopt : std::optional(m_certificates[m_macro.best]);
}

// Moves the end of the run to the best of its candidates.
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

// Sets the points to the start and these.
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

// Sets the estimates of all points, which use the same replications.
void ModelSearch::estimate_points(const std::vector<SampleMean>& means) {
  const ObjectiveIntervals interval(m_request);
  for (std::size_t i = 0; i < means.size(); ++i) {
    m_points[i].objective = interval(means[i]);
    m_points[i].constraints = interval.constraints(means[i]);
  }
  m_improvement = interval.improvement(means.front(), means.back());
  if (m_certificates.empty()) return;
  // A certificate must not call feasible what these replications show to be infeasible, so the larger bound applies.
  std::vector<CertifiedConstraint>& certified = m_certificates[m_macro.best].constraints;
  const std::vector<EstimatedMean>& excesses = m_points.back().constraints;
  for (std::size_t j = 0; j < excesses.size(); ++j) {
    const auto& [excess, half_width] = excesses[j];
    if (certified[j].upper <= 0 && excess - half_width > 0) certified[j].upper = excess + half_width;
  }
}

// If the gap was not requested explicitly and pathwise gradients are biased, there is no bound.
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

EndReport ModelSearch::end_report() const {
  EndReport end = m_end;
  const SearchResult& best = m_runs[m_macro.best];
  const std::size_t decided = m_request.decisions.size();  // without thresholds of CVaR
  std::vector<double> start = m_points.front().x, x = m_points.back().x;
  start.resize(decided);
  x.resize(decided);
  end.place = end_of_search(m_problem->bounds().first(decided), start, x);
  end.starts = best.starts;
  end.tried_points = best.tried_points;
  end.infeasible = m_journal->infeasible();
  return end;
}

SearchReport ModelSearch::report(StopReason end, double seconds, const Machine& machine,
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
          certificate_of_end(),
          end_report()};
}

}  // namespace sporos::runtime
