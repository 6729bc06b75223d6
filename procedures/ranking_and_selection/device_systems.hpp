// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/execution/timed_pieces.hpp>
#include <sporos/core/execution/tool_region.hpp>
#include <sporos/core/linear_algebra/ordered_sum.hpp>
#include <sporos/core/linear_algebra/reserve.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/replication/failed_replications.hpp>
#include <sporos/procedures/ranking_and_selection/allocation_kernels.hpp>
#include <sporos/procedures/ranking_and_selection/model_launcher.hpp>
#include <sporos/procedures/ranking_and_selection/survivor_numbers.hpp>
#include <sporos/procedures/ranking_and_selection/system_constraints.hpp>
#include <sporos/procedures/ranking_and_selection/system_kernels.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos {

/// Systems whose sums are in memory that kernels of `ExecutionSpace` can access: 108 bytes per system, 8 more for each
/// kept response, and with constraints 16 more and 48 for each constraint. Replications run in launches of at most
/// rows_at_once, over all survivors, so that few systems with many replications fill a device as well as many systems
/// with few. Replications of a system are summed in order, so that bits are the same on every backend and with any
/// number of processes.
template <class ExecutionSpace>
class DeviceSystems final : public ReplicatedSystems {
 public:
  /// Takes `count` systems, replicated by `launcher`. @throws OutOfMemory if their sums do not fit, and
  /// std::invalid_argument for fewer than two systems.
  DeviceSystems(const ExecutionSpace& space, std::unique_ptr<SystemLauncher> launcher, std::int64_t count,
                const ReplicationOptions& options = {});

  /// Maximum number of rows in a launch; smaller on a host, which has fewer threads.
  static constexpr std::int64_t rows_at_once =
      runs_on_host<ExecutionSpace> ? std::int64_t{1} << 14 : std::int64_t{1} << 22;

  std::int64_t count() const override { return m_count; }
  std::int64_t survivors() const override { return m_survivors.count; }
  const std::vector<FailedSystem>& failed() const override { return m_failed; }
  void begin_again() override;
  bool has_common_random_numbers() const override { return m_launcher->has_common_random_numbers(); }
  int constraints() const override { return m_launcher->constraints(); }
  std::int64_t replications() const override { return m_replications; }
  double seconds_in_replications() const override { return m_seconds; }
  std::int64_t missing() const override { return m_missing; }
  SurvivorState state() override;
  void restore(const SurvivorState& state) override;
  void replicate(const SampleSize& size) override { replicate_missing({m_sums, m_survivors, size}); }
  void replicate_by_ratios(std::int64_t total) override {
    replicate_missing({m_sums, m_survivors, {}, impl::sizes_by_ratio(m_space, known(), total - m_lost)});
  }
  void end_first_stage() override;
  void keep_responses(std::int64_t count) override;
  double mean_deviation() override { return mean_by<impl::DeviationOf<ExecutionSpace>>(); }
  double mean_of_means() override { return mean_by<impl::MeanOf<ExecutionSpace>>(); }
  void screen(const GoodSelectionScreening& rule) override;
  void screen(const KimNelsonScreening& rule) override;
  void screen(const StandardScreening& rule) override;
  void screen(const SubsetScreening& rule) override;
  void screen(const MatchWinners& rule) override;
  std::int64_t screen(const KnownStandardScreening& rule) override;
  std::int64_t screen(const FeasibilityScreening& rule) override;
  double screen(const PosteriorScreening& rule) override;
  double next_size_by_variance(double growth) override;
  void begin_matches(std::int64_t size) override;
  void begin_seeded_matches() override;
  std::int64_t in_matches() override;
  std::vector<SystemEstimate> best(std::size_t most) override;
  std::vector<SystemEstimate> excesses(int constraint, std::span<const std::int64_t> systems) override;
  std::optional<InfeasibleSystem> nearest_infeasible() const override { return m_nearest; }
  double estimated_correct_selection() override { return impl::estimated_correct_selection(m_space, known()); }

 private:
  template <class Number>
  using SystemNumbers = impl::SystemView<ExecutionSpace, Number>;
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

  auto places() const { return impl::each_place(m_space, m_survivors.count); }
  impl::KnownSurvivors<ExecutionSpace> known() const { return {m_sums, m_survivors}; }
  // In one process, a launch can be requested to stop (launch_stop.hpp). Several processes call `is_enough` between
  // launches instead, and therefore begin with small launches.
  static std::int64_t first_launch(const ExecutionSpace& space, const Processes& processes) {
    const bool is_small = runs_on_host<ExecutionSpace> && processes.count() > 1;
    return is_small ? 16 * std::int64_t{space.concurrency()} : rows_at_once;
  }
  static std::int64_t checked_count(std::int64_t count, int constraints);
  void replicate_missing(const impl::MissingRows<ExecutionSpace>& missing);
  void run_rows(std::int64_t first, std::int64_t end);
  void add_rows(std::int64_t first, std::int64_t end);
  void count_failures(std::int64_t first, std::int64_t end);
  void drop_failed();
  void leave_out(const std::vector<FailedSystem>& systems);
  void make_room_for_failures();
  [[noreturn]] void refuse_all_failed() const;
  void fix_variances(const impl::SystemSums<ExecutionSpace>& sums, const std::string& what,
                     std::vector<FailedSystem>& left_out);
  std::vector<SystemEstimate> estimates(const impl::SystemSums<ExecutionSpace>& sums,
                                        const impl::SystemSurvivors<ExecutionSpace>& systems) const;
  std::string of_all(std::int64_t system) const {
    return " of system " + std::to_string(system + 1) + " of " + std::to_string(m_count);
  }
  template <class Numbers>
  double mean_by();
  template <class Terms>
  SystemNumbers<typename Terms::Term> terms_of(const Terms& rule) {
    const SystemNumbers<typename Terms::Term> terms(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("sporos::selection::terms")),
        static_cast<std::size_t>(m_survivors.count));
    Kokkos::parallel_for("sporos::selection::terms", places(), impl::TermWriter<ExecutionSpace, Terms>{rule, terms});
    return terms;
  }
  template <class Terms>
  void screen_neighbours(const Terms& rule);
  template <class Terms>
  void screen_matches(const Terms& rule);
  void compact();
  void make_room_for_matches();
  impl::SurvivorNumbers<ExecutionSpace> numbers() const { return {m_space, m_count, m_survivors}; }
  void restore_constraints(const std::vector<ConstraintState>& states) const;

  ExecutionSpace m_space;
  std::unique_ptr<SystemLauncher> m_launcher;
  TimedPieces m_launches;  // sizes of launches in rows
  std::int64_t m_count;
  ReplicationOptions m_options;
  impl::SystemConstraints<ExecutionSpace> m_constraints;
  impl::SystemSums<ExecutionSpace> m_sums;
  impl::SystemSurvivors<ExecutionSpace> m_survivors, m_next;
  SystemNumbers<std::int64_t> m_ends;
  SystemNumbers<std::int32_t> m_keeps;
  SystemNumbers<double> m_responses;
  std::vector<double> m_host_responses;
  std::vector<FailedSystem> m_failed;  // in ascending order of indices
  impl::SystemFailures<ExecutionSpace> m_failures;
  bool m_has_new_failures = false;
  std::optional<InfeasibleSystem> m_nearest;
  double m_min_excess = 0;  // excess of m_nearest in units of the tolerance
  std::int64_t m_replications = 0;
  std::int64_t m_forgotten = 0;  // per survivor: replications made but no longer in its sums
  std::int64_t m_missing = 0;
  std::int64_t m_lost = 0;  // replications of systems that have failed since the beginning
  double m_seconds = 0;
};

template <class ExecutionSpace>
std::int64_t DeviceSystems<ExecutionSpace>::checked_count(std::int64_t count, int constraints) {
  if (count < 2) throw std::invalid_argument("number of systems is " + std::to_string(count) + ", expected at least 2");
  using Constraints = impl::SystemConstraints<ExecutionSpace>;
  double bytes_of_system = 108;
  if (constraints > 0) bytes_of_system += Constraints::bytes_of_all + constraints * Constraints::bytes_of_one;
  check_memory<typename ExecutionSpace::memory_space>({"sums", count, "systems", bytes_of_system});
  return count;
}

template <class ExecutionSpace>
DeviceSystems<ExecutionSpace>::DeviceSystems(const ExecutionSpace& space, std::unique_ptr<SystemLauncher> launcher,
                                             std::int64_t count, const ReplicationOptions& options)
    : m_space(space),
      m_launcher(std::move(launcher)),
      m_launches(first_launch(space, options.processes), rows_at_once),
      m_count(checked_count(count, m_launcher->constraints())),
      m_options(options),
      m_constraints(space, m_launcher->constraints(), count) {
  const auto size = static_cast<std::size_t>(count);
  const auto unset = [&](const char* label) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
  };
  m_sums = impl::system_sums(space, count);
  m_sums.made = SystemNumbers<std::int64_t>(Kokkos::view_alloc(space, "sporos::selection::made"), size);
  m_survivors.systems = SystemNumbers<std::int64_t>(unset("sporos::selection::survivors"), size);
  m_next.systems = SystemNumbers<std::int64_t>(unset("sporos::selection::next survivors"), size);
  m_survivors.count = count;
  m_ends = SystemNumbers<std::int64_t>(unset("sporos::selection::ends"), size);
  m_keeps = SystemNumbers<std::int32_t>(unset("sporos::selection::keeps"), size);
  m_failed = m_launcher->impossible();
  begin_again();
}

// One thread sums the rows of a system in a launch. If few systems need many rows, each gets an equal part of a launch.
template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::replicate_missing(const impl::MissingRows<ExecutionSpace>& missing) {
  const ToolRegion region("sporos::selection::stage");
  while (true) {
    std::int64_t unfinished = 0;
    double missing_in_all = 0;
    Kokkos::parallel_reduce("sporos::selection::lacking", places(), missing, unfinished, missing_in_all);
    m_space.fence();
    if (unfinished == 0) break;
    m_missing = sporos::checked_count("replications of the next stage", missing_in_all,
                                      "raise delta, lower the confidence, or use fewer systems or smaller batches");
    constexpr std::int64_t least = 256;  // planning takes less time than this many rows
    std::int64_t total = 0;
    Kokkos::parallel_scan("sporos::selection::plan", places(),
                          impl::RowPlanner<ExecutionSpace>{missing, m_ends, std::max(rows_at_once / unfinished, least)},
                          total);
    m_space.fence();
    for (std::int64_t first = 0; first < total;) {
      const std::int64_t end = first + m_launches.next(total - first, m_options.processes);
      run_rows(first, end);
      first = end;
    }
    Kokkos::parallel_for("sporos::selection::count", places(),
                         impl::MadeCounter<ExecutionSpace>{m_sums, m_survivors, m_ends});
    if (m_missing == 0) break;
  }
  if (m_has_new_failures) drop_failed();
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::make_room_for_failures() {
  if (m_failures.count.extent(0) > 0) return;
  const auto size = static_cast<std::size_t>(m_count);
  m_failures = {SystemNumbers<std::int64_t>(Kokkos::view_alloc(m_space, "sporos::selection::failures"), size),
                SystemNumbers<std::int64_t>(Kokkos::view_alloc(m_space, "sporos::selection::first failures"), size),
                SystemNumbers<double>(Kokkos::view_alloc(m_space, "sporos::selection::marks"), size)};
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::count_failures(std::int64_t first, std::int64_t end) {
  make_room_for_failures();
  Kokkos::parallel_for("sporos::selection::failures", places(),
                       impl::FailureCounter<ExecutionSpace>{m_sums, m_survivors, m_ends, m_responses, first, end,
                                                            1 + constraints(), m_failures});
  m_has_new_failures = true;
}

// Systems that fail are no longer survivors. They may have eliminated others before.
template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::drop_failed() {
  const auto systems = numbers().copied(m_survivors.systems, m_survivors.count);
  const auto failures = numbers().of_survivors(m_failures.count), first = numbers().of_survivors(m_failures.first),
             made = numbers().of_survivors(m_sums.made);
  const auto marks = numbers().of_survivors(m_failures.mark);
  const auto stations = m_launcher->station_names();
  std::vector<FailedSystem> found;
  for (std::size_t place = 0; place < systems.size(); ++place) {
    if (failures[place] == 0) continue;
    found.push_back({systems[place], failures[place], made[place],
                     impl::reason_of_failure(first[place], marks[place], "a response", stations)});
  }
  m_has_new_failures = false;
  Kokkos::parallel_for("sporos::selection::failed", places(),
                       impl::FailureScreen<ExecutionSpace>{m_survivors, m_keeps, m_failures});
  leave_out(found);
}

// Removes these systems, which are already marked to leave, from the survivors.
template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::leave_out(const std::vector<FailedSystem>& systems) {
  const bool is_late = m_survivors.count + static_cast<std::int64_t>(m_failed.size()) < m_count;
  for (const FailedSystem& system : systems) m_lost += system.replications;
  m_failed.insert(m_failed.end(), systems.begin(), systems.end());
  std::ranges::sort(m_failed, {}, &FailedSystem::system);
  compact();
  if (static_cast<std::int64_t>(m_failed.size()) == m_count) refuse_all_failed();
  if (is_late) throw SystemFailedLate();
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::refuse_all_failed() const {
  const FailedSystem& first = m_failed.front();
  if (first.has_equal_numbers()) {
    throw std::runtime_error("all " + std::to_string(m_count) + " systems are left out, system " +
                             std::to_string(first.system + 1) + " since " + first.reason);
  }
  throw std::runtime_error("all " + std::to_string(m_count) + " systems have failed, system " +
                           std::to_string(first.system + 1) + " in " + std::to_string(first.failures) + " of " +
                           std::to_string(first.replications) + " replications: " + first.reason);
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::begin_again() {
  m_sums.kept = 0;
  m_constraints.begin_again(m_space);
  m_survivors.matches = m_next.matches = {};
  m_survivors.count = m_count;
  Kokkos::parallel_for("sporos::selection::begin", places(),
                       impl::Beginning<ExecutionSpace>{m_sums, m_survivors.systems});
  m_space.fence();
  m_nearest.reset();
  m_min_excess = 0;
  m_replications = m_forgotten = m_missing = m_lost = 0;
  if (m_failed.empty()) return;
  std::vector<std::int64_t> systems;
  auto failed = m_failed.begin();
  for (std::int64_t system = 0; system < m_count; ++system) {
    if (failed != m_failed.end() && failed->system == system) {
      ++failed;
    } else {
      systems.push_back(system);
    }
  }
  m_survivors.count = static_cast<std::int64_t>(systems.size());
  numbers().fill(m_survivors.systems, systems);
}

// Each process makes an equal part of the rows and gets all of them.
template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::run_rows(std::int64_t first, std::int64_t end) {
  if (m_options.is_enough && m_options.is_enough()) throw SelectionInterrupted();
  using Clock = std::chrono::steady_clock;
  Processes& processes = m_options.processes;
  const std::int64_t columns = 1 + m_constraints.count();
  reserve(m_responses, "sporos::selection::responses", (end - first) * columns);
  const PartRange mine = parts_of_process(processes, processes.rank(), end - first);
  const auto start = Clock::now();
  together(processes, [&] {
    if (mine.count() == 0) return;
    m_launcher->launch({m_survivors.systems.data(), m_ends.data(), m_sums.made.data(), m_survivors.count,
                        first + mine.first, first + mine.end, m_responses.data() + mine.first * columns});
    check_launches<ExecutionSpace>();
  });
  m_seconds += std::chrono::duration<double>(Clock::now() - start).count();
  if (processes.count() > 1) {
    m_host_responses.resize(static_cast<std::size_t>((end - first) * columns));
    const auto device = first_elements(m_responses, m_host_responses.size());
    copy_elements(m_space, m_host_responses, device);
    m_space.fence();
    std::vector<std::int64_t> counts;
    for (int rank = 0; rank < processes.count(); ++rank) {
      counts.push_back(parts_of_process(processes, rank, end - first).count() * columns);
    }
    const std::vector<double> own(m_host_responses.begin() + mine.first * columns,
                                  m_host_responses.begin() + mine.end * columns);
    gather_into(m_host_responses.data(), processes, std::span<const double>(own), counts);
    copy_elements(m_space, device, m_host_responses);
  }
  m_replications += end - first;
  m_missing -= end - first;
  add_rows(first, end);
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::add_rows(std::int64_t first, std::int64_t end) {
  const int columns = 1 + constraints();
  bool is_failing = false;
  for (int column = 0; column < columns; ++column) {
    const auto& sums = column == 0 ? m_sums : m_constraints.all()[static_cast<std::size_t>(column - 1)].sums;
    std::int64_t wrong = none;
    Kokkos::parallel_reduce(
        "sporos::selection::add", places(),
        impl::RowAdder<ExecutionSpace>{sums, m_survivors, m_ends, m_responses, first, end, columns, column},
        Kokkos::Min<std::int64_t>(wrong));
    m_space.fence();
    is_failing = is_failing || wrong != none;
  }
  if (is_failing) count_failures(first, end);
}

// Appends the systems whose numbers are all equal to `left_out`.
template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::fix_variances(const impl::SystemSums<ExecutionSpace>& sums, const std::string& what,
                                                  std::vector<FailedSystem>& left_out) {
  std::int64_t constant = 0;
  const bool is_response = &sums == &m_sums;
  Kokkos::parallel_reduce("sporos::selection::variances", places(),
                          impl::VarianceFixer<ExecutionSpace>{sums, m_survivors, m_keeps, is_response,
                                                              is_response && m_launcher->has_known_responses()},
                          constant);
  m_space.fence();
  if (constant == 0) return;
  const auto systems = numbers().copied(m_survivors.systems, m_survivors.count);
  const auto keeps = numbers().copied(m_keeps, m_survivors.count);
  const auto counts = numbers().of_survivors(sums.count), made = numbers().of_survivors(m_sums.made);
  for (std::size_t place = 0; place < systems.size(); ++place) {
    if (keeps[place] != 0) continue;
    left_out.push_back({systems[place], 0, made[place],
                        "its " + std::to_string(counts[place]) + " " + what +
                            " of the first stage are all equal, so their variance is unknown: use a longer first "
                            "stage (--first-stage)"});
  }
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::end_first_stage() {
  std::vector<FailedSystem> left_out;
  fix_variances(m_sums, "responses", left_out);
  std::int64_t number = 0;
  for (const auto& constraint : m_constraints.all()) {
    fix_variances(constraint.sums, "values of constraint " + std::to_string(++number), left_out);
  }
  if (left_out.empty()) return;
  std::ranges::stable_sort(left_out, {}, &FailedSystem::system);
  const auto same = [](const FailedSystem& a, const FailedSystem& b) { return a.system == b.system; };
  left_out.erase(std::unique(left_out.begin(), left_out.end(), same), left_out.end());
  leave_out(left_out);
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::keep_responses(std::int64_t count) {
  if (count <= m_sums.kept) return;
  check_memory<typename ExecutionSpace::memory_space>(
      {"stored responses", m_count, "systems", 8.0 * static_cast<double>(count)});
  const SystemNumbers<double> before = m_sums.kept_responses;
  const std::int64_t kept_before = m_sums.kept;
  m_sums.kept_responses =
      SystemNumbers<double>(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("sporos::selection::kept")),
                            static_cast<std::size_t>(count * m_count));
  m_sums.kept = count;
  if (kept_before == 0) return;
  Kokkos::parallel_for("sporos::selection::keep", places(),
                       impl::KeptMover<ExecutionSpace>{m_sums, m_survivors, before, kept_before});
  m_space.fence();
}

template <class ExecutionSpace>
template <class Numbers>
double DeviceSystems<ExecutionSpace>::mean_by() {
  const Vector<ExecutionSpace> numbers(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, m_space, std::string("sporos::selection::numbers")),
      static_cast<std::size_t>(m_survivors.count));
  Kokkos::parallel_for("sporos::selection::numbers", places(), Numbers{m_sums, m_survivors, numbers});
  return ordered_sum<ExecutionSpace>(m_space, numbers) / static_cast<double>(m_survivors.count);
}

template <class ExecutionSpace>
template <class Terms>
void DeviceSystems<ExecutionSpace>::screen_neighbours(const Terms& rule) {
  using Term = typename Terms::Term;
  const std::int64_t groups = (m_survivors.count + impl::neighbours - 1) / impl::neighbours;
  const auto terms = terms_of(rule);
  const SystemNumbers<std::int64_t> bests(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, m_space, std::string("sporos::selection::bests")),
      static_cast<std::size_t>(groups));
  Kokkos::parallel_for("sporos::selection::bests", impl::each_place(m_space, groups),
                       impl::GroupBests<ExecutionSpace, Term>{terms, bests, m_survivors.count});
  Kokkos::parallel_for(
      "sporos::selection::screen", places(),
      impl::NeighbourScreen<ExecutionSpace, Terms>{rule, terms, bests, m_keeps, m_survivors.count, groups});
  compact();
}

template <class ExecutionSpace>
template <class Terms>
void DeviceSystems<ExecutionSpace>::screen_matches(const Terms& rule) {
  Kokkos::parallel_for("sporos::selection::matches", places(),
                       impl::MatchScreen<ExecutionSpace, Terms>{rule, terms_of(rule), m_keeps});
  compact();
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::screen(const GoodSelectionScreening& rule) {
  screen_neighbours(impl::GoodSelectionTerms<ExecutionSpace>{m_sums, m_survivors, rule});
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::screen(const KimNelsonScreening& rule) {
  const impl::KimNelsonTerms<ExecutionSpace> terms{m_sums, m_survivors, rule};
  if (rule.is_within_matches) return screen_matches(terms);
  if (rule.is_against_feasible) {
    return screen_neighbours(impl::FeasibleTerms<ExecutionSpace>{terms, m_constraints.met(), m_constraints.count()});
  }
  screen_neighbours(terms);
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::screen(const SubsetScreening& rule) {
  screen_neighbours(impl::SubsetTerms<ExecutionSpace>{m_sums, m_survivors, rule});
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::screen(const MatchWinners&) {
  screen_matches(impl::WinnerTerms<ExecutionSpace>{m_sums, m_survivors});
}

template <class ExecutionSpace>
std::int64_t DeviceSystems<ExecutionSpace>::screen(const KnownStandardScreening& rule) {
  std::int64_t better = 0;
  Kokkos::parallel_reduce("sporos::selection::known standard", places(),
                          impl::KnownStandardScreen<ExecutionSpace>{m_sums, m_survivors, m_keeps, rule}, better);
  compact();
  return better;
}

template <class ExecutionSpace>
std::int64_t DeviceSystems<ExecutionSpace>::screen(const FeasibilityScreening& rule) {
  if (constraints() == 0 || rule.tolerances.size() != static_cast<std::size_t>(constraints())) {
    throw std::invalid_argument("number of tolerances is " + std::to_string(rule.tolerances.size()) +
                                ", expected one for each of " + std::to_string(constraints()) +
                                " constraints, at least one");
  }
  if (const auto found = m_constraints.check(m_space, m_survivors, m_keeps, rule);
      found && (!m_nearest || found->worst < m_min_excess)) {
    m_min_excess = found->worst;
    for (int constraint = 0; constraint < constraints(); ++constraint) {
      const SystemEstimate excess = excesses(constraint, std::array{found->system}).front();
      if (excess.mean / rule.tolerances[static_cast<std::size_t>(constraint)] != found->worst) continue;
      m_nearest = InfeasibleSystem{constraint, excess};
      break;
    }
  }
  compact();
  return m_constraints.feasible(m_space, m_survivors);
}

template <class ExecutionSpace>
double DeviceSystems<ExecutionSpace>::screen(const PosteriorScreening& rule) {
  const double wanted = impl::screen_by_shares(m_space, known(), m_keeps, rule);
  compact();
  return wanted;
}

template <class ExecutionSpace>
double DeviceSystems<ExecutionSpace>::next_size_by_variance(double growth) {
  double least = 0;
  Kokkos::parallel_reduce("sporos::selection::next size", places(),
                          impl::NextSizeByVariance<ExecutionSpace>{known(), growth}, Kokkos::Min<double>(least));
  m_space.fence();
  return least;
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::screen(const StandardScreening& rule) {
  Kokkos::parallel_for("sporos::selection::standard", places(),
                       impl::StandardScreen<ExecutionSpace>{m_sums, m_survivors, m_keeps, rule});
  compact();
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::compact() {
  std::int64_t left = 0;
  Kokkos::parallel_scan("sporos::selection::compact", places(),
                        impl::Compaction<ExecutionSpace>{m_survivors, m_next, m_keeps}, left);
  m_space.fence();
  std::swap(m_survivors, m_next);
  m_survivors.count = left;
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::make_room_for_matches() {
  if (m_survivors.matches.extent(0) == 0) {
    for (auto* list : {&m_survivors, &m_next}) {
      list->matches = SystemNumbers<std::int64_t>(
          Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("sporos::selection::matches")),
          static_cast<std::size_t>(m_count));
    }
  }
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::begin_matches(std::int64_t size) {
  make_room_for_matches();
  std::int64_t made = 0;
  Kokkos::parallel_reduce("sporos::selection::most made", places(), impl::MostMade<ExecutionSpace>{m_sums, m_survivors},
                          Kokkos::Max<std::int64_t>(made));
  m_space.fence();
  m_next.count = m_survivors.count;
  const std::int64_t matches = 1 + (m_survivors.count - 1) / size;  // `size` may be the largest integer
  Kokkos::parallel_for("sporos::selection::matches", places(),
                       impl::MatchMaker<ExecutionSpace>{m_sums, m_survivors, m_next, matches, made});
  std::swap(m_survivors, m_next);
  m_forgotten = made;
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::begin_seeded_matches() {
  impl::write_seeded(m_space, known(), m_next.systems);
  std::swap(m_survivors.systems, m_next.systems);
  begin_matches(2);
}

template <class ExecutionSpace>
std::int64_t DeviceSystems<ExecutionSpace>::in_matches() {
  std::int64_t count = 0;
  Kokkos::parallel_reduce("sporos::selection::opponents", places(), impl::OpponentCounter<ExecutionSpace>{m_survivors},
                          count);
  m_space.fence();
  return count;
}

template <class ExecutionSpace>
std::vector<SystemEstimate> DeviceSystems<ExecutionSpace>::best(std::size_t most) {
  std::vector<SystemEstimate> found = estimates(m_sums, m_survivors);
  std::erase_if(found, [](const SystemEstimate& estimate) { return estimate.replications == 0; });
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(most, found.size()));
  std::partial_sort(found.begin(), end, found.end(), [](const SystemEstimate& a, const SystemEstimate& b) {
    return a.mean != b.mean ? a.mean > b.mean : a.system < b.system;
  });
  found.erase(end, found.end());
  return found;
}

template <class ExecutionSpace>
std::vector<SystemEstimate> DeviceSystems<ExecutionSpace>::excesses(int constraint,
                                                                    std::span<const std::int64_t> systems) {
  impl::SystemSurvivors<ExecutionSpace> wanted;
  wanted.systems = SystemNumbers<std::int64_t>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::selection::wanted"), systems.size());
  wanted.count = static_cast<std::int64_t>(systems.size());
  numbers().fill(wanted.systems, std::vector(systems.begin(), systems.end()));
  return estimates(m_constraints.all().at(static_cast<std::size_t>(constraint)).sums, wanted);
}

template <class ExecutionSpace>
std::vector<SystemEstimate> DeviceSystems<ExecutionSpace>::estimates(
    const impl::SystemSums<ExecutionSpace>& sums, const impl::SystemSurvivors<ExecutionSpace>& systems) const {
  const SystemNumbers<SystemEstimate> found(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, m_space, std::string("sporos::selection::estimates")),
      static_cast<std::size_t>(systems.count));
  Kokkos::parallel_for("sporos::selection::estimates", impl::each_place(m_space, systems.count),
                       impl::EstimateWriter<ExecutionSpace>{sums, systems, found});
  return numbers().copied(found, systems.count);
}

template <class ExecutionSpace>
SurvivorState DeviceSystems<ExecutionSpace>::state() {
  SurvivorState state;
  state.replications = m_replications;
  state.forgotten = m_forgotten;
  state.kept = m_sums.kept;
  state.system = numbers().copied(m_survivors.systems, m_survivors.count);
  if (m_survivors.matches.extent(0) > 0) state.match = numbers().copied(m_survivors.matches, m_survivors.count);
  state.response = numbers().state_of(m_sums);
  for (const auto& constraint : m_constraints.all()) {
    state.constraints.push_back({numbers().state_of(constraint.sums), numbers().of_survivors(constraint.is_met)});
  }
  state.nearest_infeasible = m_nearest;
  state.min_excess = m_min_excess;
  state.failed = m_failed;
  return state;
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::restore(const SurvivorState& state) {
  m_failed = state.failed;
  for (const FailedSystem& failed : m_failed) m_lost += failed.replications;
  m_survivors.count = static_cast<std::int64_t>(state.system.size());
  numbers().fill(m_survivors.systems, state.system);
  if (!state.match.empty()) {
    make_room_for_matches();
    numbers().fill(m_survivors.matches, state.match);
  }
  m_forgotten = state.forgotten;
  numbers().fill_of_survivors(m_sums.made, std::vector<std::int64_t>(state.system.size(), m_forgotten));
  if (state.kept > 0) {
    keep_responses(state.kept);
    replicate({.fixed = state.kept});
  }
  std::vector<std::int64_t> made = state.response.count;
  for (std::int64_t& replications : made) replications += m_forgotten;
  numbers().fill_of_survivors(m_sums.made, made);
  numbers().restore(m_sums, state.response);
  restore_constraints(state.constraints);
  m_nearest = state.nearest_infeasible;
  m_min_excess = state.min_excess;
  m_replications = state.replications;
}

template <class ExecutionSpace>
void DeviceSystems<ExecutionSpace>::restore_constraints(const std::vector<ConstraintState>& states) const {
  if (states.empty()) return;
  std::vector<std::int64_t> met(states.front().is_met.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    numbers().restore(m_constraints.all()[i].sums, states[i].excess);
    numbers().fill_of_survivors(m_constraints.all()[i].is_met, states[i].is_met);
    for (std::size_t place = 0; place < met.size(); ++place) met[place] += states[i].is_met[place];
  }
  numbers().fill_of_survivors(m_constraints.met(), met);
}

/// Creates the systems of a family: `model` with parameters from `grid`, compared by `which`. @throws the same
/// exceptions as ModelLauncher and DeviceSystems.
template <class Model, class ExecutionSpace>
DeviceSystems<ExecutionSpace> systems_of(const ExecutionSpace& space, const Model& model, const SystemGrid& grid,
                                         const SystemResponse& which, const ReplicationOptions& options = {}) {
  return {space, std::make_unique<ModelLauncher<Model, ExecutionSpace>>(space, model, grid, which), grid.size(),
          options};
}

}  // namespace sporos
