// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_shifts.hpp>

#include <algorithm>

namespace sporos::models::impl {

namespace {

// Adds the shifts of a slot.
class ShiftPlanner {
 public:
  ShiftPlanner(const NetworkDescription& network, const NetworkGrid& grid, std::size_t r)
      : m_network(network), m_grid(grid), m_role(network.roles[r]), m_index(r) {
    m_cost.steps = m_role.cost_factors;
    if (m_cost.steps.empty()) m_cost.steps = {{0, 1}};
    m_cost.cycle = m_role.cycle;
  }

  StartingPerson person(std::size_t slot) const {
    StartingPerson added{m_index, {}, {}};
    double begin = m_role.slot() * static_cast<double>(slot);
    if (m_grid.repeats) {
      add_shift(begin, day_of(m_network) / m_role.cycle, added);
      return added;
    }
    const double until = m_network.horizon - m_network.cool_down, days = counted_time(m_network) / day_of(m_network);
    for (; begin < m_grid.end(); begin += m_role.cycle)
      add_shift(begin, begin >= m_network.warm_up && begin < until ? 1 / days : 0, added);
    return added;
  }

 private:
  void add_shift(double begin, double per_day, StartingPerson& added) const {
    double from = begin;
    for (const NetworkBreak& pause : m_role.breaks) {
      add_work(from, begin + pause.after, m_role.overtime_factor - 1, per_day, added);
      from = std::min(begin + pause.after + pause.length, begin + m_role.shift);
    }
    add_work(from, begin + m_role.shift, m_role.overtime_factor, per_day, added);
  }
  void add_work(double from, double to, double overtime_factor, double per_day, StartingPerson& added) const {
    if (!(to > from)) return;
    m_grid.for_each_part(from, to, [&](std::size_t interval, double time) {
      added.presence.emplace_back(interval, time / m_grid.length);
    });
    added.cost += per_day * m_role.cost * integral_of(m_cost, from, to);
    const auto interval = m_grid.before(to);
    if (!interval || per_day == 0) return;
    const double cost = m_role.cost * integral_of(m_cost, to, to + m_grid.length) / m_grid.length;
    added.pauses.push_back({*interval, per_day, overtime_factor * cost});
  }

  const NetworkDescription& m_network;
  const NetworkGrid& m_grid;
  const NetworkRole& m_role;
  std::size_t m_index;
  NetworkSchedule m_cost;
};

}  // namespace

std::vector<StartingPerson> starting_persons(const NetworkDescription& network, const NetworkGrid& grid) {
  std::vector<StartingPerson> persons;
  for (std::size_t r = 0; r < network.roles.size(); ++r) {
    const ShiftPlanner planner(network, grid, r);
    for (std::size_t slot = 0; slot < network.roles[r].starts.size(); ++slot) persons.push_back(planner.person(slot));
  }
  return persons;
}

}  // namespace sporos::models::impl
