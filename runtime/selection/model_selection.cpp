// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/selection/model_selection.hpp>

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/duration.hpp>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

namespace sporos::runtime {

void ModelSelection::start(const Backend& backend) {
  const auto make = backend.runner_of(m_request.model->name).systems;
  if (make == nullptr) throw std::invalid_argument(m_request.model->name + " has no parameters that can be decided");
  together(processes(), [&] {
    m_systems = backend.replicated_systems(make(m_request.values, m_request.grid, m_request.which),
                                           m_request.grid.size(), {[this] { return m_is_enough(); }, processes()});
  });
}

void ModelSelection::run(const Watch& watch) {
  const auto start = Clock::now();
  std::string stage = "first stage";
  m_is_enough = [&] {
    m_end = watch({stage, m_systems->survivors(), m_systems->replications()});
    return !m_end.empty();
  };
  try {
    m_request.procedure->run(*m_systems, m_request.options, [&](const SelectionStep& step) {
      stage = step.stage;
      m_steps.push_back({stage, step.survivors, step.replications, seconds_since(start)});
    });
    m_end = m_request.procedure->has_budget ? "budget" : "guarantee";
    if (m_request.procedure->estimate != nullptr) m_estimate = m_request.procedure->estimate(*m_systems);
  } catch (const SelectionInterrupted&) {
  }
}

SelectionReport ModelSelection::report(double seconds, const Machine& machine) const {
  auto survivors = m_systems->best(std::numeric_limits<std::size_t>::max());
  if (m_request.which.is_smallest_best) {
    for (SystemEstimate& estimate : survivors) estimate.mean = -estimate.mean;
  }
  return {m_request,
          m_steps,
          std::move(survivors),
          m_systems->replications(),
          m_end,
          seconds,
          m_systems->seconds_in_replications(),
          machine,
          m_estimate};
}

}  // namespace sporos::runtime
