// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "classification.hpp"

#include "complaint.hpp"
#include "interruption.hpp"
#include "start_backend.hpp"
#include "status_line.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/classification/divergence.hpp>
#include <sporos/runtime/classification/options.hpp>
#include <sporos/runtime/classification/report.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/files/kept_trajectory.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/procedures/quasi_newton_json.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sporos::apps {

namespace {

using MethodOptions = std::variant<SqnOptions, LbfgsOptions>;

template <class Value>
Value of_either(const MethodOptions& options, const auto& get) {
  return std::visit([&](const auto& some) -> Value { return get(some); }, options);
}

// The files that a run leaves, known to be writable before there is anything to write.
class ClassificationFiles {
 public:
  explicit ClassificationFiles(const OptionTable& table) : m_destination(table.text("output")) {
    m_model = file_of_first(table.text("model"));
    m_state = file_of_first(table.text("save-state"));
  }

  // Model and state, where they are asked for.
  void save(const OptionTable& table, const ClassificationReport& report, const ClassificationModel& model,
            const LinearPredictor& standardized) const {
    if (m_model) {
      io::Json json = json_of(model, standardized, report.data.standardization);
      io::Json summary = summary_of(report);
      summary.erase("sporos");
      json["learned"] = std::move(summary);
      m_model->write(json_text(json));
    }
    if (!m_state) return;
    const auto digest = report.data.description.digest;
    m_state->write(
        saved_text(classification_name, table, classification_rules(), digest, sporos::json_of(report.result.state)));
  }

  void write_report(const std::string& text) const { m_destination.write(text); }

 private:
  Destination m_destination;
  std::optional<io::OutputFile> m_model, m_state;
};

using Trajectory = KeptTrajectory<QuasiNewtonProgress>;

// Shows how far a run has come, stops it where it is hopeless or a signal came, and halts it for checkpoints.
class ClassificationWatch {
 public:
  ClassificationWatch(const MethodOptions& options, std::int64_t first, Trajectory& trajectory,
                      const Interruption& interruption, bool wanted)
      : m_most(of_either<std::int64_t>(options, [](const auto& some) { return some.iterations; })),
        m_time_limit(of_either<double>(options, [](const auto& some) { return some.time_limit; })),
        m_first(first),
        m_trajectory(trajectory),
        m_interruption(interruption),
        m_line(wanted) {}

  Continuation operator()(const QuasiNewtonProgress& point) {
    m_trajectory.add(point);
    if (m_line.is_due(point.seconds)) show(point);
    const bool is_over = is_hopeless(point.objective, m_trajectory.first().objective) || m_interruption.signal() != 0;
    if (is_over) return Continuation::stop;
    return m_trajectory.is_due() ? Continuation::pause : Continuation::go_on;
  }

 private:
  void show(const QuasiNewtonProgress& point) {
    const auto done = static_cast<double>(point.iteration - m_first);
    double left = m_time_limit - point.seconds;
    if (done > 0) left = std::min(left, static_cast<double>(m_most - point.iteration) * point.seconds / done);
    m_line.show(
        point.seconds,
        fmt::format("classification: iteration {} of at most {}, objective {:.6g}, gradient norm {:.2g}, at "
                    "most {} left",
                    point.iteration, m_most, point.objective, point.gradient_norm, duration_text(std::max(left, 0.0))));
  }

  std::int64_t m_most;
  double m_time_limit;
  std::int64_t m_first;  // iterations before this run
  Trajectory& m_trajectory;
  const Interruption& m_interruption;
  StatusLine m_line;
};

// Where a run begins, and the trajectory before.
struct ClassificationStart {
  QuasiNewtonState state;
  std::vector<QuasiNewtonProgress> trajectory = {};
};

// Where a run that was killed has come.
ClassificationStart kept_classification(const io::Json& kept, const std::string& what) {
  ClassificationStart start{quasi_newton_state_of_json(io::json_member<io::Json>(kept, what, "state"), what)};
  for (const auto& point : io::json_list(kept, what, "trajectory")) {
    start.trajectory.push_back(quasi_newton_progress_of_json(point, what + ": trajectory"));
  }
  return start;
}

// At 0, or where another run was stopped.
QuasiNewtonState start_of(const ClassificationData& data, const std::optional<SavedOptimization>& saved) {
  if (saved) {
    saved->check_data(data.description.digest);
    return quasi_newton_state_of_json(saved->state(), saved->state_name());
  }
  QuasiNewtonState state;
  const auto dimension = data.description.columns + (data.training.model.has_intercept ? 1 : 0);
  state.solution.resize(static_cast<std::size_t>(dimension));
  return state;
}

// Says what kept the optimizer from its goal, and returns the exit status.
int conclude(const OptionTable& table, const MethodOptions& options, const QuasiNewtonResult& result, int signal,
             const std::optional<KeptRun>& kept) {
  if (result.stopped_by == StoppedBy::callback) {
    complain(fmt::format("interrupted after {}, whose results are written{}",
                         plural(result.iterations, "iteration", "iterations"), kept ? kept->note() : ""));
    constexpr int signal_base = 128;
    return signal_base + signal;
  }
  const auto tolerance = of_either<double>(options, [](const auto& some) { return some.gradient_tolerance; });
  const double norm = result.trajectory.back().gradient_norm;
  if (!table.has("gradient-tolerance") || norm <= tolerance || tolerance == 0) return 0;
  complain(fmt::format(
      "gradient tolerance not reached: the gradient's norm is {:.3g}, {:.3g} times the wanted one, "
      "after {}, {}",
      norm, norm / tolerance, plural(result.iterations, "iteration", "iterations"), end_text(end_of(result))));
  return 2;
}

int run(const ClassificationOptions& given, const ClassificationData& data, const MethodOptions& options,
        ClassificationStart start, const ClassificationFiles& files, const std::optional<KeptRun>& kept, Format format,
        const Backend& backend) {
  const auto began = std::chrono::steady_clock::now();
  Interruption interruption(of_either<double>(options, [](const auto& some) { return some.time_limit; }),
                            [&] { return note_of(kept); });
  const std::int64_t first_now = start.state.iteration;
  const std::int64_t first = start.trajectory.empty() ? first_now : start.trajectory.front().iteration;
  if (kept && kept->state()) kept->announce(plural(first_now, "iteration", "iterations"), given.shows_progress);
  Trajectory trajectory(kept, std::move(start.trajectory), first_now);
  ClassificationOutcome outcome = [&] {
    ClassificationWatch watch(options, first_now, trajectory, interruption, given.shows_progress);
    const QuasiNewtonCallback callback = [&](const QuasiNewtonProgress& point) { return watch(point); };
    const auto keep = [&](const QuasiNewtonState& state) { trajectory.save(sporos::json_of(state)); };
    StopRequest stop_request;
    if (processes().count() == 1) stop_request = [&] { return interruption.signal() != 0; };
    return backend.run(data.training, ClassificationRun{options, std::move(start.state), callback, keep, stop_request});
  }();
  interruption.begin_writing();
  trajectory.complete(outcome.result.trajectory);
  const QuasiNewtonResult& result = outcome.result;
  if (const auto fault = divergence(result, options, first)) {
    if (kept && interruption.signal() == 0) kept->remove();  // it would diverge again
    if (kept && interruption.signal() != 0) kept->save(trajectory.json(sporos::json_of(result.state)));
    complain(*fault);
    return 1;
  }
  const auto& description = data.description;
  const LinearPredictor found = LinearPredictor::of(result.solution, description.columns);
  std::optional<ClassificationScores> test;
  if (!data.test_labels.empty()) test = scores_of(found.margins(data.test), data.test_labels);
  const auto training = scores_of(found.margins(data.training.features), data.training.labels);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  const ClassificationReport report{data, options,       result,       training,
                                    test, outcome.bytes, took.count(), machine_of(backend)};
  const ClassificationModel model{{description.columns, description.feature_names, description.classes,
                                   description.label_name, description.file_columns, data.means, data.missing},
                                  data.standardization ? found.before(*data.standardization) : found};
  const bool has_ended = result.stopped_by != StoppedBy::callback && result.stopped_by != StoppedBy::time;
  write_kept(
      kept, has_ended, [&] { return trajectory.json(sporos::json_of(result.state)); },
      [&] {
        files.save(given.table, report, model, found);
        files.write_report(text_of(report, format));
      });
  return conclude(given.table, options, result, interruption.signal(), kept);
}

}  // namespace

int classification_command(std::span<const std::string> arguments, Backend& backend) {
  ClassificationOptions options = parse_classification_options(arguments);
  OptionTable& table = options.table;
  std::optional<SavedOptimization> saved;
  if (table.has("resume")) {
    saved.emplace(*table.text("resume"), classification_name);
    saved->fill(table, classification_rules(), options.files);
  }
  const Format format = table.choice("format", Format::table);
  const auto settings = execution_settings(table.text("threads"), table.text("device"), backend);
  const ClassificationData data = [&] {
    const ReadingLimit reading(time_limit_of(table));
    return classification_data(table);
  }();
  const auto method = quasi_newton_options(table, static_cast<std::int64_t>(data.training.labels.size()));
  ClassificationStart start{start_of(data, saved)};
  const ClassificationFiles files(table);
  std::optional<KeptRun> kept;
  keep(kept, table.text("checkpoint"), table.text("every"), [&] {
    return description_of("optimize classification", table, classification_rules().passing, data.description.digest);
  });

  start_backend(backend, settings);
  check_same_task(table, data.description.digest);
  check_same(processes(), "number of threads", std::to_string(backend.threads()));
  const auto read = [](const io::Json& state, const std::string& what) { return kept_classification(state, what); };
  if (auto killed = kept_state(kept, table.text("checkpoint"), read)) start = std::move(*killed);
  return run(options, data, method, std::move(start), files, kept, format, backend);
}

}  // namespace sporos::apps
