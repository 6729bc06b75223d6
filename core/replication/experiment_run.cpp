// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/execution/tool_region.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/replication/automatic_mapping.hpp>
#include <sporos/core/replication/estimates.hpp>
#include <sporos/core/replication/experiment_run.hpp>
#include <sporos/core/replication/failed_replications.hpp>
#include <sporos/core/replication/round.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sporos::impl {

namespace {

// Upper limit of rows, never reached in practice, so that products of replications and design points do not overflow.
constexpr std::int64_t max_experiment_rows = std::int64_t{1} << 62;

// Measures wall time since its construction.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count(); }

 private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

// Capacity of one process of an experiment, or the smallest capacities over all processes.
struct Capacity {
  std::int64_t outputs;  // largest number of outputs of a launch that fit into memory
  std::int64_t threads;  // number of threads of the execution space
  bool on_host;
};

// Limits of the outputs of a launch on a host, of which the larger one applies: 8 MiB per thread, and this number of
// replications of each design point. The C library returns the pages of much larger memory after each experiment, and
// new pages take longer than short replications.
constexpr std::int64_t enough_outputs_of_thread = 1 << 20, enough_of_point = 1 << 10;

Capacity min_capacity(Processes& processes, const ReplicationLauncher& launcher) {
  Capacity least{0, launcher.threads(), launcher.is_on_host()};
  together(processes, [&] { least.outputs = launcher.affordable_outputs(); });
  for (const Capacity& capacity : gather(processes, least)) {
    least.outputs = std::min(least.outputs, capacity.outputs);
    least.threads = std::min(least.threads, capacity.threads);
    least.on_host = least.on_host || capacity.on_host;
  }
  if (least.on_host) {
    const auto outputs_of_replication = static_cast<std::int64_t>(launcher.point_count() * launcher.response_count());
    least.outputs = std::min(
        least.outputs, std::max(least.threads * enough_outputs_of_thread, outputs_of_replication * enough_of_point));
  }
  return least;
}

// Throws OutOfMemory if the host has no room for the covariances of all pairs of responses.
void check_memory_of_covariances(std::size_t points, std::size_t responses) {
  constexpr double nodes = 20;  // number of nodes of a tree
  const auto pairs = static_cast<std::int64_t>(responses) * (static_cast<std::int64_t>(responses) - 1) / 2;
  const double of_point = sizeof(CoMomentsTree) + nodes * sizeof(CoMoments);
  check_memory<Kokkos::HostSpace>(
      {"covariances", pairs, "pairs of responses", sizeof(ResponsePair) + static_cast<double>(points) * of_point});
}

// Throws if the experiment cannot be run. Collective.
void check_experiment(const ReplicationLauncher& launcher, const Plan& plan, Processes& processes,
                      const Checkpoints& checkpoints, bool keeps_outputs) {
  together(processes, [&] {
    check_plan(plan);
    if (keeps_outputs && processes.count() > 1) {
      throw std::invalid_argument("outputs are kept in the memory of an execution space, and there are " +
                                  std::to_string(processes.count()) + " processes, expected one process");
    }
    const std::size_t points = launcher.point_count();
    if (points == 0) throw std::invalid_argument("an experiment needs at least one design point");
    launcher.check_models();
    const std::size_t responses = launcher.response_count();
    if (plan.covariances) check_memory_of_covariances(points, responses);
    if (checkpoints.start) check_state(*checkpoints.start, points, responses, launcher.pairs().size(), plan);
  });
  if (processes.count() == 1) return;
  check_same(processes, "number of design points", std::to_string(launcher.point_count()));
  check_same_plan(processes, plan);
}

// A running experiment.
class ExperimentRun {
 public:
  ExperimentRun(ReplicationLauncher& launcher, const Plan& plan, const Observer& observer, Processes& processes,
                const Checkpoints& checkpoints, const Recorder& recorder, OutputsOfPoints* kept)
      : m_launcher(prepared(launcher)),
        m_plan(plan),
        m_observer(observer),
        m_recorder(recorder),
        m_kept(kept),
        m_processes(processes),
        m_checkpoints(checkpoints),
        m_run_length(plan.source.replications_of_run()),
        m_first(checkpoints.start ? checkpoints.start->first : 0),
        m_names(launcher.response_names()),
        m_pairs(launcher.pairs()),
        m_capacity(min_capacity(processes, launcher)),
        m_summaries(launcher.point_count(), new_summary()),
        m_chooser(m_capacity.on_host, m_capacity.threads, launcher.has_warps() ? plan.mapping : Mapping::thread,
                  launcher.warp_use()) {
    m_result.points.resize(m_summaries.size());
    for (std::size_t point = 0; point < m_summaries.size(); ++point) m_running.push_back(point);
    if (checkpoints.start) restore(*checkpoints.start);
    if (m_kept != nullptr && m_kept->empty()) *m_kept = launcher.new_kept_outputs();
    if (checkpoints.early_end == nullptr) return;
    m_lock = std::unique_lock(checkpoints.early_end->mutex);
    checkpoints.early_end->result = [this](StopReason reason) { return early_result(reason); };
  }
  ExperimentRun(const ExperimentRun&) = delete;
  ExperimentRun& operator=(const ExperimentRun&) = delete;
  ~ExperimentRun() {
    if (m_lock.owns_lock()) m_checkpoints.early_end->result = nullptr;
  }

  // Whether a design point needs more replications.
  bool is_running() const { return !m_running.empty(); }

  // Runs a round. Returns false if a watcher ended the round before it was complete. The round is then discarded, as it
  // is if this function throws LaunchStopped.
  bool run_round(const Watcher& watcher);

  // Saves the state if it is due after a round, and ends the experiment if its replications or its time are used up.
  void conclude_round(const Watcher& watcher) {
    m_progress = progress();
    const Standing standing = common_standing(!watcher || watcher(m_progress));
    save_where_due(standing.seconds);
    if (m_done == m_plan.replications) {
      finish_all(m_plan.precision.is_set() ? StopReason::ceiling : StopReason::replications);
    } else if (!standing.goes_on) {
      end_early(StopReason::interrupted);
    } else if (standing.seconds >= m_plan.time_limit) {
      end_early(StopReason::time_limit);
    }
  }

  // Ends the experiment early. In the resulting state, the running design points can continue.
  void end_early(StopReason reason) {
    m_result.state = state();
    finish_all(reason);
  }

  // Progress after the last round.
  const Progress& last_progress() const { return m_progress; }

  // Returns the result. Call it once, at the end.
  ExperimentResult result() {
    if (m_result.state.points.empty()) m_result.state = state_of(std::move(m_summaries));
    take_times();
    return std::move(m_result);
  }

 private:
  static ReplicationLauncher& prepared(ReplicationLauncher& launcher) {
    launcher.prepare();
    return launcher;
  }

  // Status after a round: the time of the slowest process, and whether all processes go on.
  struct Standing {
    double seconds;
    bool goes_on;
  };

  // Outcome of a round on this process or on all: the longest total time of launches, and whether all parts were run.
  struct RoundEnd {
    double launch_seconds;
    bool is_whole;
  };

  void take_times() {
    m_result.mapping = m_chooser.mostly_used();
    m_result.seconds = m_timer.seconds();
  }

  // Called by another thread while this one waits for a launch.
  std::optional<ExperimentResult> early_result(StopReason reason) {
    if (m_done == m_first) return std::nullopt;
    end_early(reason);
    take_times();
    return m_result;
  }

  // While an object of this class lives, another thread may end the experiment.
  class Waiting {
   public:
    explicit Waiting(std::unique_lock<std::timed_mutex>& lock) : m_lock(lock) {
      if (m_lock.mutex() != nullptr) m_lock.unlock();
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting() {
      if (m_lock.mutex() != nullptr) m_lock.lock();
    }

   private:
    std::unique_lock<std::timed_mutex>& m_lock;
  };

  RoundEnd share(const std::vector<RoundPart>& parts, Mapping mapping, std::int64_t cut, const Watcher& watcher,
                 RoundSummary& summary, GatheredRows& rows);
  const SummarizedRows& launch(const RoundPart& part, Mapping mapping, std::int64_t cut);
  template <class Summary>
  void add_round(const Summary& summary, const ReplicationRange& range);
  std::vector<std::int64_t> valid_rows(const std::vector<std::size_t>& points, const ReplicationRange& range) const;
  void record(const std::vector<std::size_t>& points, const ReplicationRange& range, const double* values) const;
  template <class Summary>
  bool is_precise_after(std::size_t place, const Summary& summary, std::int64_t count);
  std::int64_t wanted_replications() const;
  std::int64_t rows_of_round(std::int64_t rows) const;
  std::int64_t replications_in(std::int64_t rows) const;
  Standing common_standing(bool goes_on) const;
  Progress progress() const;
  ExperimentState state() const { return state_of(m_summaries); }
  ExperimentState state_of(std::vector<ReplicationSummary> summaries) const;
  void restore(const ExperimentState& state);

  // Number of replications at the next check of the target precision: the next multiple of the batch, or the ceiling.
  std::int64_t next_look(std::int64_t replications) const {
    if (!m_plan.precision.is_set()) return m_plan.replications;
    return std::min(m_plan.replications, (replications / m_plan.batch + 1) * m_plan.batch);
  }

  // The summary of a design point without replications.
  ReplicationSummary new_summary() const {
    return ReplicationSummary(static_cast<int>(m_names.size()), m_first, m_run_length, pair_count());
  }

  int pair_count() const { return static_cast<int>(m_pairs.size()); }

  // Largest number of rows of a launch that fit into memory.
  std::int64_t max_rows_of_launch() const { return m_capacity.outputs / static_cast<std::int64_t>(m_names.size()); }

  std::vector<ResponseEstimate> estimates_at(std::size_t point) const {
    return estimates(m_summaries[point], m_names, m_plan.confidence, m_launcher.properties(point), m_pairs);
  }

  void finish(std::size_t point, StopReason reason) {
    const auto& summary = m_summaries[point];
    m_result.points[point] = {estimates_at(point), summary.replications, summary.digest, reason};
    if (summary.failures.has_failed) return finish_failed(point);
    if (!m_plan.covariances) return;
    PointResult& result = m_result.points[point];
    result.covariances = covariances(summary, result.responses, m_launcher.properties(point), m_pairs);
  }

  // Finishes a failed design point, which has no estimates.
  void finish_failed(std::size_t point) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    PointResult& result = m_result.points[point];
    for (ResponseEstimate& response : result.responses) {
      response.mean = unknown;
      response.variance = response.half_width = response.deviation = infinity;
      response.skewness = 0;
    }
    result.stopped_by = StopReason::failed;
    result.failure = {m_summaries[point].failures.count, reason_of_failure_at(point)};
    if (m_plan.covariances) result.covariances.assign(m_names.size() * m_names.size(), infinity);
  }

  std::string reason_of_failure_at(std::size_t point) const {
    const ReplicationFailures& failures = m_summaries[point].failures;
    const std::string response = "response '" + m_names[static_cast<std::size_t>(failures.first_response)] + "'";
    if (failures.count == 0) return response + " takes values whose variance is too large for double precision";
    return reason_of_failure(failures.first, failures.value, response, m_launcher.station_names());
  }

  // Throws std::runtime_error if all design points have failed.
  void check_failures() const {
    for (const ReplicationSummary& summary : m_summaries) {
      if (!summary.failures.has_failed) return;
    }
    const ReplicationSummary& first = m_summaries.front();
    const bool is_marked = failure_marked_by(first.failures.value).failure != Failure::none;
    const std::string of_all =
        m_summaries.size() > 1 ? "all " + std::to_string(m_summaries.size()) + " design points have failed, the first: "
                               : "";
    const std::string count = is_marked ? std::to_string(first.failures.count) + " of the first " +
                                              std::to_string(first.replications) + " replications have no responses; "
                                        : "";
    throw std::runtime_error(of_all + count + reason_of_failure_at(0));
  }

  void finish_all(StopReason reason) {
    for (const std::size_t point : m_running) finish(point, reason);
    m_running.clear();
  }

  void save_where_due(double seconds) {
    if (m_running.empty() || seconds < m_saved_at + m_checkpoints.every) return;
    together(m_processes, [&] {
      if (m_checkpoints.save) m_checkpoints.save(state());
    });
    m_saved_at = seconds;
  }

  ReplicationLauncher& m_launcher;
  const Plan& m_plan;
  const Observer& m_observer;
  const Recorder& m_recorder;
  OutputsOfPoints* m_kept;  // outputs in the memory of the execution space, or null
  Processes& m_processes;
  const Checkpoints& m_checkpoints;
  std::int64_t m_run_length;
  std::int64_t m_first;  // first replication of each design point; above 0 in a part of an experiment
  std::vector<std::string> m_names;
  std::vector<ResponsePair> m_pairs;
  Capacity m_capacity;                          // smallest capacities over all processes
  std::vector<ReplicationSummary> m_summaries;  // one for each design point
  std::vector<std::size_t> m_running;           // design points that need more replications
  std::int64_t m_done = 0;                      // replications of each running design point
  double m_excess = 0;                          // largest excess over the target precision among them
  double m_launch_seconds = 0;                  // total time of this process' launches in a round
  MappingChooser m_chooser;
  Stopwatch m_timer;
  Progress m_progress;    // progress after the last round
  double m_saved_at = 0;  // seconds since the start
  ExperimentResult m_result;
  std::unique_lock<std::timed_mutex> m_lock;  // released while another thread may end the experiment
};

bool ExperimentRun::run_round(const Watcher& watcher) {
  const ToolRegion region("sporos::experiment::round");
  const std::int64_t processes = m_processes.count();
  const auto running = static_cast<std::int64_t>(m_running.size());
  const Launch choice = m_chooser.next((running * wanted_replications() + processes - 1) / processes);
  const ReplicationRange range{m_done, replications_in(choice.rows)};
  const std::int64_t cut = m_observer ? m_run_length : m_plan.precision.is_set() ? m_plan.batch : 0;
  RoundEnd end{0, true};
  m_launch_seconds = 0;
  const std::vector<std::size_t> points = m_running;
  if (processes == 1) {
    add_round(launch({0, running, range}, choice.mapping, cut), range);
    end.launch_seconds = m_launch_seconds;
    if (m_recorder) record(points, range, m_launcher.outputs().data());
    if (m_kept != nullptr) m_launcher.keep(points, valid_rows(points, range), *m_kept);
  } else {
    RoundSummary summary(cut, m_run_length);
    GatheredRows rows;
    const std::int64_t least = m_chooser.min_rows(running * range.count / processes);
    const auto parts = parts_of(range, running, m_run_length, processes, least, max_rows_of_launch());
    end = share(parts, choice.mapping, cut, watcher, summary, rows);
    if (!end.is_whole) return false;
    summary.gather(m_processes, range.first);
    add_round(summary, range);
    if (m_recorder) record(points, range, rows.gather(m_processes, range, running, m_names.size()).data());
  }
  m_chooser.record(choice.mapping, (running * range.count + processes - 1) / processes, end.launch_seconds);
  return true;
}

// Numbers of valid rows of a round over `points`, after the round was added.
std::vector<std::int64_t> ExperimentRun::valid_rows(const std::vector<std::size_t>& points,
                                                    const ReplicationRange& range) const {
  std::vector<std::int64_t> counts;
  for (const std::size_t point : points) counts.push_back(m_first + m_summaries[point].replications - range.first);
  return counts;
}

// Passes the rows of a round over `points` to the recorder, after the round was added.
void ExperimentRun::record(const std::vector<std::size_t>& points, const ReplicationRange& range,
                           const double* values) const {
  const std::vector<std::int64_t> counts = valid_rows(points, range);
  together(m_processes, [&] { m_recorder({range.first, range.count, points, counts, m_names.size(), values}); });
}

// Shares the parts of a round among processes. After a watcher requests a stop, its process takes all remaining parts
// without running them, so that the other processes find no more work: a process launcher that sends a signal may not
// wait for a whole round. The first round is short and always completed, so that there is a result.
auto ExperimentRun::share(const std::vector<RoundPart>& parts, Mapping mapping, std::int64_t cut,
                          const Watcher& watcher, RoundSummary& summary, GatheredRows& rows) -> RoundEnd {
  bool goes_on = true, is_whole = true;
  m_processes.share(static_cast<std::int64_t>(parts.size()), [&](std::int64_t i) {
    if (goes_on) {
      const RoundPart& part = parts[static_cast<std::size_t>(i)];
      summary.add(part, launch(part, mapping, cut), m_names, pair_count());
      if (m_recorder) rows.add(part, m_launcher.outputs());
      goes_on = !watcher || m_done == m_first || watcher(m_progress);
    } else {
      is_whole = false;
    }
  });
  RoundEnd common{m_launch_seconds, is_whole};
  for (const RoundEnd& end : gather(m_processes, common)) {
    common.launch_seconds = std::max(common.launch_seconds, end.launch_seconds);
    common.is_whole = common.is_whole && end.is_whole;
  }
  return common;
}

// Runs a part of a round on this process and reduces it in the memory of the execution space.
const SummarizedRows& ExperimentRun::launch(const RoundPart& part, Mapping mapping, std::int64_t cut) {
  // A copy: another thread may end the experiment while this one waits for the launch.
  const auto first = m_running.begin() + static_cast<std::ptrdiff_t>(part.first_point);
  const std::vector<std::size_t> points(first, first + static_cast<std::ptrdiff_t>(part.points));
  const Stopwatch timer;
  {
    const Waiting waiting(m_lock);
    m_launcher.launch(points, part.range, mapping);
  }
  m_launch_seconds += timer.seconds();
  return m_launcher.summarize(cut, m_pairs);
}

// Adds a round to the summaries, and finishes the design points that are precise enough.
template <class Summary>
void ExperimentRun::add_round(const Summary& round, const ReplicationRange& range) {
  std::vector<std::size_t> still_running;
  m_excess = 0;
  for (std::size_t place = 0; place < m_running.size(); ++place) {
    if (is_precise_after(place, round, range.count)) {
      finish(m_running[place], StopReason::precision);
    } else {
      still_running.push_back(m_running[place]);
    }
  }
  m_running = std::move(still_running);
  m_done += range.count;
  check_failures();
}

// Number of further replications to plan for each running design point. Without a target precision, these
// are all that are left. With one, they are slightly more than the expected requirement. They reach at least up to the
// next check, and include those that cost no extra time.
std::int64_t ExperimentRun::wanted_replications() const {
  const std::int64_t left =
      std::min(m_plan.replications - m_done, max_experiment_rows / static_cast<std::int64_t>(m_running.size()));
  if (!m_plan.precision.is_set()) return left;
  const double needed = 1.1 * static_cast<double>(m_done) * (m_excess * m_excess - 1.0);
  const std::int64_t free = m_chooser.free_rows() / static_cast<std::int64_t>(m_running.size());
  return std::min(left, std::max({next_look(m_done) - m_done, bounded_count(needed), free}));
}

// Number of rows of a round whose launches should have `rows` rows. Several processes synchronize after each round.
// Their round takes as long as four such launches, so that synchronization costs little. It has more and smaller
// launches if memory has no room for that many rows.
std::int64_t ExperimentRun::rows_of_round(std::int64_t rows) const {
  constexpr std::int64_t launches_in_time = 4, max_launches = 64;
  const std::int64_t processes = m_processes.count(), most = max_rows_of_launch();
  if (processes == 1) return std::min(rows, most);
  const std::int64_t of_process = std::min(launches_in_time * rows, max_launches * most);
  const bool is_kept = m_observer || m_recorder;  // each process holds the whole round
  return is_kept ? std::min(processes * of_process, most) : processes * of_process;
}

// Number of replications of each running design point in the next round, whose launches have `rows` rows or as many as
// fit into memory. If possible, these are whole blocks. With a target precision, they end at a check of it.
std::int64_t ExperimentRun::replications_in(std::int64_t rows) const {
  const auto running = static_cast<std::int64_t>(m_running.size());
  const std::int64_t count = std::min(wanted_replications(), rows_of_round(rows) / running);
  if (count >= m_plan.replications - m_done) return count;
  const std::int64_t unit = m_plan.precision.is_set() ? m_plan.batch
                            : m_run_length == 1       ? block_of(count)
                                                      : m_run_length;
  const std::int64_t to_boundary = (m_done + count) / unit * unit - m_done;
  return to_boundary > 0 ? to_boundary : std::max<std::int64_t>(count / m_run_length * m_run_length, m_run_length);
}

// Adds a round to a design point's summary, batch by batch. Returns true if the estimates are precise enough at the end
// of a batch. Later replications of the round are then left out, so that the point stops at the same replication on
// every machine.
template <class Summary>
bool ExperimentRun::is_precise_after(std::size_t place, const Summary& round, std::int64_t count) {
  const std::size_t point = m_running[place];
  ReplicationSummary& summary = m_summaries[point];
  ObservationVisitor visitor;
  if (m_observer) visitor = [&](std::size_t response, double observation) { m_observer(point, response, observation); };
  for (std::int64_t begin = 0; begin < count;) {
    const std::int64_t end = std::min(count, next_look(m_done + begin) - m_done);
    round.add_to(summary, static_cast<std::int64_t>(place), begin, end, m_names, visitor);
    begin = end;
    if (!m_plan.precision.is_set() || next_look(m_done + end - 1) != m_done + end) continue;
    if (summary.failures.has_failed) return true;
    const double now = excess(estimates_at(point), m_plan.precision);
    if (now <= 1) return true;
    if (begin == count) m_excess = std::max(m_excess, now);
  }
  return false;
}

auto ExperimentRun::common_standing(bool goes_on) const -> Standing {
  Standing common{m_timer.seconds(), goes_on};
  for (const Standing& standing : gather(m_processes, common)) {
    common.seconds = std::max(common.seconds, standing.seconds);
    common.goes_on = common.goes_on && standing.goes_on;
  }
  return common;
}

Progress ExperimentRun::progress() const {
  Progress progress{0, 0, m_timer.seconds()};
  for (const auto& summary : m_summaries) progress.replications += summary.replications;
  const auto running = static_cast<std::int64_t>(m_running.size());
  const std::int64_t left = m_plan.replications - m_done;
  progress.at_most = running > 0 && left > max_experiment_rows / running ? max_experiment_rows
                                                                         : progress.replications + running * left;
  return progress;
}

ExperimentState ExperimentRun::state_of(std::vector<ReplicationSummary> summaries) const {
  ExperimentState state{m_done, {}, m_first};
  state.points.reserve(summaries.size());
  for (std::size_t point = 0; point < summaries.size(); ++point) {
    state.points.push_back({std::move(summaries[point]), m_result.points[point].stopped_by});
  }
  for (const std::size_t point : m_running) state.points[point].stopped_by.reset();
  return state;
}

void ExperimentRun::restore(const ExperimentState& state) {
  m_done = state.replications;
  if (state.points.empty()) return;  // a part begins
  m_running.clear();
  for (std::size_t point = 0; point < m_summaries.size(); ++point) {
    const auto& [summary, stopped_by] = state.points[point];
    m_summaries[point] = summary;
    if (stopped_by) {
      finish(point, *stopped_by);
    } else {
      m_running.push_back(point);
    }
  }
  if (m_done == m_plan.replications) {
    finish_all(m_plan.precision.is_set() ? StopReason::ceiling : StopReason::replications);
  }
  check_failures();
}

}  // namespace

ExperimentResult run_experiment(ReplicationLauncher& launcher, const Plan& plan, const Watcher& watcher,
                                const Observer& observer, Processes& processes, const Checkpoints& checkpoints,
                                const Recorder& recorder, OutputsOfPoints* kept) {
  check_experiment(launcher, plan, processes, checkpoints, kept != nullptr);
  ExperimentRun run(launcher, plan, observer, processes, checkpoints, recorder, kept);
  while (run.is_running()) {
    bool is_whole = false;
    StopReason reason = StopReason::interrupted;
    try {
      is_whole = run.run_round(watcher);
    } catch (const LaunchStopped&) {
      if (!watcher || watcher(run.last_progress())) reason = StopReason::time_limit;
    }
    if (is_whole) {
      run.conclude_round(watcher);
    } else {
      run.end_early(reason);
    }
  }
  return run.result();
}

}  // namespace sporos::impl
