// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/selection/model_selection.hpp>

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/selection/task.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/tool_region.hpp>
#include <sporos/core/io/format.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace sporos::runtime {

std::string progress_text(const std::string& model, const SelectionProgress& progress, double seconds) {
  const std::string done = progress.stage.empty() ? "" : fmt::format(", after {}", progress.stage);
  const double rate = static_cast<double>(progress.replications - progress.first) / seconds;
  const std::string rest =
      rate > 0 ? fmt::format(", at least {} left", duration_text(static_cast<double>(progress.missing) / rate)) : "";
  return fmt::format("{}{}: {}, {}, {:.3g}/s{}", model, done, plural(progress.survivors, "survivor", "survivors"),
                     plural(progress.replications, "replication", "replications"), rate, rest);
}

std::unique_ptr<SystemLauncher> system_launcher(const SelectionRequest& request, const Backend& backend) {
  const std::string& model = request.model->name;
  if (!backend.offers<SystemsTask>(model)) {
    throw std::invalid_argument(model + " has no parameters that can differ between systems");
  }
  return backend.run_with(model, SystemsTask{request.values, request.grid, request.which});
}

void ModelSelection::start(const Backend& backend, const Wrap& wrap) {
  together(processes(), [&] {
    auto launcher = system_launcher(m_request, backend);
    if (wrap) launcher = wrap(std::move(launcher));
    m_systems = backend.replicated_systems(std::move(launcher), m_request.grid.size(),
                                           {[this] { return m_is_enough(); }, processes()});
    m_journal = std::make_unique<JournaledSystems>(*m_systems);
  });
}

std::int64_t ModelSelection::restore(const io::Json& state, const std::string& what) {
  auto journal = JournaledSystems::read(state, what, m_request.grid.size(), m_request.constraints.size());
  m_steps.clear();
  for (const io::Json& step : io::json_list(state, what, "steps")) {
    const std::string place = fmt::format("{}: steps[{}]", what, m_steps.size());
    m_steps.push_back(
        {io::json_member<std::string>(step, place, "stage"), io::json_member<std::int64_t>(step, place, "survivors"),
         io::json_member<std::int64_t>(step, place, "replications"), io::json_member<double>(step, place, "seconds")});
  }
  m_restored = std::move(journal);
  return m_restored->state.replications;
}

io::Json ModelSelection::state() const {
  io::Json state = m_journal->json();
  state["steps"] = io::Json::array();
  for (const auto& [stage, survivors, replications, seconds] : m_steps) {
    state["steps"].push_back(
        {{"stage", stage}, {"survivors", survivors}, {"replications", replications}, {"seconds", seconds}});
  }
  return state;
}

void ModelSelection::run(const Watch& watch) {
  const ToolRegion region([this] { return "sporos::select[" + m_request.model->name + "]"; });
  m_is_enough = [] { return false; };
  if (m_restored) m_journal->restore(std::move(*m_restored));
  m_restored.reset();
  const auto start = Clock::now();
  const std::int64_t first = m_systems->replications();
  std::size_t known = m_steps.size();  // number of steps that are only repeated
  const double before = known == 0 ? 0 : m_steps.back().seconds;
  m_is_enough = [&] {
    const std::string_view stage = m_steps.empty() ? "" : std::string_view(m_steps.back().stage);
    m_ended_by = watch({stage, m_systems->survivors(), m_systems->replications(), m_systems->missing(), first});
    return m_ended_by.has_value();
  };
  try {
    std::size_t reported = 0;
    sporos::select(*m_request.procedure, *m_journal, m_request.options, [&](const SelectionStep& step) {
      if (reported++ < known) return;
      if (step.stage == beginning_again) {
        m_steps.clear();
        reported = known = 0;
        return;
      }
      m_steps.push_back({std::string(step.stage), step.survivors, step.replications, before + seconds_since(start)});
    });
    m_ended_by.reset();  // ignores a stop that was requested during the last launch
    if (m_request.procedure->estimate != nullptr) m_estimate = m_request.procedure->estimate(*m_systems);
  } catch (const SelectionInterrupted&) {
  } catch (const LaunchStopped&) {
    m_is_enough();
  }
}

SelectionReport ModelSelection::report(double seconds, const Machine& machine) const {
  auto survivors = m_systems->best(std::numeric_limits<std::size_t>::max());
  if (m_request.which.is_smallest_best) {
    for (SystemEstimate& estimate : survivors) estimate.mean = -estimate.mean;
  }
  SelectionReport report{m_request,
                         m_steps,
                         std::move(survivors),
                         m_systems->replications(),
                         m_ended_by,
                         seconds,
                         m_systems->seconds_in_replications(),
                         machine,
                         m_estimate};
  report.failed = m_systems->failed();
  std::vector<std::int64_t> systems;
  for (const SystemEstimate& survivor : report.survivors) systems.push_back(survivor.system);
  for (std::size_t i = 0; i < m_request.constraints.size(); ++i) {
    report.constrained.push_back(m_systems->excesses(static_cast<int>(i), systems));
    for (SystemEstimate& excess : report.constrained.back()) excess = m_request.constraints[i].of_excess(excess);
  }
  if (const auto nearest = m_systems->nearest_infeasible(); nearest && report.survivors.empty()) {
    const auto place = static_cast<std::size_t>(nearest->constraint);
    report.nearest = {nearest->constraint, m_request.constraints[place].of_excess(nearest->excess)};
  }
  return report;
}

}  // namespace sporos::runtime
