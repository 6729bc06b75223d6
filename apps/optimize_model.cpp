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
#include <sporos/runtime/search/model_search.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/search/report.hpp>
#include <sporos/runtime/search/response_surface.hpp>
#include <sporos/runtime/simulation/estimated_inputs.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>

#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace sporos::apps {

namespace {

// Runs `work` on every process. If it fails on all processes, check_together makes them report that only once, unless a
// failure of one process's samples has already made them fail together.
template <class Work>
void on_every_process(const Work& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    if (processes().failed_together()) throw;
    check_together(processes(), std::current_exception());
  }
}

// Runs a search over parameters of a model, and writes its results.
class WatchedSearch final : public Run {
 public:
  WatchedSearch(ModelSearch search, const OptionTable& options)
      : m_search(std::move(search)),
        m_options(options),
        m_pictures(options.list("picture")),
        m_surfaces(options.list("surface")),
        m_files(options, "optimize " + m_search.request().model->name) {}

  double time_limit() const override { return m_search.request().time_limit; }

  io::Json description() const override {
    return description_of("optimize " + m_search.request().model->name, m_options, 0);
  }

  void start(const Backend& backend) override {
    check_same_task(m_options, 0);
    on_every_process([&] { m_search.start(backend); });
  }

  std::string restore(const io::Json& state, const std::string& what) override {
    m_search.journal().restore(io::json_list(state, what, "moments"), what + ": moments");
    return plural(m_search.journal().replications(), "replication", "replications");
  }

  void compute(const Backend&, const RunControl& control) override {
    m_interruption = &control.interruption;
    m_write = control.write;
    LaunchLimit limit(control.interruption);
    if (control.kept) m_search.journal().record();
    const SearchRequest& request = m_search.request();
    const double most = static_cast<double>(request.budget) * static_cast<double>(request.runs);
    StatusLine line(control.shows_progress);
    const auto start = Clock::now();
    double saved_at = 0;
    const auto is_enough = [&] {
      const double seconds = seconds_since(start);
      look_for_end();
      if (line.is_due(seconds)) {
        line.show(seconds, fmt::format("{}: {}, {} of at most {:.0f} replications", request.model->name,
                                       m_search.solver(), m_search.journal().replications(), most));
      }
      if (control.kept && seconds >= saved_at + control.kept->every()) {
        control.kept->save(state());
        saved_at = seconds;
      }
      return m_end.has_value();
    };
    on_every_process([&] { m_search.run(is_enough, [&] { limit.extend(time_of_estimates); }); });
    estimate();
    if (!m_end) m_end = StopReason::replications;
  }

  std::optional<std::string> make_results() override { return m_missing_reason; }

  bool has_ended() const override { return m_end == StopReason::replications && !m_is_gap_missing; }

  io::Json state() const override { return {{"moments", m_search.journal().json()}}; }

  void write(const Machine& machine, double seconds) override {
    SearchReport report = m_search.report(*m_end, seconds, machine, m_gap);
    report.was_gap_ended = m_is_gap_missing;
    const ResultDocument document = document_of(report);
    if (!m_pictures.empty()) m_pictures.draw(picture_of(document));
    if (!m_surfaces.empty() && m_surface) m_surfaces.draw(picture_of(*m_surface, report));
    m_files.write(document);
  }

  Ending ending(int) const override {
    if (m_signal == 0) return {};
    if (m_is_gap_missing)
      return Ending::interrupted(m_signal, "interrupted while the gap was estimated: results are written without it");
    return Ending::interrupted_after(m_signal, plural(m_search.replications(), "replication", "replications"));
  }

 private:
  // Seconds for certificates, and then for estimates, of a search that was requested to end: all results are written
  // within a second of that request.
  static constexpr double time_of_estimates = 0.2;

  EndRequest end_request() {
    const EndRequest request = m_interruption->end_request();
    m_signal = request.signal;
    return request;
  }

  // Stores the reason why the search or its estimates must end, if there is one.
  void look_for_end() {
    if (const auto reason = end_request().reason()) m_end = reason;
  }

  // Makes all results except the gap, and then bounds the gap. Several processes may take any time for the gap, because
  // nothing ends them in the middle of a launch.
  void estimate() {
    if (processes().count() > 1) m_interruption->begin_writing();
    on_every_process([&] {
      m_missing_reason = m_search.estimate();
      look_for_end_of_launches();
      if (m_missing_reason || m_search.is_ended_early()) return;
      try {
        m_search.examine_end();
        if (!m_surfaces.empty()) m_surface = m_search.surface();
      } catch (const LaunchStopped&) {
        look_for_end_of_launches();
      }
    });
    if (m_missing_reason || m_end) return;
    m_end = StopReason::replications;
    bound_gap();
  }

  // Stores the reason to end if launches were requested to stop, which always has one.
  void look_for_end_of_launches() {
    if (is_launch_stop_requested() || m_search.is_ended_early()) look_for_end();
  }

  // On a device, a round of launches for the gap may take longer than a sender of signals waits. Another thread then
  // writes all results except the gap.
  void bound_gap() {
    if (processes().count() == 1) {
      m_interruption->rescue_by([this](int signal) {
        m_signal = signal;
        m_is_gap_missing = true;
        return m_write(signal);
      });
    }
    std::optional<OptimalityGap> gap;
    on_every_process([&] {
      gap = m_search.bounded_gap([&] { return m_is_gap_missing = m_is_gap_missing || end_request().has_come(); });
      if (is_launch_stop_requested()) m_is_gap_missing = end_request().has_come();
    });
    m_interruption->rescue_by({});
    m_gap = gap;
  }

  ModelSearch m_search;
  const OptionTable& m_options;
  PictureFiles m_pictures, m_surfaces;
  ResultFiles m_files;
  std::optional<ResponseSurface> m_surface;
  std::optional<StopReason> m_end;  // why the search or its estimates ended
  int m_signal = 0;
  Interruption* m_interruption = nullptr;       // set while the run computes and makes results
  std::function<int(int signal)> m_write;       // set while the run computes and makes results
  std::optional<std::string> m_missing_reason;  // why there are no results
  bool m_is_gap_missing = false;                // whether a request to end left the gap without a bound
  std::optional<OptimalityGap> m_gap;
};

}  // namespace

int optimize_model_command(const ModelDescription& described, std::span<const std::string> arguments,
                           Backend& backend) {
  const ModelDescription& model = with_members(described, arguments, search_usage);
  Arguments given = parsed(search_usage(model), arguments);
  const OptionTable& options = given.options;
  std::vector<std::string> notes = set_estimated_inputs(model, given.files, given.options);
  SearchRequest request = search_request(model, options);
  request.notes = std::move(notes);
  make_start_valid(request);
  Objective objective =
      objective_of(request.objective, request.constraints_on_means, model, request.values, request.decisions);
  check_table(options, table_names(request));
  const auto settings = execution_settings(options, backend);
  WatchedSearch run({std::move(request), std::move(objective)}, options);
  return carry_out(run, options, settings, backend);
}

}  // namespace sporos::apps
