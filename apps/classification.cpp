// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "classification.hpp"

#include "classification_options.hpp"
#include "classification_report.hpp"
#include "destination.hpp"
#include "divergence.hpp"
#include "duration.hpp"
#include "execution_options.hpp"
#include "help.hpp"
#include "interruption.hpp"
#include "json_text.hpp"
#include "output_format.hpp"
#include "status_line.hpp"

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/procedures/quasi_newton_json.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

namespace sporos::apps {

namespace {

using MethodOptions = std::variant<SqnOptions, LbfgsOptions>;

template <class Value>
Value of_either(const MethodOptions& options, const auto& get) {
  return std::visit([&](const auto& some) -> Value { return get(some); }, options);
}

// The files that a run leaves, known to be writable before there is anything to write.
class Files {
 public:
  explicit Files(const OptionTable& table) : m_destination(table.text("output")) {
    table.refuse_equal_files({"output", "model", "save-state"});
    if (table.has("model")) m_model.emplace(*table.text("model"));
    if (table.has("save-state")) m_state.emplace(*table.text("save-state"));
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

// Shows how far a run has come, and stops it where it is hopeless or a signal came.
class Watch {
 public:
  Watch(const MethodOptions& options, std::int64_t first, const Interruption& interruption, bool wanted)
      : m_most(of_either<std::int64_t>(options, [](const auto& some) { return some.iterations; })),
        m_time_limit(of_either<double>(options, [](const auto& some) { return some.time_limit; })),
        m_first(first),
        m_interruption(interruption),
        m_line(wanted) {}

  Continuation operator()(const QuasiNewtonProgress& point) {
    if (!m_objective) m_objective = point.objective;
    if (m_line.is_due(point.seconds)) show(point);
    const bool is_over = is_hopeless(point.objective, *m_objective) || m_interruption.signal() != 0;
    return is_over ? Continuation::stop : Continuation::go_on;
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
  const Interruption& m_interruption;
  StatusLine m_line;
  std::optional<double> m_objective;  // at the beginning
};

// Where a run begins: at 0, or where another one was stopped.
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
int conclude(const OptionTable& table, const MethodOptions& options, const QuasiNewtonResult& result, int signal) {
  if (result.stopped_by == StoppedBy::callback) {
    complain(fmt::format("interrupted after {} iterations, whose results are written", result.iterations));
    constexpr int signal_base = 128;
    return signal_base + signal;
  }
  const auto tolerance = of_either<double>(options, [](const auto& some) { return some.gradient_tolerance; });
  const double norm = result.trajectory.back().gradient_norm;
  if (!table.has("gradient-tolerance") || norm <= tolerance || tolerance == 0) return 0;
  complain(
      fmt::format("gradient tolerance not reached: the gradient's norm is {:.3g}, {:.3g} times the wanted one, "
                  "after {} iterations, stopped by {}",
                  norm, norm / tolerance, result.iterations, name_of(result.stopped_by)));
  return 2;
}

int run(const ClassificationOptions& given, const ClassificationData& data, const MethodOptions& options,
        QuasiNewtonState state, const Files& files, Format format, const Backend& backend) {
  const auto began = std::chrono::steady_clock::now();
  const Interruption interruption;
  const std::int64_t first = state.iteration;
  const ClassificationOutcome outcome = [&] {
    Watch watch(options, first, interruption, given.shows_progress);
    const QuasiNewtonCallback callback = [&](const QuasiNewtonProgress& point) { return watch(point); };
    return backend.optimize(data.training, {options, std::move(state), callback});
  }();
  const QuasiNewtonResult& result = outcome.result;
  if (const auto fault = divergence(result, options, first)) {
    complain(*fault);
    return 1;
  }
  const auto& description = data.description;
  const LinearPredictor found = LinearPredictor::of(result.solution, description.columns);
  std::optional<ClassificationScores> test;
  if (!data.test_labels.empty()) test = scores_of(found.probabilities(data.test), data.test_labels);
  const auto training = scores_of(found.probabilities(data.training.features), data.training.labels);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  const ClassificationReport report{data, options,       result,       training,
                                    test, outcome.bytes, took.count(), machine_of(backend)};
  const ClassificationModel model{
      {description.columns, description.feature_names, description.classes, description.label_name},
      data.standardization ? found.before(*data.standardization) : found};
  files.save(given.table, report, model, found);
  files.write_report(text_of(report, format));
  return conclude(given.table, options, result, interruption.signal());
}

}  // namespace

int classification_command(std::span<const std::string> arguments, Backend& backend) {
  ClassificationOptions options = parse_classification_options(arguments);
  OptionTable& table = options.table;
  std::optional<SavedOptimization> saved;
  if (table.has("resume")) {
    saved.emplace(*table.text("resume"), classification_name);
    saved->fill(table, classification_rules());
  }
  const Format format = table.choice("format", Format::table);
  const auto settings = execution_settings(table.text("threads"), table.text("device"), backend);
  const ClassificationData data = classification_data(table);
  const auto method = quasi_newton_options(table, static_cast<std::int64_t>(data.training.labels.size()));
  QuasiNewtonState start = start_of(data, saved);
  const Files files(table);

  backend.start(settings);
  return run(options, data, method, std::move(start), files, format, backend);
}

}  // namespace sporos::apps
