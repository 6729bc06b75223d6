// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace sporos {

/// Systems that record the result of every call of a procedure, so that a selection can be resumed. Given the same
/// results, a procedure makes the same calls again, up to the call that had not returned. The systems themselves are
/// restored immediately, to their state at that time.
class JournaledSystems final : public ReplicatedSystems {
 public:
  /// Wraps `systems`, which must outlive this object.
  explicit JournaledSystems(ReplicatedSystems& systems) : m_systems(systems), m_begin{0, systems.survivors(), 0} {}

  std::int64_t count() const override { return m_systems.count(); }
  std::int64_t survivors() const override { return last().survivors; }
  const std::vector<FailedSystem>& failed() const override { return m_systems.failed(); }
  void begin_again() override {
    m_systems.begin_again();
    m_answers.clear();
    m_next = 0;
    m_before.reset();
    m_begin = {0, m_systems.survivors(), m_systems.replications()};
  }
  bool has_common_random_numbers() const override { return m_systems.has_common_random_numbers(); }
  int constraints() const override { return m_systems.constraints(); }
  std::int64_t replications() const override { return last().replications; }
  double seconds_in_replications() const override { return m_systems.seconds_in_replications(); }
  std::int64_t missing() const override { return m_systems.missing(); }
  SurvivorState state() override { return m_before ? *m_before : m_systems.state(); }
  void restore(const SurvivorState& state) override { m_systems.restore(state); }

  void replicate(const SampleSize& size) override {
    answer([&] { m_systems.replicate(size); });
  }
  // The allocation depends on what was known before. Until it is done, the journal ends before it.
  void replicate_by_ratios(std::int64_t total) override {
    answer([&] {
      m_before = m_systems.state();
      m_systems.replicate_by_ratios(total);
      m_before.reset();
    });
  }
  void end_first_stage() override {
    answer([&] { m_systems.end_first_stage(); });
  }
  void keep_responses(std::int64_t count) override {
    answer([&] { m_systems.keep_responses(count); });
  }
  double mean_deviation() override {
    return answer([&] { return m_systems.mean_deviation(); });
  }
  double mean_of_means() override {
    return answer([&] { return m_systems.mean_of_means(); });
  }
  void screen(const GoodSelectionScreening& rule) override {
    answer([&] { m_systems.screen(rule); });
  }
  void screen(const KimNelsonScreening& rule) override {
    answer([&] { m_systems.screen(rule); });
  }
  void screen(const StandardScreening& rule) override {
    answer([&] { m_systems.screen(rule); });
  }
  void screen(const SubsetScreening& rule) override {
    answer([&] { m_systems.screen(rule); });
  }
  void screen(const MatchWinners& rule) override {
    answer([&] { m_systems.screen(rule); });
  }
  std::int64_t screen(const KnownStandardScreening& rule) override {
    return bounded_count(answer([&] { return static_cast<double>(m_systems.screen(rule)); }));
  }
  std::int64_t screen(const FeasibilityScreening& rule) override {
    return bounded_count(answer([&] { return static_cast<double>(m_systems.screen(rule)); }));
  }
  double screen(const PosteriorScreening& rule) override {
    return answer([&] { return m_systems.screen(rule); });
  }
  double next_size_by_variance(double growth) override {
    return answer([&] { return m_systems.next_size_by_variance(growth); });
  }
  void begin_matches(std::int64_t size) override {
    answer([&] { m_systems.begin_matches(size); });
  }
  void begin_seeded_matches() override {
    answer([&] { m_systems.begin_seeded_matches(); });
  }
  std::int64_t in_matches() override {
    return bounded_count(answer([&] { return static_cast<double>(m_systems.in_matches()); }));
  }
  std::vector<SystemEstimate> best(std::size_t most) override { return m_systems.best(most); }
  std::vector<SystemEstimate> excesses(int constraint, std::span<const std::int64_t> systems) override {
    return m_systems.excesses(constraint, systems);
  }
  std::optional<InfeasibleSystem> nearest_infeasible() const override { return m_systems.nearest_infeasible(); }
  double estimated_correct_selection() override { return m_systems.estimated_correct_selection(); }

  /// Returns the results so far and the state of the systems as JSON, for `read`.
  io::Json json();

  /// Result of a call, and the state after it.
  struct Answer {
    double number;              ///< 0 if the call returns nothing
    std::int64_t survivors;     ///< number of surviving systems
    std::int64_t replications;  ///< replications of all systems so far
  };

  /// A journal read from JSON.
  struct Journal {
    std::vector<Answer> answers;  ///< results in the order of the calls
    SurvivorState state;          ///< state after the last of them, or during the next call
    std::int64_t begin = 0;       ///< number of survivors before the first call
  };

  /// Reads a journal of `systems` systems with `constraints` constraints from `json`; `what` names it in messages.
  /// Throws std::invalid_argument if `json` is no such journal.
  static Journal read(const io::Json& json, const std::string& what, std::int64_t systems, std::size_t constraints = 0);

  /// Resumes from `journal`, before any other call.
  void restore(Journal journal);

 private:
  const Answer& last() const { return m_next == 0 ? m_begin : m_answers[m_next - 1]; }

  template <class Call>
  double answer(const Call& call) {
    if (m_next == m_answers.size()) {
      double number = 0;
      if constexpr (std::is_void_v<decltype(call())>) {
        call();
      } else {
        number = call();
      }
      m_answers.push_back({number, m_systems.survivors(), m_systems.replications()});
    }
    return m_answers[m_next++].number;
  }

  ReplicatedSystems& m_systems;
  Answer m_begin;
  std::vector<Answer> m_answers;
  std::size_t m_next = 0;                 // index of the next result to return
  std::optional<SurvivorState> m_before;  // state before the replicate_by_ratios in progress
};

}  // namespace sporos
