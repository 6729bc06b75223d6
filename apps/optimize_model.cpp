// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "run.hpp"
#include "status_line.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/files/picture_files.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/search/journaled_problem.hpp>
#include <sporos/runtime/search/macro_replications.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/search/report.hpp>
#include <sporos/runtime/search/response_surface.hpp>
#include <sporos/runtime/search/shared_problem.hpp>
#include <sporos/runtime/search/solvers.hpp>
#include <sporos/runtime/search/unseen_objectives.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/search/check_pathwise.hpp>
#include <sporos/optimizers/search/differenced_problem.hpp>
#include <sporos/optimizers/search/optimality_gap.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/selection.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos::apps {

namespace {

// What all processes do alike. Where it fails on all, they say so once, as check_together has it; where the samples of
// one have failed, they have done so already.
template <class Work>
void alike(const Work& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    if (processes().failed_together()) throw;
    check_together(processes(), std::current_exception());
  }
}

// What asks a search to end.
struct EndRequest {
  int signal;
  bool is_time;
};

// A search over parameters of a model.
class ModelSearch final : public Run {
 public:
  ModelSearch(SearchRequest request, Objective objective, const OptionTable& options, Format format)
      : m_request(std::move(request)),
        m_objective(std::move(objective)),
        m_options(options),
        m_format(format),
        m_destination(options.text("output")),
        m_pictures(options.list("picture")),
        m_surfaces(options.list("surface")) {}

  double time_limit() const override { return m_request.time_limit; }

  io::Json description() const override { return description_of("optimize " + m_request.model->name, m_options, 0); }

  void start(const Backend& backend) override {
    check_same_task(m_options, 0);
    alike([&] {
      const auto make = backend.runner_of(m_request.model->name).objective;
      if (make == nullptr)
        throw std::invalid_argument(m_request.model->name + " has no parameters that can be decided");
      m_alone = make(m_request.values, m_request.decisions, m_objective);
      m_problem = &m_shared.emplace(*m_alone, processes());
      if (m_request.gradient == GradientKind::differences) take_differences();
      m_journal.emplace(*m_problem);
      choose_solver();
      if (m_request.gap_batches > 0) check_that_gap_is_bounded();
    });
  }

  std::string restore(const io::Json& state, const std::string& what) override {
    m_journal->restore(io::json_list(state, what, "moments"), what + ": moments");
    return plural(m_journal->replications(), "replication", "replications");
  }

  void compute(const Backend&, const RunControl& control) override {
    StatusLine line(control.shows_progress);
    const auto start = Clock::now();
    double saved_at = 0;
    const auto is_enough = [&] {
      const double seconds = seconds_since(start);
      for (const auto& [signal, is_time] :
           gather(processes(), EndRequest{control.interruption.signal(), seconds >= m_request.time_limit})) {
        m_signal = std::max(m_signal, signal);
        if (is_time) m_end = "time";
      }
      if (m_signal != 0) m_end = "interrupted";
      if (line.is_due(seconds)) {
        line.show(seconds, fmt::format("{}: {}, {} of at most {:.0f} replications", m_request.model->name,
                                       m_solver.solver->name, m_journal->replications(),
                                       static_cast<double>(m_request.budget) * static_cast<double>(m_request.runs)));
      }
      if (control.kept && seconds >= saved_at + control.kept->every()) {
        control.kept->save(state());
        saved_at = seconds;
      }
      return !m_end.empty();
    };
    alike([&] {
      m_runs = run_searches(*m_journal, m_make, start_of_search(), m_request.budget,
                            seeds_of_runs(m_request.seed, m_request.runs), is_enough);
    });
    for (const SearchResult& run : m_runs) m_replications += run.replications;
    if (m_end.empty()) m_end = "replications";
  }

  std::optional<std::string> make_results() override {
    if (m_replications == 0 && m_end == "replications") {
      return fmt::format("{} are too few for {}: expected a larger budget, or a smaller sample",
                         plural(m_request.budget, "replication", "replications"), m_solver.solver->name);
    }
    std::optional<std::string> lack;
    alike([&] {
      if (m_end == "replications") lack = lack_of_optimum(*m_problem, m_runs.front().x, m_request);
      if (!lack) estimate();
      if (!lack && m_request.gap_batches > 0 && m_end != "interrupted") bound_gap();
    });
    return lack;
  }

  bool has_ended() const override { return m_end == "replications"; }

  io::Json state() const override { return {{"moments", m_journal->json()}}; }

  void write(const Machine& machine, double seconds) override {
    std::vector<bool> are_whole;
    for (const DecisionRange& bounds : m_problem->bounds()) are_whole.push_back(bounds.is_integer);
    const SearchReport report{m_request,
                              std::move(are_whole),
                              m_solver.solver->name,
                              m_solver.reason,
                              m_points,
                              m_improvement,
                              m_replications,
                              m_end,
                              seconds,
                              machine,
                              m_macro,
                              m_selection,
                              m_gap};
    if (!m_pictures.empty()) m_pictures.draw(picture_of(report));
    if (!m_surfaces.empty()) m_surfaces.draw(picture_of(m_surface, report));
    m_destination.write(text_of(report, m_format));
  }

  Ending ending(int) const override {
    if (m_end != "interrupted") return {};
    return Ending::interrupted_after(m_signal, plural(m_replications, "replication", "replications"));
  }

 private:
  std::vector<double> start_of_search() const {
    std::vector<double> start;
    for (const Decision& decision : m_request.decisions) {
      const ParameterValue& value = m_request.values[*m_request.model->find_parameter(decision.parameter)];
      start.push_back(std::clamp(number_of(value), decision.low, decision.high));
    }
    return start;
  }

  // Gradients are central differences, with steps by a pilot beside the budget.
  void take_differences() {
    if (std::ranges::any_of(m_problem->bounds(), &DecisionRange::is_integer)) {
      throw std::invalid_argument("--gradient differences needs decisions that are real numbers");
    }
    DifferenceStepOptions options;
    options.seed = m_request.seed + 1;
    m_problem = &m_differenced.emplace(*m_shared, difference_steps(*m_shared, start_of_search(), options));
  }

  void choose_solver() {
    if (m_request.solver != "automatic") {
      m_solver = {&find_solver(m_request.solver, *m_problem), ""};
    } else {
      m_solver = automatic_solver(*m_problem, m_request.gradient, [&] { return are_gradients_unbiased(); });
    }
    m_make = make_solver(*m_solver.solver, m_request.settings, *m_problem);
  }

  // By a tenth of the budget, on replications of its own.
  bool are_gradients_unbiased() {
    PathwiseCheckOptions options;
    const auto points = static_cast<std::int64_t>(4 * m_problem->dimension() + 1);
    options.replications = std::clamp<std::int64_t>(m_request.budget / 10 / points, 30, 10'000);
    options.seed = m_request.seed + 1;
    for (const DecisionRange& bounds : m_problem->bounds()) {
      if (std::isfinite(bounds.high)) options.step = std::min(options.step, (bounds.high - bounds.low) / 100);
    }
    return !check_pathwise(*m_problem, start_of_search(), options);
  }

  // On replications that no run has seen. Where there are several runs, or points to select from, the best is chosen on
  // some, and looked at on others: what was the best of many on some replications is worse on most others.
  void estimate() {
    const bool has_runs = m_request.runs > 1;
    if (has_runs) {
      m_macro = macro_replications(*m_problem, m_runs, seeds_of_runs(m_request.seed, m_request.runs), start_of_search(),
                                   m_request);
    }
    SearchResult& best = m_runs[m_macro.best];
    if (!has_runs && !best.candidates.empty()) select(best);
    const std::int64_t skipped = has_runs || m_selection ? m_request.final_replications : 0;
    estimate_points(has_runs ? std::vector{Recommendation{best.replications, best.x}} : some_of(best.recommendations),
                    skipped);
    if (m_options.list("surface").empty()) return;
    std::vector<std::vector<double>> path{start_of_search()};
    for (const Recommendation& recommendation : best.recommendations) path.push_back(recommendation.x);
    m_surface = response_surface(*m_problem, std::move(path), m_request, skipped);
  }

  // Ends the run at the best of its candidates.
  void select(SearchResult& run) {
    std::vector<std::vector<double>> points = run.candidates;
    if (std::ranges::find(points, run.x) == points.end()) points.push_back(run.x);
    if (points.size() < 2) return;
    std::vector<Sample> samples = unseen_samples(points, m_request.final_replications, m_request.seed);
    for (Sample& sample : samples) sample.has_values = true;
    m_selection = select_lowest(*m_problem, samples, m_request.confidence);
    run.x = points[m_selection->place];
    run.recommendations.push_back({run.replications, run.x});
  }

  // A gap is bounded by gradients whose mean is right.
  void check_that_gap_is_bounded() {
    if (!m_problem->has_gradient()) {
      const bool has_whole = std::ranges::any_of(m_problem->bounds(), &DecisionRange::is_integer);
      throw std::invalid_argument(
          fmt::format("--gap-batches needs {}", has_whole ? "decisions that are real numbers"
                                                          : "pathwise derivatives, which the model does not have"));
    }
    if (m_request.gradient == GradientKind::pathwise && !are_gradients_unbiased())
      throw std::invalid_argument("--gap-batches needs pathwise derivatives without bias, and a check found one");
  }

  void bound_gap() {
    OptimalityGapOptions options;
    options.batches = m_request.gap_batches;
    options.replications = m_request.final_replications;
    options.confidence = m_request.confidence;
    options.seed = m_request.seed;
    m_gap = optimality_gap(*m_problem, m_points.back().x, {start_of_search()}, options);
  }

  // The start and these points, by the same replications.
  void estimate_points(const std::vector<Recommendation>& recommendations, std::int64_t skipped) {
    std::vector<std::vector<double>> points{start_of_search()};
    m_points = {{0, points.front(), {}}};
    for (const Recommendation& recommendation : recommendations) {
      if (recommendation.replications == 0) continue;
      points.push_back(recommendation.x);
      m_points.push_back({recommendation.replications, recommendation.x, {}});
    }
    const double sign = m_request.objective.is_maximized ? -1 : 1;
    const double critical = student_t(m_request.confidence, m_request.final_replications);
    const auto means = unseen_means(*m_problem, points, m_request.final_replications, m_request.seed, skipped);
    for (std::size_t i = 0; i < means.size(); ++i) {
      m_points[i].objective = {sign * means[i].mean, critical * std::sqrt(means[i].variance_of_mean())};
    }
    const PairedDifference better = paired_difference(means.front(), means.back());
    m_improvement = {better.mean, critical * std::sqrt(better.variance_of_mean)};
  }

  SearchRequest m_request;
  Objective m_objective;
  const OptionTable& m_options;
  Format m_format;
  Destination m_destination;
  PictureFiles m_pictures, m_surfaces;
  std::unique_ptr<SampledProblem> m_alone;
  std::optional<SharedProblem> m_shared;
  std::optional<DifferencedProblem> m_differenced;
  SampledProblem* m_problem = nullptr;  // the last of these
  std::optional<JournaledProblem> m_journal;
  ChosenSolver m_solver{};
  Solver m_make;
  std::vector<SearchResult> m_runs;
  std::int64_t m_replications = 0;
  std::string_view m_end;
  int m_signal = 0;
  std::vector<SearchPoint> m_points;
  EstimatedMean m_improvement{};
  MacroReplications m_macro;
  std::optional<Selection> m_selection;
  ResponseSurface m_surface;
  std::optional<OptimalityGap> m_gap;
};

}  // namespace

int optimize_model_command(const ModelDescription& model, std::span<const std::string> arguments, Backend& backend) {
  const Arguments given = parsed(search_usage(model), arguments);
  const OptionTable& options = given.options;
  SearchRequest request = search_request(model, options);
  model.check(request.values);
  Objective objective = objective_of(request.objective, model, request.values, request.decisions);
  const Format format = options.choice("format", Format::table);
  const auto settings = execution_settings(options, backend);
  ModelSearch run(std::move(request), std::move(objective), options, format);
  return carry_out(run, options, settings, backend);
}

}  // namespace sporos::apps
