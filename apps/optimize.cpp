// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "failure.hpp"
#include "progress_line.hpp"
#include "run.hpp"

#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/files/saved_optimization.hpp>
#include <sporos/runtime/optimization/optimization.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/search/options.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/procedures/frank_wolfe_json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::apps {

namespace {

// A line that shows the progress of an optimization.
class OptimizationLine {
 public:
  OptimizationLine(const ProblemDescription& problem, const FrankWolfeOptions& options, std::int64_t first, bool wanted)
      : m_name(problem.name), m_options(options), m_first(first), m_line(wanted) {}

  void show(const FrankWolfeProgress& point) {
    if (!m_line.is_due(point.seconds)) return;
    const auto done = static_cast<double>(point.iteration - m_first);
    const auto to_do = static_cast<double>(m_options.epochs * m_options.iterations - point.iteration);
    double left = m_options.time_limit - point.seconds;
    if (done > 0) left = std::min(left, to_do * point.seconds / done);
    m_line.show(point.seconds, fmt::format("{}: epoch {} of at most {}, objective {:.6g}, gap {:.2g}, at most {} left",
                                           m_name, point.epoch, m_options.epochs, point.objective, point.gap,
                                           duration_text(std::max(left, 0.0))));
  }

 private:
  const std::string& m_name;
  const FrankWolfeOptions& m_options;
  std::int64_t m_first;  // iterations before this run
  StatusLine m_line;
};

// State from which a run starts.
struct OptimizationStart {
  FrankWolfeState state;
  bool goes_on;
  std::vector<FrankWolfeProgress> trajectory = {};  // points before this run
  std::vector<std::string> notes = {};              // notes on how the solution was read
};

OptimizationStart start_of(const OptionTable& table, const OptimizationProblem& problem,
                           const std::optional<SavedOptimization>& saved) {
  if (saved) {
    saved->check_data(problem.description().digest);
    return {saved->read_state(frank_wolfe_state_of_json), true};
  }
  OptimizationStart start{};
  start.state.solution =
      table.has("start") ? read_solution(problem.description(), *table.text("start"), start.notes) : problem.start();
  return start;
}

// Returns the start of a run that continues from a checkpoint.
OptimizationStart kept_optimization(const io::Json& kept, const std::string& what) {
  OptimizationStart start{frank_wolfe_state_of_json(io::json_member<io::Json>(kept, what, "state"), what), true};
  for (const auto& point : io::json_list(kept, what, "trajectory")) {
    start.trajectory.push_back(frank_wolfe_progress_of_json(point, what + ": trajectory"));
  }
  return start;
}

std::unique_ptr<OptimizationProblem> loaded(const OptimizeOptions& asked) {
  const ReadingLimit reading(time_limit_of(asked.given.options));
  return asked.kind.make(asked.given.options);
}

// Runs Frank-Wolfe on a problem.
class Optimization final : public Run {
 public:
  Optimization(const OptimizeOptions& asked, const std::optional<SavedOptimization>& saved)
      : m_options(asked.given.options),
        m_problem(loaded(asked)),
        m_frank_wolfe(frank_wolfe_options(m_options, *m_problem)),
        m_start(start_of(m_options, *m_problem, saved)),
        m_files(m_options, "optimize " + asked.kind.name),
        m_weights(file_of_first(m_options.text("weights"))),
        m_state(file_of_first(m_options.text("save-state"))) {
    std::vector<std::string> tables{"solution", "trajectory"};
    if (m_problem->description().has_resources) tables.emplace_back("resources");
    check_table(m_options, tables);
  }

  double time_limit() const override { return m_frank_wolfe.time_limit; }

  io::Json description() const override {
    const ProblemDescription& problem = m_problem->description();
    return description_of("optimize " + problem.name, m_options, problem.digest);
  }

  std::string restore(const io::Json& state, const std::string& what) override {
    OptimizationStart kept = kept_optimization(state, what);
    kept.notes = std::move(m_start.notes);
    m_start = std::move(kept);
    return plural(iterations_before(), "iteration", "iterations");
  }

  void compute(const Backend& backend, const RunControl& control) override {
    const Interruption& interruption = control.interruption;
    announce_time();
    Trajectory& trajectory = m_trajectory.emplace(control.kept, std::move(m_start.trajectory), iterations_before());
    OptimizationLine line(m_problem->description(), m_frank_wolfe, iterations_before(), control.shows_progress);
    const FrankWolfeCallback callback = [&](const FrankWolfeProgress& point) {
      trajectory.add(point);
      line.show(point);
      if (interruption.signal() != 0) return Continuation::stop;
      return trajectory.is_due() ? Continuation::pause : Continuation::go_on;
    };
    const auto keep = [&](const FrankWolfeState& state) { trajectory.save(json_of(state)); };
    FrankWolfeOptions stoppable = m_frank_wolfe;
    stoppable.stop_request = [&] { return interruption.signal() != 0; };
    constexpr double time_of_step = 0.3;  // most linear programs have ended by then, and their results count
    const LaunchLimit limit(control.interruption, time_of_step);
    try {
      m_outcome = m_problem->run(backend, {stoppable, m_start.state, m_start.goes_on, callback, keep});
    } catch (const LaunchStopped&) {
      m_outcome.result.stopped_by = interruption.signal() != 0 ? StoppedBy::callback : StoppedBy::time_limit;
      m_outcome.result.state = m_start.state;
      m_missing_reason =
          interruption.reason() + " before the objective was evaluated at the start: no results are written";
    }
  }

  std::optional<std::string> make_results() override {
    if (m_missing_reason) return m_missing_reason;
    m_trajectory->complete(m_outcome.result.trajectory);
    if (!m_outcome.result.trajectory.empty()) return std::nullopt;
    return "the objective or its gradient is not finite at the start";
  }

  bool has_ended() const override { return is_final(m_outcome.result.stopped_by); }

  io::Json state() const override { return m_trajectory->json(json_of(m_outcome.result.state)); }

  void write(const Machine& machine, double seconds) override {
    const FrankWolfeResult& result = m_outcome.result;
    const ProblemDescription& problem = m_problem->description();
    if (m_weights) m_weights->write(solution_text(problem, result.solution, m_options.has("all-weights")));
    if (m_state) m_state->write(saved_text(problem.name, m_options, problem.digest, json_of(result.state)));
    const Findings findings = m_problem->findings(m_outcome);
    std::vector<std::string> notes = problem.notes;
    notes.insert(notes.end(), m_start.notes.begin(), m_start.notes.end());
    m_files.write(
        document_of(OptimizationReport{problem, m_frank_wolfe, result, findings, seconds, machine, std::move(notes)}));
  }

  Ending ending(int signal) const override {
    const FrankWolfeResult& result = m_outcome.result;
    const std::string iterations = plural(result.iterations, "iteration", "iterations");
    if (result.stopped_by == StoppedBy::not_finite) {
      return {1,
              fmt::format("the objective or its gradient is not finite after iteration {}, whose results are written",
                          result.iterations)};
    }
    if (result.stopped_by == StoppedBy::callback) {
      return Ending::interrupted_after(signal, iterations);
    }
    const double tolerance = m_frank_wolfe.gap_tolerance;
    if (!m_options.has("gap-tolerance") || result.stopped_by == StoppedBy::gap || tolerance == 0) return {};
    const double gap = result.gap ? result.gap->bound() : result.trajectory.back().gap;
    if (gap <= tolerance) return {};
    if (std::isinf(gap))
      return {2, fmt::format("gap tolerance not reached: no bound on the gap is available, after {}, {}", iterations,
                             end_text(name_of(result.stopped_by)))};
    return {2, fmt::format("gap tolerance not reached: the gap is {:.3g}, {:.3g} times the tolerance, after {}, {}",
                           gap, gap / tolerance, iterations, end_text(name_of(result.stopped_by)))};
  }

 private:
  using Trajectory = KeptTrajectory<FrankWolfeProgress>;

  // Announces the expected time of a run whose iterations take long.
  void announce_time() const {
    const auto iterations = static_cast<double>(m_frank_wolfe.epochs * m_frank_wolfe.iterations - iterations_before()) +
                            static_cast<double>(m_frank_wolfe.gap.batches * m_frank_wolfe.gap.iterations);
    const double seconds = std::min(iterations * m_problem->description().iteration_seconds, m_frank_wolfe.time_limit);
    constexpr double long_enough = 10;
    if (seconds < long_enough) return;
    complain(
        fmt::format("up to {:.0f} iterations, each with a linear program, take about {}; to shorten the run, reduce "
                    "--epochs, --iterations or --gap-iterations, or give --time-limit",
                    iterations, duration_text(seconds)));
  }

  std::int64_t iterations_before() const {
    return m_start.state.epoch * m_frank_wolfe.iterations + m_start.state.iteration;
  }

  const OptionTable& m_options;
  std::unique_ptr<OptimizationProblem> m_problem;
  FrankWolfeOptions m_frank_wolfe;
  OptimizationStart m_start;
  ResultFiles m_files;
  std::optional<io::OutputFile> m_weights, m_state;
  std::optional<Trajectory> m_trajectory;
  OptimizationOutcome m_outcome{};
  std::optional<std::string> m_missing_reason;  // why there are no results
};

}  // namespace

int optimize_command(std::span<const std::string> arguments, Backend& backend) {
  if (auto* const own = own_command("optimize", arguments)) return own(arguments.subspan(1), backend);
  if (const auto* const model = arguments.empty() ? nullptr : find_optimizable(arguments.front())) {
    return optimize_model_command(*model, arguments.subspan(1), backend);
  }
  OptimizeOptions asked = parse_optimize_options(arguments);
  OptionTable& options = asked.given.options;
  std::optional<SavedOptimization> saved;
  if (options.has("resume")) {
    if (options.has("start")) throw std::invalid_argument("--start is given with --resume, expected one of them");
    saved.emplace(*options.text("resume"), asked.kind.name);
    saved->fill(options, asked.given.files);
  }
  options.choice("format", Format::table);  // throws before there is anything to compute
  const auto settings = execution_settings(options, backend);
  Optimization run(asked, saved);
  return carry_out(run, options, settings, backend);
}

}  // namespace sporos::apps
