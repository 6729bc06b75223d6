// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "progress_line.hpp"
#include "run.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/classification/options.hpp>
#include <sporos/runtime/classification/report.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/files/saved_optimization.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/procedures/quasi_newton_json.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
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

using Trajectory = KeptTrajectory<QuasiNewtonProgress>;

// Shows the progress of a run, stops it if it is hopeless or a signal came, and pauses it for checkpoints.
class ClassificationWatch {
 public:
  ClassificationWatch(const MethodOptions& options, std::int64_t first, Trajectory& trajectory,
                      const Interruption& interruption, bool wanted)
      : m_max(of_either<std::int64_t>(options, [](const auto& some) { return some.iterations; })),
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
    if (done > 0) left = std::min(left, static_cast<double>(m_max - point.iteration) * point.seconds / done);
    m_line.show(
        point.seconds,
        fmt::format("classification: iteration {} of at most {}, objective {:.6g}, gradient norm {:.2g}, at "
                    "most {} left",
                    point.iteration, m_max, point.objective, point.gradient_norm, duration_text(std::max(left, 0.0))));
  }

  std::int64_t m_max;
  double m_time_limit;
  std::int64_t m_first;  // iterations before this run
  Trajectory& m_trajectory;
  const Interruption& m_interruption;
  StatusLine m_line;
};

// State from which a run starts, and the trajectory before it.
struct ClassificationStart {
  QuasiNewtonState state;
  std::vector<QuasiNewtonProgress> trajectory = {};
};

// Returns the start of a run that continues from a checkpoint.
ClassificationStart kept_classification(const io::Json& kept, const std::string& what) {
  ClassificationStart start{quasi_newton_state_of_json(io::json_member<io::Json>(kept, what, "state"), what)};
  for (const auto& point : io::json_list(kept, what, "trajectory")) {
    start.trajectory.push_back(quasi_newton_progress_of_json(point, what + ": trajectory"));
  }
  return start;
}

// Returns the zero vector, or the state in which another run stopped.
QuasiNewtonState start_of(const ClassificationData& data, const std::optional<SavedOptimization>& saved) {
  if (saved) {
    saved->check_data(data.description.digest);
    return saved->read_state(quasi_newton_state_of_json);
  }
  QuasiNewtonState state;
  const auto dimension = data.description.columns + (data.training.model.has_intercept ? 1 : 0);
  state.solution.resize(static_cast<std::size_t>(dimension));
  return state;
}

ClassificationData loaded(const OptionTable& options) {
  const ReadingLimit reading(time_limit_of(options));
  return classification_data(options);
}

// Learns a logistic classification from rows.
class Learning final : public Run {
 public:
  Learning(const Arguments& given, const std::optional<SavedOptimization>& saved)
      : m_options(given.options),
        m_data(loaded(m_options)),
        m_method(quasi_newton_options(m_options, static_cast<std::int64_t>(m_data.training.labels.size()))),
        m_start{start_of(m_data, saved)},
        m_files(m_options, "optimize classification"),
        m_model(file_of_first(m_options.text("model"))),
        m_state(file_of_first(m_options.text("save-state"))) {}

  double time_limit() const override {
    return of_either<double>(m_method, [](const auto& some) { return some.time_limit; });
  }

  io::Json description() const override {
    return description_of("optimize classification", m_options, m_data.description.digest);
  }

  void start(const Backend& backend) override {
    check_same_task(m_options, m_data.description.digest);
    check_same(processes(), "number of threads", std::to_string(backend.threads()));
  }

  std::string restore(const io::Json& state, const std::string& what) override {
    m_start = kept_classification(state, what);
    return plural(m_start.state.iteration, "iteration", "iterations");
  }

  void compute(const Backend& backend, const RunControl& control) override {
    const Interruption& interruption = control.interruption;
    const std::int64_t first_now = m_start.state.iteration;
    m_first = m_start.trajectory.empty() ? first_now : m_start.trajectory.front().iteration;
    Trajectory& trajectory = m_trajectory.emplace(control.kept, std::move(m_start.trajectory), first_now);
    ClassificationWatch watch(m_method, first_now, trajectory, interruption, control.shows_progress);
    const QuasiNewtonCallback callback = [&](const QuasiNewtonProgress& point) { return watch(point); };
    const auto keep = [&](const QuasiNewtonState& state) { trajectory.save(sporos::json_of(state)); };
    StopRequest stop_request;
    if (processes().count() == 1) stop_request = [&] { return interruption.signal() != 0; };
    m_outcome = backend.run(m_data.training,
                            ClassificationRun{m_method, std::move(m_start.state), callback, keep, stop_request});
  }

  std::optional<std::string> make_results() override {
    m_trajectory->complete(m_outcome.result.trajectory);
    return divergence(m_outcome.result, m_method, m_first);
  }

  bool has_ended() const override { return is_final(m_outcome.result.stopped_by); }

  io::Json state() const override { return m_trajectory->json(sporos::json_of(m_outcome.result.state)); }

  void write(const Machine& machine, double seconds) override {
    const ClassificationReport report{m_data, m_method, m_outcome, seconds, machine};
    const ResultDocument document = document_of(report);
    if (m_model) m_model->write(json_text(model_json(report, document)));
    if (m_state) {
      m_state->write(saved_text(classification_name, m_options, m_data.description.digest,
                                sporos::json_of(m_outcome.result.state)));
    }
    m_files.write(document);
  }

  Ending ending(int signal) const override {
    const QuasiNewtonResult& result = m_outcome.result;
    const std::string iterations = plural(result.iterations, "iteration", "iterations");
    if (result.stopped_by == StoppedBy::callback) {
      return Ending::interrupted_after(signal, iterations);
    }
    const auto tolerance = of_either<double>(m_method, [](const auto& some) { return some.gradient_tolerance; });
    const double norm = result.trajectory.back().gradient_norm;
    if (!m_options.has("gradient-tolerance") || norm <= tolerance || tolerance == 0) return {};
    return {2,
            fmt::format(
                "gradient tolerance not reached: the gradient norm is {:.3g}, {:.3g} times the tolerance, after {}, {}",
                norm, norm / tolerance, iterations, end_text(name_of(result.stopped_by)))};
  }

 private:
  const OptionTable& m_options;
  ClassificationData m_data;
  MethodOptions m_method;
  ClassificationStart m_start;
  ResultFiles m_files;
  std::optional<io::OutputFile> m_model, m_state;
  std::int64_t m_first = 0;  // first iteration of the trajectory
  std::optional<Trajectory> m_trajectory;
  ClassificationOutcome m_outcome{};
};

}  // namespace

int classification_command(std::span<const std::string> arguments, Backend& backend) {
  Arguments given = parse_classification_options(arguments);
  OptionTable& options = given.options;
  std::optional<SavedOptimization> saved;
  if (options.has("resume")) {
    saved.emplace(*options.text("resume"), classification_name);
    saved->fill(options, given.files);
  }
  check_table(options, {"trajectory", "scores"});
  const auto settings = execution_settings(options, backend);
  Learning run(given, saved);
  return carry_out(run, options, settings, backend);
}

}  // namespace sporos::apps
