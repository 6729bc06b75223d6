// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_grid.hpp>

#include <limits>

namespace sporos::models::impl {

namespace {

bool repeats_with(const NetworkSchedule& schedule, double cycle) {
  return schedule.steps.size() <= 1 || schedule.cycle == cycle;
}

}  // namespace

double counted_time(const NetworkDescription& network) { return network.horizon - network.cool_down - network.warm_up; }

std::optional<NetworkGrid> grid_of(const NetworkDescription& network) {
  constexpr double least_intervals = 48, most_intervals = 5000, most_rates = 2e6, longest_shift = 100;
  const double cycle = network.roles.front().cycle;
  bool repeats = !std::isfinite(network.horizon) || counted_time(network) >= 2 * cycle;
  double length = std::numeric_limits<double>::infinity();
  for (const NetworkRole& role : network.roles) {
    repeats = repeats && role.cycle == cycle;
    if (role.shift > longest_shift * role.cycle) return std::nullopt;
    length = std::min({length, role.slot() / 2, role.cycle / least_intervals});
  }
  for (const NetworkClass& of : network.classes) repeats = repeats && repeats_with(of.rates, cycle);
  const double end = repeats ? cycle : network.horizon, count = std::ceil(end / length * (1 - 1e-12));
  const auto pairs = static_cast<double>(network.stations.size() * network.classes.size());
  if (!(count <= most_intervals) || pairs * count > most_rates) return std::nullopt;
  return NetworkGrid{end / count, static_cast<std::size_t>(count), repeats};
}

double integral_of(const NetworkSchedule& schedule, double from, double to) {
  const auto& [steps, cycle] = schedule;
  const double whole_cycles = std::isfinite(cycle) ? std::floor((to - from) / cycle) : 0;
  double sum = whole_cycles * schedule.integral();
  if (whole_cycles > 0) to -= whole_cycles * cycle;
  for (double base = std::isfinite(cycle) ? std::floor(from / cycle) * cycle : 0; base < to; base += cycle) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double end = base + (i + 1 < steps.size() ? steps[i + 1].from : cycle);
      sum += steps[i].value * std::max(std::min(to, end) - std::max(from, base + steps[i].from), 0.0);
    }
  }
  return sum;
}

std::vector<std::map<std::size_t, double>> parts_of_periods(const NetworkDescription& network,
                                                            const NetworkGrid& grid) {
  const auto& [ends, cycle, quantities, stations] = network.periods;
  std::vector<std::map<std::size_t, double>> parts(ends.size());
  const bool is_cycle = grid.repeats && std::isfinite(cycle);
  if (ends.empty() || !std::isfinite(ends.back()) || (is_cycle && std::abs(cycle - grid.end()) > 1e-9 * cycle))
    return parts;
  const double begin = is_cycle ? 0 : network.warm_up, until = is_cycle ? cycle : network.horizon;
  for (double base = 0; base < until; base += cycle) {
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const double from = std::max(base + (i > 0 ? ends[i - 1] : 0), begin), to = std::min(base + ends[i], until);
      if (!(to > from)) continue;
      grid.for_each_part(from, to,
                         [&](std::size_t interval, double time) { parts[i][interval] += time / grid.length; });
    }
  }
  return parts;
}

}  // namespace sporos::models::impl
