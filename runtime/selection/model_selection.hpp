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

/// Progress of a selection between two launches.
struct SelectionProgress {
  std::string_view stage;     ///< the last stage that was finished; empty before the first
  std::int64_t survivors;     ///< number of systems that are left
  std::int64_t replications;  ///< number of replications of all systems so far
  std::int64_t missing;       ///< number of replications until the procedure decides again
  std::int64_t first;         ///< number of replications from which this run has resumed
};

/// Formats progress as "mm1, after screening: 12 survivors, 3000 replications". The rate over the past `seconds`
/// follows, and, if it is positive, a lower bound on the time until the procedure's next decision.
std::string progress_text(const std::string& model, const SelectionProgress& progress, double seconds);

/// Makes the launcher of the systems of a request on `backend`. Throws std::invalid_argument if a system is not valid
/// for the model, or if the model has no systems.
std::unique_ptr<SystemLauncher> system_launcher(const SelectionRequest& request, const Backend& backend);

/// A selection of the best of a model's systems, from its start to its report. With several processes, all of them
/// perform the same selection and share the replications.
class ModelSelection {
 public:
  /// A function called between launches. It returns the reason why the selection must stop early; nothing if it
  /// continues. Collective.
  using Watch = std::function<std::optional<StopReason>(const SelectionProgress&)>;

  /// Takes the request.
  explicit ModelSelection(SelectionRequest request) : m_request(std::move(request)) {}

  /// The request.
  const SelectionRequest& request() const { return m_request; }

  /// A function that replaces the launcher of replications by one that uses it.
  using Wrap = std::function<std::unique_ptr<SystemLauncher>(std::unique_ptr<SystemLauncher>)>;

  /// Makes the systems on `backend`, which must have been started. `wrap`, if it is not empty, replaces their launcher.
  /// Throws std::invalid_argument if a system is not valid for the model, and OutOfMemory if memory does not suffice.
  void start(const Backend& backend, const Wrap& wrap = {});

  /// Makes the next call of `run` resume from `state`, which state() has returned; `what` names it in messages. Returns
  /// the number of replications up to that state. Throws std::invalid_argument if it is not a valid state.
  std::int64_t restore(const io::Json& state, const std::string& what);

  /// The current state, from which a selection can be resumed. The watch may call this function, too.
  io::Json state() const;

  /// Selects until the guarantee is reached, the budget is used up, or `watch` returns a reason to stop. If a launch
  /// stop is requested (LaunchStopped), `watch` is called once more.
  void run(const Watch& watch);

  /// Number of replications of all systems so far.
  std::int64_t replications() const { return m_systems->replications(); }
  /// Whether, after `run`, the guarantee was reached or the budget was used up.
  bool has_ended() const { return !m_ended_by; }

  /// Returns the report. `seconds` is the duration.
  SelectionReport report(double seconds, const Machine& machine) const;

 private:
  SelectionRequest m_request;
  std::unique_ptr<ReplicatedSystems> m_systems;
  std::unique_ptr<JournaledSystems> m_journal;
  std::optional<JournaledSystems::Journal> m_restored;  // state to be restored at the start of `run`
  std::function<bool()> m_is_enough;
  std::vector<TimedStep> m_steps;
  std::optional<StopReason> m_ended_by;  // reason given by the watch
  std::optional<double> m_estimate;
};

}  // namespace sporos::runtime
