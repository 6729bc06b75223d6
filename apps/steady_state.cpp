// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "progress_line.hpp"
#include "run.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/steady_state/steady_state.hpp>
#include <sporos/runtime/steady_state/task.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/procedures/steady_state/steady_state_json.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace sporos::apps {

namespace {

std::string progress_text(const SteadyStateRequest& request, const SteadyStateProgress& progress) {
  const std::string excess =
      progress.excess > 0 ? fmt::format(", half-width {:.3g} times the requested one", progress.excess) : "";
  return fmt::format("{}: {} of {} observations{}", request.model->name, progress.observations, progress.next_look,
                     excess);
}

std::string observations_text(std::int64_t observations) { return plural(observations, "observation", "observations"); }

// Estimates steady-state means from runs without end.
class SteadyStateRun final : public Run {
 public:
  SteadyStateRun(const SteadyStateRequest& request, const ModelOptions& options)
      : m_request(request),
        m_options(options),
        m_pictures(options.table.list("picture")),
        m_files(options.table, "steady-state " + request.model->name) {
    if (options.table.has("report")) m_convergence.emplace(request.goal);
  }

  double time_limit() const override { return m_request.time_limit; }

  io::Json description() const override { return description_of(m_request); }

  std::string restore(const io::Json& state, const std::string& what) override {
    m_start = steady_state_of_json(state, what);
    m_convergence.reset();  // a checkpoint holds no intervals
    return observations_text(m_start->progress.observations);
  }

  void compute(const Backend& backend, const RunControl& control) override {
    m_launcher = backend.run_with(m_request.model->name, SeriesTask{m_request.values, m_request.seed, m_request.runs});
    m_runs.emplace(*m_launcher);
    std::optional<SteadyStateProgress> start;
    if (m_start) {
      m_runs->restore(m_start->runs);
      start = m_progress = m_start->progress;
      m_start.reset();
    }
    const auto begin = Clock::now();
    auto last = begin;  // time of the last checkpoint
    StatusLine line(control.shows_progress);
    const auto watch = [&](const SteadyStateProgress& progress) {
      m_progress = progress;
      if (m_convergence) m_convergence->look(*m_runs);
      const double seconds = seconds_since(begin);
      if (line.is_due(seconds)) line.show(seconds, progress_text(m_request, progress));
      if (control.kept && seconds_since(last) >= control.kept->every()) {
        control.kept->save(state());
        last = Clock::now();
      }
      return EndRequest{control.interruption.signal(), seconds >= m_request.time_limit}.reason();
    };
    m_result = steady_state(*m_runs, m_request.goal, watch, start);
    m_exact = control.interruption.completed(control.write, [&] { return exact_means(m_request); });
  }

  bool has_ended() const override { return !is_ended_early(m_result); }

  io::Json state() const override { return json_of(SteadyStateState{m_progress, m_runs->state()}); }

  void write(const Machine& machine, double seconds) override {
    SteadyStateReport report{m_request, m_result, seconds, machine, m_exact};
    if (!m_pictures.empty()) m_pictures.draw(picture_of(report, *m_runs));
    if (m_options.table.has("report")) report.runs = &*m_runs;
    if (m_convergence) report.convergence = &*m_convergence;
    ResultDocument document = document_of(report);
    document.notes.insert(document.notes.end(), m_options.notes.begin(), m_options.notes.end());
    m_files.write(document);
  }

  Ending ending(int signal) const override {
    if (signal != 0) return Ending::interrupted_after(signal, observations_text(m_result.observations));
    const std::string missed = missed_precision(m_request, m_result);
    return {missed.empty() ? 0 : 2, missed};
  }

 private:
  const SteadyStateRequest& m_request;
  const ModelOptions& m_options;
  PictureFiles m_pictures;
  ResultFiles m_files;
  std::unique_ptr<SegmentLauncher> m_launcher;
  std::optional<SeriesRuns> m_runs;
  std::optional<SteadyStateState> m_start;
  std::optional<SeriesConvergence> m_convergence;  // for the HTML report
  SteadyStateProgress m_progress{};
  SteadyStateResult m_result;
  std::vector<std::optional<double>> m_exact;
};

}  // namespace

int steady_state_command(std::span<const std::string> arguments, Backend& backend) {
  const ModelOptions options = parsed_question(steady_state_question, arguments);
  const SteadyStateRequest request = steady_state_request(options);
  const auto settings = execution_settings(options.table, backend);
  checkpoint_interval(options.table);
  check_table(options.table, {"means"});
  SteadyStateRun run(request, options);
  return carry_out(run, options.table, settings, backend);
}

}  // namespace sporos::apps
