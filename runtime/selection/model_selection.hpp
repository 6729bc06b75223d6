// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/selection/options.hpp>
#include <sporos/runtime/selection/report.hpp>

#include <sporos/procedures/ranking_and_selection/selection_procedures.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos::runtime {

/// A selection of the best of a model's systems, from its beginning to its report. Where there are several processes,
/// all of them do the same and share the replications.
class ModelSelection {
 public:
  /// Asked between launches, with what was done last: why the selection is to end early, or an empty text. Collective.
  using Watch = std::function<std::string_view(const SelectionStep&)>;

  /// Of what is asked for.
  explicit ModelSelection(SelectionRequest request) : m_request(std::move(request)) {}

  /// What was asked for.
  const SelectionRequest& request() const { return m_request; }

  /// Makes the systems on `backend`, which has been started. Throws std::invalid_argument where one makes no model, and
  /// OutOfMemory.
  void start(const Backend& backend);

  /// Selects, until there is the guarantee, the budget is used up, or `watch` ends it.
  void run(const Watch& watch);

  /// What was found; it took so many seconds.
  SelectionReport report(double seconds, const Machine& machine) const;

 private:
  SelectionRequest m_request;
  std::unique_ptr<ReplicatedSystems> m_systems;
  std::function<bool()> m_is_enough;
  std::vector<TimedStep> m_steps;
  std::string_view m_end;
  std::optional<double> m_estimate;
};

}  // namespace sporos::runtime
