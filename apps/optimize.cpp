// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize.hpp"

#include "classification.hpp"
#include "complaint.hpp"
#include "interruption.hpp"
#include "start_backend.hpp"
#include "status_line.hpp"

#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/files/kept_trajectory.hpp>
#include <sporos/runtime/files/saved_optimization.hpp>
#include <sporos/runtime/optimization/options.hpp>
#include <sporos/runtime/optimization/report.hpp>
#include <sporos/runtime/optimization/solution_file.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/procedures/frank_wolfe_json.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::apps {

namespace {

// The files that an optimization leaves, known to be writable before there is anything to write.
class OptimizationFiles {
 public:
  explicit OptimizationFiles(const OptimizeOptions& options) : m_destination(options.table.text("output")) {
    m_weights = file_of_first(options.table.text("weights"));
    m_state = file_of_first(options.table.text("save-state"));
  }

  // Solution and state, where they are asked for.
  void save(const OptimizeOptions& options, const ProblemDescription& problem, const FrankWolfeResult& result) const {
    if (m_weights) m_weights->write(solution_text(problem, result.solution, options.writes_all));
    if (!m_state) return;
    m_state->write(saved_text(problem.name, options.table, resumption_rules(), problem.digest, json_of(result.state)));
  }

  void write_report(const std::string& text) const { m_destination.write(text); }

 private:
  Destination m_destination;
  std::optional<io::OutputFile> m_weights, m_state;
};

// A line that shows how far an optimization has come.
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

// Where the run begins.
struct OptimizationStart {
  FrankWolfeState state;
  bool goes_on;
  std::vector<FrankWolfeProgress> trajectory = {};  // of before
  std::vector<std::string> notes = {};              // of how the solution was read
};

OptimizationStart start_of(const OptionTable& table, const OptimizationProblem& problem,
                           const std::optional<SavedOptimization>& saved) {
  if (saved) {
    saved->check_data(problem.description().digest);
    return {frank_wolfe_state_of_json(saved->state(), saved->state_name()), true};
  }
  OptimizationStart start{};
  start.state.solution =
      table.has("start") ? read_solution(problem.description(), *table.text("start"), start.notes) : problem.start();
  return start;
}

// Where a run that was killed has come.
OptimizationStart kept_optimization(const io::Json& kept, const std::string& what) {
  OptimizationStart start{frank_wolfe_state_of_json(io::json_member<io::Json>(kept, what, "state"), what), true};
  for (const auto& point : io::json_list(kept, what, "trajectory")) {
    start.trajectory.push_back(frank_wolfe_progress_of_json(point, what + ": trajectory"));
  }
  return start;
}

bool has_ended(StoppedBy reason) { return reason != StoppedBy::callback && reason != StoppedBy::time; }

// Says what kept the optimization from its goal, and returns the exit status.
int conclude(const OptimizeOptions& options, const FrankWolfeOptions& frank_wolfe, const FrankWolfeResult& result,
             int signal, const std::optional<KeptRun>& kept) {
  if (result.stopped_by == StoppedBy::not_finite) {
    complain(fmt::format("objective or gradient are not finite beyond iteration {}, whose results are written",
                         result.iterations));
    return 1;
  }
  if (result.stopped_by == StoppedBy::callback) {
    complain(fmt::format("interrupted after {}, whose results are written{}",
                         plural(result.iterations, "iteration", "iterations"), kept ? kept->note() : ""));
    return exit_status_of(signal);
  }
  if (!options.table.has("gap-tolerance") || result.stopped_by == StoppedBy::gap || frank_wolfe.gap_tolerance == 0) {
    return 0;
  }
  const double gap = result.gap ? result.gap->bound() : result.trajectory.back().gap;
  if (gap <= frank_wolfe.gap_tolerance) return 0;
  complain(fmt::format("gap tolerance not reached: the gap is {:.3g}, {:.3g} times the wanted one, after {}, {}", gap,
                       gap / frank_wolfe.gap_tolerance, plural(result.iterations, "iteration", "iterations"),
                       end_text(end_of(result))));
  return 2;
}

int run(const OptimizeOptions& options, const OptimizationProblem& problem, const FrankWolfeOptions& frank_wolfe,
        OptimizationStart start, const OptimizationFiles& files, const std::optional<KeptRun>& kept, Format format,
        const Backend& backend) {
  const auto began = std::chrono::steady_clock::now();
  Interruption interruption(frank_wolfe.time_limit, [&] { return note_of(kept); });
  const ProblemDescription& description = problem.description();
  const std::int64_t first = start.state.epoch * frank_wolfe.iterations + start.state.iteration;
  if (kept && kept->state()) kept->announce(plural(first, "iteration", "iterations"), options.shows_progress);
  KeptTrajectory<FrankWolfeProgress> trajectory(kept, std::move(start.trajectory), first);
  OptimizationOutcome outcome = [&] {
    OptimizationLine line(description, frank_wolfe, first, options.shows_progress);
    const FrankWolfeCallback callback = [&](const FrankWolfeProgress& point) {
      trajectory.add(point);
      line.show(point);
      if (interruption.signal() != 0) return Continuation::stop;
      return trajectory.is_due() ? Continuation::pause : Continuation::go_on;
    };
    const auto keep = [&](const FrankWolfeState& state) { trajectory.save(json_of(state)); };
    FrankWolfeOptions stoppable = frank_wolfe;
    stoppable.stop_request = [&] { return interruption.signal() != 0; };
    return problem.run(backend, {stoppable, std::move(start.state), start.goes_on, callback, keep});
  }();
  interruption.begin_writing();
  trajectory.complete(outcome.result.trajectory);
  const FrankWolfeResult& result = outcome.result;
  if (result.trajectory.empty()) {
    complain("objective or gradient are not finite at the start");
    return 1;
  }
  const auto write = [&] {
    files.save(options, description, result);
    const Findings findings = problem.findings(outcome);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    std::vector<std::string> notes = description.notes;
    notes.insert(notes.end(), start.notes.begin(), start.notes.end());
    const OptimizationReport report{description,  frank_wolfe,         result,          findings,
                                    took.count(), machine_of(backend), std::move(notes)};
    files.write_report(text_of(report, format));
  };
  write_kept(
      kept, has_ended(result.stopped_by), [&] { return trajectory.json(json_of(result.state)); }, write);
  return conclude(options, frank_wolfe, result, interruption.signal(), kept);
}

}  // namespace

int optimize_command(std::span<const std::string> arguments, Backend& backend) {
  if (!arguments.empty() && arguments[0] == classification_name) {
    return classification_command(arguments.subspan(1), backend);
  }
  OptimizeOptions options = parse_optimize_options(arguments);
  OptionTable& table = options.table;
  std::optional<SavedOptimization> saved;
  if (table.has("resume")) {
    if (table.has("start")) throw std::invalid_argument("--start is given beside --resume, expected one of them");
    saved.emplace(*table.text("resume"), options.kind.name);
    saved->fill(table, resumption_rules(), options.files);
  }
  const Format format = table.choice("format", Format::table);
  const auto settings = execution_settings(table.text("threads"), table.text("device"), backend);
  const auto problem = [&] {
    const ReadingLimit reading(time_limit_of(table));
    return options.kind.make(table);
  }();
  const FrankWolfeOptions frank_wolfe = frank_wolfe_options(table, *problem);
  OptimizationStart start = start_of(table, *problem, saved);
  const OptimizationFiles files(options);
  std::optional<KeptRun> kept;
  keep(kept, table.text("checkpoint"), table.text("every"), [&] {
    return description_of("optimize " + options.kind.name, table, resumption_rules().passing,
                          problem->description().digest);
  });

  start_backend(backend, settings);
  const auto read = [](const io::Json& state, const std::string& what) { return kept_optimization(state, what); };
  if (auto killed = kept_state(kept, table.text("checkpoint"), read)) {
    killed->notes = std::move(start.notes);
    start = std::move(*killed);
  }
  return run(options, *problem, frank_wolfe, std::move(start), files, kept, format, backend);
}

}  // namespace sporos::apps
