// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "progress_line.hpp"
#include "run.hpp"
#include "watched_experiment.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/sensitivity/sensitivity.hpp>
#include <sporos/runtime/simulation/tasks.hpp>

#include <sporos/core/io/experiment_json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace sporos::apps {

namespace {

std::int64_t replications_in(const ExperimentState& state) {
  std::int64_t replications = 0;
  for (const auto& point : state.points) replications += point.summary.replications;
  return replications;
}

// Runs all design points of an analysis as one experiment.
class SensitivityRun final : public Run {
 public:
  SensitivityRun(const Question& question, const SensitivityRequest& request, const ModelOptions& options)
      : m_request(request),
        m_options(options),
        m_files(options.table, fmt::format("{} {}", question.command, request.model->name)) {}

  double time_limit() const override { return m_request.plan.time_limit; }
  io::Json description() const override { return description_of(m_request); }

  std::string restore(const io::Json& state, const std::string& what) override {
    m_start = io::experiment_state_of_json(state, what);
    return plural(replications_in(*m_start), "replication", "replications");
  }

  void compute(const Backend& backend, const RunControl& control) override {
    constexpr double time_of_launches = 0.5;  // most launches have ended by then, and their results count
    const LaunchLimit limit(control.interruption, time_of_launches);
    const std::string& model = m_request.model->name;
    Checkpoints checkpoints;
    const std::int64_t before = m_start ? replications_in(*m_start) : 0;
    checkpoints.start = std::move(m_start);
    if (m_options.table.has("checkpoint")) checkpoints.every = checkpoint_interval(m_options.table);
    const auto& kept = control.kept;
    if (kept) checkpoints.save = [&kept](const ExperimentState& state) { kept->save(io::json_of(state)); };
    ProgressLine line(model, m_request.plan, before, control.shows_progress);
    m_result = run_simulation(
        backend, model, {{m_request.points, m_request.plan}, watcher_of(line, control.interruption), {}, checkpoints});
  }

  std::optional<std::string> make_results() override {
    if (!has_enough(m_result)) return "ended before each design point had 2 observations, so nothing is written";
    m_results = sensitivity_results(m_request, m_result);
    return std::nullopt;
  }

  bool has_ended() const override {
    return std::all_of(m_result.state.points.begin(), m_result.state.points.end(),
                       [](const PointState& point) { return point.stopped_by.has_value(); });
  }

  io::Json state() const override { return io::json_of(m_result.state); }

  void write(const Machine& machine, double seconds) override {
    const StopReason stopped_by = m_result.points.front().stopped_by;
    ResultDocument document = document_of(SensitivityReport{m_request, m_results, stopped_by, seconds, machine});
    document.notes.insert(document.notes.end(), m_options.notes.begin(), m_options.notes.end());
    m_files.write(document);
  }

  Ending ending(int signal) const override {
    if (signal == 0) return {};
    return Ending::interrupted_after(signal, plural(replications_in(m_result.state), "replication", "replications"));
  }

 private:
  const SensitivityRequest& m_request;
  const ModelOptions& m_options;
  ResultFiles m_files;
  std::optional<ExperimentState> m_start;
  ExperimentResult m_result;
  std::vector<SensitivityResult> m_results;
};

int analyse(const Question& question, const std::vector<std::string>& tables, std::span<const std::string> arguments,
            Backend& backend) {
  const ModelOptions options = parsed_question(question, arguments);
  const SensitivityRequest request = sensitivity_request(question, options);
  const auto settings = execution_settings(options.table, backend);
  checkpoint_interval(options.table);
  check_table(options.table, tables);
  SensitivityRun run(question, request, options);
  return carry_out(run, options.table, settings, backend);
}

}  // namespace

int sensitivity_command(std::span<const std::string> arguments, Backend& backend) {
  return analyse(sensitivity_question, {"indices", "means", "inputs"}, arguments, backend);
}

int input_uncertainty_command(std::span<const std::string> arguments, Backend& backend) {
  return analyse(input_uncertainty_question, {"means", "comparison", "steps", "inputs"}, arguments, backend);
}

}  // namespace sporos::apps
