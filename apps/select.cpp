// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "progress_line.hpp"
#include "run.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/selection/model_selection.hpp>
#include <sporos/runtime/selection/options.hpp>
#include <sporos/runtime/selection/report.hpp>
#include <sporos/runtime/simulation/estimated_inputs.hpp>

#include <sporos/core/execution/processes.hpp>

#include <optional>
#include <string>
#include <utility>

namespace sporos::apps {

namespace {

// Runs a selection and writes its results.
class WatchedSelection final : public Run {
 public:
  WatchedSelection(SelectionRequest request, const OptionTable& options)
      : m_selection(std::move(request)),
        m_options(options),
        m_pictures(options.list("picture")),
        m_files(options, "select " + m_selection.request().model->name) {}

  double time_limit() const override { return m_selection.request().time_limit; }

  io::Json description() const override {
    return description_of("select " + m_selection.request().model->name, m_options, m_selection.request().data);
  }

  void start(const Backend& backend) override {
    check_same_task(m_options, 0);
    m_selection.start(backend);
  }

  std::string restore(const io::Json& state, const std::string& what) override {
    return plural(m_selection.restore(state, what), "replication", "replications");
  }

  void compute(const Backend&, const RunControl& control) override {
    constexpr double time_of_launches = 0.5;  // most launches have ended by then, and their results count
    const LaunchLimit limit(control.interruption, time_of_launches);
    StatusLine line(control.shows_progress);
    const auto start = Clock::now();
    double kept_at = 0;
    m_selection.run([&](const SelectionProgress& progress) {
      const double seconds = seconds_since(start);
      const EndRequest request = control.interruption.end_request();
      m_signal = request.signal;
      if (line.is_due(seconds)) line.show(seconds, progress_text(m_selection.request().model->name, progress, seconds));
      together(processes(), [&] {
        if (!control.kept || seconds < kept_at + control.kept->every()) return;
        control.kept->save(state());
        kept_at = seconds_since(start);
      });
      return request.reason();
    });
  }

  std::optional<std::string> make_results() override {
    if (m_selection.replications() > 0) return std::nullopt;
    return "ended before the first launch finished: there are no results";
  }

  bool has_ended() const override { return m_selection.has_ended(); }

  io::Json state() const override { return m_selection.state(); }

  void write(const Machine& machine, double seconds) override {
    const SelectionReport report = m_selection.report(seconds, machine);
    const ResultDocument document = document_of(report);
    if (!m_pictures.empty()) m_pictures.draw(picture_of(document));
    m_files.write(document);
    m_is_any_feasible = !report.nearest;
  }

  Ending ending(int) const override {
    if (m_signal == 0 && !m_is_any_feasible)
      return {1, "no system is feasible: the results show the one that violates the constraints least"};
    if (m_signal == 0) return {};
    return Ending::interrupted_after(m_signal, plural(m_selection.replications(), "replication", "replications"));
  }

 private:
  ModelSelection m_selection;
  const OptionTable& m_options;
  PictureFiles m_pictures;
  ResultFiles m_files;
  int m_signal = 0;
  bool m_is_any_feasible = true;
};

}  // namespace

int select_command(std::span<const std::string> arguments, Backend& backend) {
  const ModelDescription& named = selected_model(arguments);
  const ModelDescription& model = with_members(named, arguments.subspan(1), select_usage);
  Arguments given = parsed(select_usage(model), arguments.subspan(1));
  const std::vector<std::string> notes = set_estimated_inputs(model, given.files, given.options);
  SelectionRequest request = selection_request(model, given.options);
  request.notes.insert(request.notes.begin(), notes.begin(), notes.end());
  check_table(given.options, {"survivors", "nearest_infeasible", "failed", "stages", "varied", "constraints"});
  const auto settings = execution_settings(given.options, backend);
  WatchedSelection run(std::move(request), given.options);
  return carry_out(run, given.options, settings, backend);
}

}  // namespace sporos::apps
