// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_approximation.hpp>

#include <sporos/models/networks/network_data.hpp>
#include <sporos/models/networks/network_flows.hpp>
#include <sporos/models/networks/network_grid.hpp>
#include <sporos/models/networks/network_queue_approximation.hpp>
#include <sporos/models/networks/network_shifts.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace sporos::models {

namespace {

using impl::NetworkGrid, impl::StaffStream, impl::StartingPerson;

// Erlang's probability of loss with this load, interpolated between whole numbers of servers. One recursion serves all
// numbers of servers, which must not decrease.
class ErlangLoss {
 public:
  explicit ErlangLoss(double load) : m_load(load) {}

  double with(double servers) {
    const double whole = std::floor(servers), rest = servers - whole;
    for (; m_next <= whole && m_loss > 1e-12; ++m_next) m_loss = m_load * m_loss / (m_next + m_load * m_loss);
    return (1 - rest) * m_loss + rest * m_load * m_loss / (whole + 1 + m_load * m_loss);
  }

 private:
  double m_load, m_next = 1, m_loss = 1;
};

// Roles that the same customers prefer one directly after the other. They are one group with Erlang's loss.
struct Pool {
  std::vector<std::size_t> roles, streams;
};

// Mean and variance of the number of customers whom an unlimited group would serve.
struct Traffic {
  double mean, variance;
};

// State of one interval.
struct Interval {
  Interval(std::size_t roles, std::size_t pools, std::size_t streams)
      : people(roles),
        busy(roles),
        pooled(pools),
        traffic(streams),
        losses(streams),
        at_once(streams),
        backlog(streams),
        allotted(streams) {}

  // State of a pool.
  struct OfPool {
    double people, carried;  // people, and load that is served at once
    double waiting;          // load of those customers for whom all roles are busy
    double extra;            // load that a person serves after waits
  };
  std::vector<double> people;           // by role
  std::vector<double> busy;             // by role: people who serve
  std::vector<OfPool> pooled;           // by pool
  std::vector<Traffic> traffic;         // by stream: load that the roles so far could not serve at once
  std::vector<double> losses, at_once;  // by stream: probabilities that all roles are busy, and of service at once
  std::vector<double> backlog;          // by stream: load of the customers who wait at the beginning
  std::vector<double> allotted;         // by stream: people who serve it or are idle, shared by load
};

// Totals of a day.
struct Totals {
  std::vector<double> came, at_once, waiting;         // by stream
  std::vector<std::vector<double>> late;              // by limit of waits and stream: customers who wait longer
  std::vector<double> queues;                         // by interval and stream: average number of waiting customers
  std::vector<double> present, busy, cost, overtime;  // by role
  std::vector<double> people, busy_share;             // by interval and role: people at work, and the part who serve
};

class StaffApproximation {
 public:
  StaffApproximation(const NetworkDescription& network, const NetworkGrid& grid);

  // Approximates the means of all responses from the numbers of people who start in the slots of all roles.
  std::vector<double> means(const std::vector<double>& starts) const;
  // Numbers of the case.
  const std::vector<double>& starts() const { return m_starts; }

 private:
  std::size_t roles() const { return m_streams_of.size(); }
  std::vector<std::size_t> ordered_roles() const;
  bool are_pooled(std::size_t one, std::size_t other) const;
  void pool_roles();
  void serve(std::size_t interval, Interval& state) const;
  void allot(const Pool& pool, double people, Interval& state) const;
  void overflow(const Pool& pool, Interval::OfPool& pooled, Interval& state) const;
  void wait(std::size_t interval, Interval& state) const;
  QueueInterval queue_of(std::size_t stream, std::size_t interval, const Interval& state) const;
  double remaining_service(std::size_t role, std::size_t interval) const;
  void add_pay(const StartingPerson& person, double count, Totals& totals) const;
  void add_waits(const std::vector<QueueInterval>& queues, std::vector<QueueState> states, Totals& totals) const;
  double value(const NetworkResponse& response, const Totals& totals) const;
  static bool is_of(const StaffStream& stream, const NetworkResponse& response);
  double value_of_customers(const NetworkResponse& response, const Totals& totals) const;
  double value_in_period(const NetworkResponse& response, const Totals& totals) const;
  double utilization_in_period(const NetworkResponse& response, const Totals& totals) const;

  NetworkGrid m_grid;
  std::vector<StaffStream> m_streams;
  std::vector<NetworkResponse> m_responses;
  int m_first_role;                       // number of the first role among the places of periods
  std::vector<StartingPerson> m_persons;  // one for each slot of each role
  std::vector<double> m_starts;
  std::vector<double> m_limits;                          // of waits
  std::vector<double> m_weights;                         // counted share of each interval
  double m_observed;                                     // sum of the counted shares
  double m_day;                                          // length of a day
  std::vector<std::map<std::size_t, double>> m_periods;  // shares of intervals in each period; empty if unknown
  std::vector<std::vector<std::size_t>> m_streams_of;    // streams that each role serves
  std::vector<Pool> m_pools;                             // dedicated roles first
  std::vector<std::vector<std::size_t>> m_pools_of;      // pools that serve each stream
};

StaffApproximation::StaffApproximation(const NetworkDescription& network, const NetworkGrid& grid)
    : m_grid(grid),
      m_streams(impl::staff_streams(network, grid)),
      m_responses(network_responses(network)),
      m_first_role(static_cast<int>(network.stations.size()) + 1),
      m_persons(impl::starting_persons(network, grid)),
      m_limits(network.wait_limits),
      m_weights(grid.count, 1.0),
      m_day(day_of(network)),
      m_periods(impl::parts_of_periods(network, grid)),
      m_streams_of(network.roles.size()) {
  for (const NetworkRole& role : network.roles) m_starts.insert(m_starts.end(), role.starts.begin(), role.starts.end());
  for (std::size_t k = 0; k < m_streams.size(); ++k) {
    for (const std::size_t r : m_streams[k].roles) m_streams_of[r].push_back(k);
  }
  for (std::size_t i = 0; i < grid.count && !grid.repeats; ++i) {
    const double from = grid.length * static_cast<double>(i), to = from + grid.length;
    const double counted = std::min(to, network.horizon - network.cool_down) - std::max(from, network.warm_up);
    m_weights[i] = std::max(counted, 0.0) / grid.length;
  }
  m_observed = std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
  pool_roles();
}

// Returns the roles in an order in which each one follows those that customers prefer to it. If preferences contradict
// each other, some of them do not count.
std::vector<std::size_t> StaffApproximation::ordered_roles() const {
  std::vector<std::size_t> ranks(roles());
  for (std::size_t round = 0; round < roles(); ++round) {
    for (const StaffStream& stream : m_streams) {
      for (std::size_t p = 1; p < stream.roles.size(); ++p)
        ranks[stream.roles[p]] = std::max(ranks[stream.roles[p]], ranks[stream.roles[p - 1]] + 1);
    }
  }
  std::vector<std::size_t> order(roles());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return ranks[r]; });
  return order;
}

// Whether all customers of both roles prefer `other` directly after `one`.
bool StaffApproximation::are_pooled(std::size_t one, std::size_t other) const {
  return m_streams_of[one] == m_streams_of[other] && std::ranges::all_of(m_streams_of[one], [&](std::size_t k) {
           const auto found = std::ranges::adjacent_find(
               m_streams[k].roles, [&](std::size_t r, std::size_t next) { return r == one && next == other; });
           return found != m_streams[k].roles.end();
         });
}

void StaffApproximation::pool_roles() {
  for (const std::size_t r : ordered_roles()) {
    if (m_pools.empty() || !are_pooled(m_pools.back().roles.back(), r)) m_pools.push_back({{}, m_streams_of[r]});
    m_pools.back().roles.push_back(r);
  }
  m_pools_of.resize(m_streams.size());
  for (std::size_t p = 0; p < m_pools.size(); ++p) {
    for (const std::size_t k : m_pools[p].streams) m_pools_of[k].push_back(p);
  }
}

// Shares the people of a pool among those whom they serve or who wait for them.
void StaffApproximation::allot(const Pool& pool, double people, Interval& state) const {
  double load = 0;
  for (const std::size_t k : pool.streams) load += state.traffic[k].mean + state.backlog[k];
  if (!(load > 0)) return;
  for (const std::size_t k : pool.streams)
    state.allotted[k] += people * (state.traffic[k].mean + state.backlog[k]) / load;
}

// Lets the people of a pool serve what they can serve at once, and passes on the rest.
void StaffApproximation::overflow(const Pool& pool, Interval::OfPool& pooled, Interval& state) const {
  double load = 0, variance = 0;
  for (const std::size_t k : pool.streams) {
    load += state.traffic[k].mean;
    variance += state.traffic[k].variance;
  }
  for (const std::size_t r : pool.roles) state.busy[r] = 0;
  pooled = {};
  for (const std::size_t r : pool.roles) pooled.people += state.people[r];
  allot(pool, pooled.people, state);
  if (!(load > 0 && pooled.people > 0)) return;
  const double peakedness = std::max(variance / load, 1.0), a = load / peakedness;
  ErlangLoss loss(a);
  double people = 0, b = 1;
  for (const std::size_t r : pool.roles) {
    if (!(state.people[r] > 0)) continue;
    people += state.people[r];
    const double before = std::exchange(b, loss.with(people / peakedness));
    state.busy[r] = load * (before - b);
  }
  const double servers = people / peakedness, rest = a * b;
  const double of_rest = peakedness * (1 - rest + a / (servers + 1 - a + rest));
  pooled.carried = load * (1 - b);
  for (const std::size_t k : pool.streams) {
    Traffic& traffic = state.traffic[k];
    const double share = traffic.mean / load, mean = traffic.mean * b;
    traffic = {mean, mean * (1 + share * (std::max(of_rest, 1.0) - 1))};
    state.losses[k] *= b;
  }
}

// Computes who waits, and lets the roles serve the waiting customers, too.
void StaffApproximation::wait(std::size_t interval, Interval& state) const {
  for (std::size_t k = 0; k < m_streams.size(); ++k) {
    for (const std::size_t p : m_pools_of[k]) state.pooled[p].waiting += m_streams[k].load[interval] * state.losses[k];
  }
  for (std::size_t k = 0; k < m_streams.size(); ++k) {
    double people = 0, carried = 0, waiting = 0;
    for (const std::size_t p : m_pools_of[k]) {
      const Interval::OfPool& pooled = state.pooled[p];
      people += pooled.people;
      carried += pooled.carried;
      if (pooled.people > 0) waiting = std::max(waiting, pooled.waiting);
    }
    const double utilization = people > 0 ? (carried + waiting) / people : 1, lost = state.losses[k];
    state.at_once[k] = utilization < 1 ? 1 - lost / (1 - utilization + utilization * lost) : 0;
    for (const std::size_t p : m_pools_of[k]) {
      if (people > 0) state.pooled[p].extra += m_streams[k].load[interval] * lost / people;
    }
  }
  for (std::size_t p = 0; p < m_pools.size(); ++p) {
    for (const std::size_t r : m_pools[p].roles)
      state.busy[r] = std::min(state.busy[r] + state.pooled[p].extra * state.people[r], state.people[r]);
  }
}

void StaffApproximation::serve(std::size_t interval, Interval& state) const {
  std::ranges::fill(state.losses, 1.0);
  std::ranges::fill(state.allotted, 0.0);
  for (std::size_t k = 0; k < m_streams.size(); ++k)
    state.traffic[k] = {m_streams[k].load[interval], m_streams[k].load[interval]};
  for (std::size_t p = 0; p < m_pools.size(); ++p) overflow(m_pools[p], state.pooled[p], state);
  wait(interval, state);
}

// Returns the queue of a stream in an interval that has been served.
QueueInterval StaffApproximation::queue_of(std::size_t stream, std::size_t interval, const Interval& state) const {
  double people = 0;
  for (const std::size_t p : m_pools_of[stream]) people += state.pooled[p].people;
  const double share = state.allotted[stream] > 0 ? state.allotted[stream] / people : 1;
  const double service = std::max(m_streams[stream].service, 1e-9 * m_grid.length);
  return {m_streams[stream].arrivals[interval], state.allotted[stream], share, service, 1 - state.at_once[stream]};
}

// Returns the mean remaining time of a service in progress, as if service times were exponential.
double StaffApproximation::remaining_service(std::size_t role, std::size_t interval) const {
  double load = 0, sum = 0;
  for (const std::size_t k : m_streams_of[role]) {
    load += m_streams[k].load[interval];
    sum += m_streams[k].load[interval] * m_streams[k].service;
  }
  return load > 0 ? sum / load : 0;
}

std::vector<double> StaffApproximation::means(const std::vector<double>& starts) const {
  const std::size_t streams = m_streams.size();
  const std::vector<double> no_stream(streams), no_role(roles()), nobody(m_grid.count * roles());
  Totals totals{no_stream, no_stream, no_stream, {m_limits.size(), no_stream}, {}, no_role, no_role, no_role,
                no_role,   nobody,    nobody};
  for (std::size_t p = 0; p < m_persons.size(); ++p) {
    if (starts[p] == 0) continue;
    for (const auto& [interval, share] : m_persons[p].presence)
      totals.people[interval * roles() + m_persons[p].role] += starts[p] * share;
  }
  Interval state(roles(), m_pools.size(), streams);
  std::vector<QueueInterval> queues;
  queues.reserve(m_grid.count * streams);
  std::vector<QueueState> states(streams);
  for (std::size_t i = 0; i < m_grid.count; ++i) {
    std::copy_n(totals.people.begin() + static_cast<std::ptrdiff_t>(i * roles()), roles(), state.people.begin());
    for (std::size_t k = 0; k < streams; ++k)
      state.backlog[k] = states[k].waiting * m_streams[k].service / m_grid.length;
    serve(i, state);
    for (std::size_t k = 0; k < streams; ++k) {
      queues.push_back(queue_of(k, i, state));
      queues.back().advance(states[k], m_grid.length);
      totals.came[k] += m_weights[i] * m_streams[k].arrivals[i];
      totals.at_once[k] += m_weights[i] * m_streams[k].arrivals[i] * state.at_once[k];
    }
    for (std::size_t r = 0; r < roles(); ++r) {
      totals.present[r] += m_weights[i] * state.people[r];
      totals.busy[r] += m_weights[i] * state.busy[r];
      if (state.people[r] > 0) totals.busy_share[i * roles() + r] = state.busy[r] / state.people[r];
    }
  }
  for (std::size_t p = 0; p < m_persons.size(); ++p) {
    if (starts[p] > 0) add_pay(m_persons[p], starts[p], totals);
  }
  add_waits(queues, m_grid.repeats ? states : std::vector<QueueState>(streams), totals);
  std::vector<double> means;
  for (const NetworkResponse& response : m_responses) means.push_back(value(response, totals));
  return means;
}

// Adds the waits of all intervals. `states` are those at the beginning.
void StaffApproximation::add_waits(const std::vector<QueueInterval>& queues, std::vector<QueueState> states,
                                   Totals& totals) const {
  const std::size_t streams = m_streams.size(), limits = m_limits.size();
  for (std::size_t i = 0; i < m_grid.count; ++i) {
    for (std::size_t k = 0; k < streams; ++k) {
      const QueueInterval& queue = queues[i * streams + k];
      const QueueMeans means = queue.advance(states[k], m_grid.length);
      totals.queues.push_back(means.waiting);
      totals.waiting[k] += m_weights[i] * means.waiting;
      for (std::size_t j = 0; j < limits; ++j)
        totals.late[j][k] += m_weights[i] * queue.arrivals * queue.chance_over(m_limits[j], means);
    }
  }
}

// Adds cost and overtime of the people who start in a slot.
void StaffApproximation::add_pay(const StartingPerson& person, double count, Totals& totals) const {
  const std::size_t r = person.role;
  totals.cost[r] += count * person.cost;
  for (const auto& [interval, per_day, cost] : person.pauses) {
    const double share = totals.busy_share[interval * roles() + r];
    const double overtime = count * per_day * share * remaining_service(r, interval);
    totals.overtime[r] += overtime;
    totals.cost[r] += overtime * cost;
  }
}

double StaffApproximation::value(const NetworkResponse& response, const Totals& totals) const {
  const auto& [what, station, of_class, limit] = response;
  const auto role = static_cast<std::size_t>(limit);
  if (what == Observation::staff_cost && limit < 0) return std::accumulate(totals.cost.begin(), totals.cost.end(), 0.0);
  if (what == Observation::staff_cost) return totals.cost[role];
  if (what == Observation::overtime) return totals.overtime[role];
  if (what == Observation::role_utilization)
    return totals.present[role] > 0 ? totals.busy[role] / totals.present[role] : 0;
  if (what == Observation::period_utilization) return utilization_in_period(response, totals);
  return what == Observation::period_wait || what == Observation::period_waiting ? value_in_period(response, totals)
                                                                                 : value_of_customers(response, totals);
}

bool StaffApproximation::is_of(const StaffStream& stream, const NetworkResponse& response) {
  return static_cast<int>(stream.station) == response.station &&
         (response.of_class < 0 || static_cast<int>(stream.of_class) == response.of_class);
}

// Returns a mean over the customers at a station with roles.
double StaffApproximation::value_of_customers(const NetworkResponse& response, const Totals& totals) const {
  double came = 0, at_once = 0, waiting = 0, late = 0;
  bool has_roles = false;
  const bool has_limit = response.what == Observation::late || response.what == Observation::served_within;
  for (std::size_t k = 0; k < m_streams.size(); ++k) {
    if (!is_of(m_streams[k], response)) continue;
    has_roles = true;
    came += totals.came[k];
    at_once += totals.at_once[k];
    waiting += totals.waiting[k];
    if (has_limit) late += totals.late[static_cast<std::size_t>(response.limit)][k];
  }
  const auto of_each = [&](double sum) { return came > 0 ? sum / came : 0; };
  switch (has_roles ? response.what : Observation::ended) {
    case Observation::at_once:
      return of_each(at_once);
    case Observation::wait:
      return of_each(waiting);
    case Observation::late:
      return of_each(late);
    case Observation::served_within:
      return of_each(came - late);
    case Observation::waiting:
      return waiting / m_observed;
    case Observation::waits_per_day:
      return waiting / m_observed * m_day;
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

// Returns the mean number of waiting customers, or the mean wait, in a period.
double StaffApproximation::value_in_period(const NetworkResponse& response, const Totals& totals) const {
  const auto& parts = m_periods[static_cast<std::size_t>(response.limit)];
  double time = 0, waiting = 0, came = 0;
  bool has_roles = false;
  for (const auto& [interval, share] : parts) time += share;
  for (std::size_t k = 0; k < m_streams.size(); ++k) {
    if (!is_of(m_streams[k], response)) continue;
    has_roles = true;
    for (const auto& [interval, share] : parts) {
      waiting += share * totals.queues[interval * m_streams.size() + k];
      came += share * m_streams[k].arrivals[interval];
    }
  }
  if (!has_roles || parts.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (response.what == Observation::period_wait) return came > 0 ? waiting / came : 0;
  return waiting / time;
}

// Returns the utilization of a role in a period.
double StaffApproximation::utilization_in_period(const NetworkResponse& response, const Totals& totals) const {
  const auto& parts = m_periods[static_cast<std::size_t>(response.limit)];
  const int role = response.station - m_first_role;
  if (role < 0 || parts.empty()) return std::numeric_limits<double>::quiet_NaN();
  double busy = 0, present = 0;
  for (const auto& [interval, share] : parts) {
    const std::size_t place = interval * roles() + static_cast<std::size_t>(role);
    present += share * totals.people[place];
    busy += share * totals.people[place] * totals.busy_share[place];
  }
  return present > 0 ? busy / present : 0;
}

// Whether all customers come one by one or in batches from outside, without an end.
bool has_open_arrivals(const NetworkDescription& network) {
  return std::ranges::all_of(network.classes, [](const NetworkClass& of) {
    return of.population == 0 && of.max_arrivals == 0 && of.appointments.times.empty();
  });
}

}  // namespace

ApproximateMeans approximate_means(const NetworkDescription& network, std::span<const std::size_t> members) {
  if (network.roles.empty() || !network.resources.empty() || members.empty() || !has_open_arrivals(network)) return {};
  const std::vector<NetworkMember> all = network_members(network);
  std::vector<std::size_t> slots;
  for (const std::size_t member : members) {
    if (all[member].kind != NetworkMember::Kind::starts) return {};
    slots.push_back(static_cast<std::size_t>(all[member].owner));
  }
  const std::optional<NetworkGrid> grid = impl::grid_of(network);
  if (!grid) return {};
  return [slots, approximation = StaffApproximation(network, *grid)](std::span<const double> values) {
    std::vector<double> starts = approximation.starts();
    for (std::size_t i = 0; i < slots.size(); ++i) starts[slots[i]] = values[i];
    return approximation.means(starts);
  };
}

}  // namespace sporos::models
