// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/selection/options.hpp>
#include <sporos/runtime/selection/report.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/procedures/ranking_and_selection/journaled_systems.hpp>
#include <sporos/procedures/ranking_and_selection/selection_procedures.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos::runtime {

/// How far a selection is between two launches.
struct SelectionProgress {
  std::string_view stage;     ///< what was done last; empty before anything was
  std::int64_t survivors;     ///< systems that are left
  std::int64_t replications;  ///< of all systems so far
  std::int64_t missing;       ///< replications that are made before the procedure decides again
  std::int64_t first;         ///< replications that this run has gone on from
};

/// "mm1, after screening: 12 survivors, 3000 replications", and where `seconds` have passed how long the procedure's
/// next decision takes at least, at the rate of this run.
std::string progress_text(const std::string& model, const SelectionProgress& progress, double seconds);

/// A selection of the best of a model's systems, from its beginning to its report. Where there are several processes,
/// all of them do the same and share the replications.
class ModelSelection {
 public:
  /// Asked between launches: why the selection is to end early; nothing if it goes on. Collective.
  using Watch = std::function<std::optional<StopReason>(const SelectionProgress&)>;

  /// Of what is asked for.
  explicit ModelSelection(SelectionRequest request) : m_request(std::move(request)) {}

  /// What was asked for.
  const SelectionRequest& request() const { return m_request; }

  /// Makes the systems on `backend`, which has been started. Throws std::invalid_argument where one makes no model, and
  /// OutOfMemory.
  void start(const Backend& backend);

  /// Makes it go on from `state`, which state() gave and messages call `what`, before it runs; replications until then.
  /// Throws std::invalid_argument where it is none.
  std::int64_t restore(const io::Json& state, const std::string& what);

  /// Where it stands, also while it asks its watch.
  io::Json state() const;

  /// Selects, until there is the guarantee, the budget is used up, or `watch` ends it. Where launches are asked to end
  /// (LaunchStopped), `watch` is called once more.
  void run(const Watch& watch);

  /// Replications so far, of all systems.
  std::int64_t replications() const { return m_systems->replications(); }
  /// Whether there is the guarantee, or the budget is used up, after `run`.
  bool has_ended() const { return !m_ended_by; }

  /// What was found; it took so many seconds.
  SelectionReport report(double seconds, const Machine& machine) const;

 private:
  SelectionRequest m_request;
  std::unique_ptr<ReplicatedSystems> m_systems;
  std::unique_ptr<JournaledSystems> m_journal;
  std::optional<JournaledSystems::Journal> m_restored;  // before it runs
  std::function<bool()> m_is_enough;
  std::vector<TimedStep> m_steps;
  std::optional<StopReason> m_ended_by;  // as its watch said
  std::optional<double> m_estimate;
};

}  // namespace sporos::runtime
