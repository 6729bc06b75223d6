// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/events/calendar.hpp>
#include <sporos/core/events/entity_pool.hpp>
#include <sporos/core/events/failure.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/models/networks/network_data.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>

namespace sporos::models {

/// Sees nothing of a replication: what NetworkRun tells of its events, beside responses.
struct NoWatcher {
  /// `number` customers are at `station` from `time` on.
  KOKKOS_FORCEINLINE_FUNCTION void note_number(double, int, int) const {}
};

/// One replication of a network by events.
///
/// Events at exactly the same time happen in the order in which they were scheduled. A customer who comes to a station
/// joins its queue first, and is then served at once where a server is free. Where a place is given back, the customer
/// who has been blocked the longest for it moves, and gives back its own. Nothing is observed before the warm-up ends:
/// times of customers count where they end after it, numbers over time from it on.
template <class Inputs, class Watcher = NoWatcher>
class NetworkRun {
 public:
  /// Of `network`, which must live as long.
  KOKKOS_FUNCTION NetworkRun(const NetworkData& network, Inputs& inputs, const Watcher& watcher = {})
      : m_network(network), m_inputs(inputs), m_watcher(watcher) {
    for (int s = 0; s < network.station_count; ++s) {
      const StationData& data = network.stations[s];
      m_stations[s].servers = data.servers;
      m_stations[s].room = data.room;
      m_stations[s].waiting = data.waiting;
      m_stations[s].speed = data.speed;
    }
    for (int c = 0; c < network.class_count; ++c) {
      m_classes[c].priority = network.classes[c].priority;
      m_classes[c].arrival_speed = network.classes[c].arrival_speed;
    }
  }

  /// Sets a member to another value than the case has.
  KOKKOS_FUNCTION void change(const MemberData& member, double value) {
    switch (member.kind) {
      case NetworkMember::Kind::servers:
        m_stations[member.owner].servers = static_cast<int>(value);
        break;
      case NetworkMember::Kind::room:
        m_stations[member.owner].room = static_cast<int>(value);
        break;
      case NetworkMember::Kind::waiting:
        m_stations[member.owner].waiting = static_cast<int>(value);
        break;
      case NetworkMember::Kind::speed:
        m_stations[member.owner].speed = value;
        break;
      case NetworkMember::Kind::priority:
        m_classes[member.owner].priority = static_cast<int>(value);
        break;
      case NetworkMember::Kind::arrival_speed:
        m_classes[member.owner].arrival_speed = value;
        break;
      case NetworkMember::Kind::probability:
        m_weights[m_weight_count++] = {member.owner, value};
        break;
    }
  }

  /// Runs the replication to its end.
  KOKKOS_FUNCTION void run();

  /// The time at which it has ended.
  KOKKOS_FUNCTION double end() const { return m_network.warm_up + m_observed; }

  /// Writes the responses.
  template <class Responses>
  KOKKOS_FUNCTION void write(Responses& responses) const;

 private:
  enum class Step : std::int16_t { arrival, customer, shared_service, shift, server };
  struct Event {
    Step step;
    std::int16_t number;  // of the class, customer, station, or server that breaks down
  };
  enum class Doing : std::uint8_t { waiting, in_service, blocked };
  struct Customer {
    double entered;  // the network
    double joined;   // the station
    double since;    // the beginning of what it does
    double work;  // what is left of its service at speed 1; negative: not drawn; shared: the station's work at its end
    std::uint64_t ticket_order;  // of the end of its service or patience
    int ticket_slot;             // likewise
    std::int16_t server;         // of those that break down; −1 elsewhere
    std::uint8_t of_class, station, becomes;
    Doing doing;
  };
  struct Station {
    Line queue, in_service, blocked;  // blocked: customers of other stations who wait for a place here
    int servers = 0, room = 0, waiting = 0, number = 0, busy = 0;
    double speed = 1;
    std::uint64_t up = 0, used = 0;  // servers that break down
    double work = 0, work_time = 0;  // shared: work done for each customer until then
    Ticket shared_end;
    double busy_area = 0, blocked_area = 0, server_area = 0, servers_since = 0;
    std::int64_t late[most_wait_limits] = {};
  };
  struct Class {
    int priority = 0;
    double arrival_speed = 1;
    std::int64_t arrived = 0, served = 0, lost = 0;
    double time = 0, area = 0;
  };
  struct Tally {  // of a class at a station
    double number_area = 0, waiting_area = 0, wait = 0, time = 0;
    std::int64_t came = 0, waits = 0, served = 0, lost = 0, reneged = 0;
  };

  struct Weight {
    int branch;
    double weight;
  };

  static constexpr int slots = most_customers + most_classes + 2 * most_stations + most_breaking_servers;
  // Events at one time without an end, or so many without a customer who leaves, make no replication.
  static constexpr std::int64_t most_events_at_once = 1'000'000, most_idle_events = 100'000'000;

  KOKKOS_FORCEINLINE_FUNCTION double now() const { return m_calendar.now(); }
  KOKKOS_FORCEINLINE_FUNCTION bool is_observed() const { return now() >= m_network.warm_up; }
  // The part of the time since then that is observed.
  KOKKOS_FORCEINLINE_FUNCTION double observed_since(double time) const {
    const double from = time > m_network.warm_up ? time : m_network.warm_up;
    return now() > from ? now() - from : 0.0;
  }
  KOKKOS_FORCEINLINE_FUNCTION Tally& tally(const Customer& customer) {
    return m_tallies[customer.station * m_network.class_count + customer.of_class];
  }
  KOKKOS_FORCEINLINE_FUNCTION const VisitData& visit(const Customer& customer) const {
    return m_network.visits[customer.station * m_network.class_count + customer.of_class];
  }
  KOKKOS_FORCEINLINE_FUNCTION static void set_ticket(Customer& customer, const Ticket& ticket) {
    customer.ticket_slot = ticket.slot;
    customer.ticket_order = ticket.order;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool shares(int s) const {
    return m_network.stations[s].discipline == Discipline::processor_sharing;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_full(int s) const {
    const Station& station = m_stations[s];
    return station.number >= station.room ||
           (station.waiting < unlimited && station.number >= station.servers + station.waiting);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_over() const {
    return m_customers.failure() != Failure::none || m_is_endless ||
           (m_network.customers > 0 && m_left >= m_network.customers);
  }

  KOKKOS_FUNCTION void begin();
  KOKKOS_FUNCTION void happen(const Event& event);
  KOKKOS_FUNCTION void check_progress(double last);
  KOKKOS_FUNCTION void finish(double end);

  KOKKOS_FUNCTION void schedule_arrival(int c);
  KOKKOS_FUNCTION double time_by_rates(const ClassData& data, double speed);
  KOKKOS_FUNCTION void arrive(int c);
  KOKKOS_FUNCTION void add_customer(int c);
  KOKKOS_FUNCTION int branch_of(const TableRange& route);
  KOKKOS_FUNCTION bool has_weights(const TableRange& route) const;
  KOKKOS_FUNCTION double weight_of(const TableRange& route, int branch) const;
  KOKKOS_FUNCTION int weighted_branch(const TableRange& route, double u) const;
  KOKKOS_FUNCTION int target_of(const BranchData& branch) const;

  KOKKOS_FUNCTION void join(int number, int s);
  KOKKOS_FUNCTION void queue(int number);
  KOKKOS_FUNCTION void interrupt_for(int number);
  KOKKOS_FUNCTION void serve(int s);
  KOKKOS_FUNCTION bool has_free_server(const Station& station, const StationData& data) const;
  KOKKOS_FUNCTION void start(int number);
  KOKKOS_FUNCTION void interrupt(int number);
  KOKKOS_FUNCTION void end_service(int number);
  KOKKOS_FUNCTION void free_server(Customer& customer);
  KOKKOS_FUNCTION void take_leave(Customer& customer, bool is_served);
  KOKKOS_FUNCTION void give_place(int s);
  KOKKOS_FUNCTION void move(int number, int to);
  KOKKOS_FUNCTION void leave_network(int number, bool is_served);
  KOKKOS_FUNCTION void lose(int number);
  KOKKOS_FUNCTION void renege(int number);

  KOKKOS_FUNCTION double shared_rate(const Station& station) const;
  KOKKOS_FUNCTION void work_until_now(Station& station);
  KOKKOS_FUNCTION void schedule_shared_end(int s);
  KOKKOS_FUNCTION void end_shared_service(int s);

  KOKKOS_FUNCTION void change_shift(int s);
  KOKKOS_FUNCTION void schedule_shift(int s, int step, double cycle_start);
  KOKKOS_FUNCTION void change_server(int server);
  KOKKOS_FUNCTION void count_servers(Station& station);

  KOKKOS_FUNCTION double value_of(const NetworkResponse& response) const;

  const NetworkData& m_network;
  Inputs& m_inputs;
  Watcher m_watcher;
  Calendar<Event, slots> m_calendar;
  EntityPool<Customer, most_customers> m_customers;
  Station m_stations[most_stations];
  Class m_classes[most_classes];
  Tally m_tallies[most_visits];
  std::int64_t m_left = 0;  // customers, since the warm-up
  std::int64_t m_events_at_once = 0, m_idle_events = 0;
  double m_observed = 0;                   // time, at the end
  Weight m_weights[most_network_changes];  // of branches, instead of their probabilities
  int m_weight_count = 0;
  bool m_is_endless = false;
};

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::run() {
  begin();
  while (!is_over() && m_calendar.next_time() < m_network.horizon) {
    const double last = now();
    if (!m_calendar.next()) break;
    check_progress(last);
    happen(m_calendar.event());
  }
  m_is_endless = m_is_endless || (m_network.customers > 0 && m_left < m_network.customers);
  finish(m_network.customers > 0 ? now() : m_network.horizon);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::check_progress(double last) {
  m_events_at_once = now() > last ? 0 : m_events_at_once + 1;
  ++m_idle_events;
  m_is_endless =
      m_events_at_once > most_events_at_once || (m_network.customers > 0 && m_idle_events > most_idle_events);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::begin() {
  for (int s = 0; s < m_network.station_count; ++s) {
    const StationData& data = m_network.stations[s];
    if (data.up.is_given()) {
      for (int i = 0; i < m_stations[s].servers; ++i) {
        m_stations[s].up |= std::uint64_t{1} << i;
        m_calendar.schedule(data.up(m_inputs(NetworkData::breakdowns)),
                            {Step::server, static_cast<std::int16_t>(data.first_server + i)});
      }
    }
    if (data.shifts.steps.end > data.shifts.steps.first) {
      m_stations[s].servers = static_cast<int>(m_network.steps[data.shifts.steps.first].value);
      schedule_shift(s, data.shifts.steps.first + 1, 0);
    }
  }
  for (int c = 0; c < m_network.class_count; ++c) {
    for (int i = 0; i < m_network.classes[c].population && !is_over(); ++i) add_customer(c);
    schedule_arrival(c);
  }
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::happen(const Event& event) {
  const int number = event.number;
  switch (event.step) {
    case Step::arrival:
      arrive(number);
      break;
    case Step::customer:
      if (m_customers[number].doing == Doing::waiting) {
        renege(number);
      } else {
        end_service(number);
      }
      break;
    case Step::shared_service:
      end_shared_service(number);
      break;
    case Step::shift:
      change_shift(number);
      break;
    case Step::server:
      change_server(number);
      break;
  }
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::schedule_arrival(int c) {
  const ClassData& data = m_network.classes[c];
  const double speed = m_classes[c].arrival_speed;
  if (data.most_arrivals > 0 && m_classes[c].arrived == data.most_arrivals) return;
  double time = math::impl::infinity;
  if (data.interarrival.is_given()) {
    time = now() + data.interarrival(m_inputs(NetworkData::arrivals)) / speed;
  } else if (data.rates.steps.end > data.rates.steps.first) {
    time = time_by_rates(data, speed);
  }
  m_calendar.schedule(time, {Step::arrival, static_cast<std::int16_t>(c)});
}

// The time at which the integral of the rate from now on is a unit exponential variate.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher>::time_by_rates(const ClassData& data, double speed) {
  const auto [first, end] = data.rates.steps;
  const double cycle = data.rates.cycle;
  const bool has_cycle = cycle < math::impl::infinity;
  double left = exponential_by_mean(m_inputs(NetworkData::arrivals), 1.0);
  double start = has_cycle ? ::floor(now() / cycle) * cycle : 0.0;
  double time = now();
  if (has_cycle) {
    const double cycles = ::floor(left / (speed * data.rates.integral));
    left -= cycles * speed * data.rates.integral;
    start += cycles * cycle;
    time += cycles * cycle;
  }
  int step = first;
  while (step + 1 < end && start + m_network.steps[step + 1].from <= time) ++step;
  for (;;) {
    const double rate = speed * m_network.steps[step].value;
    const double until = step + 1 < end ? start + m_network.steps[step + 1].from
                         : has_cycle    ? start + cycle
                                        : math::impl::infinity;
    if (rate > 0 && left <= rate * (until - time)) return time + left / rate;
    if (until >= m_network.horizon) return math::impl::infinity;
    if (rate > 0 && until > time) left -= rate * (until - time);
    time = until;
    if (++step == end) {
      step = first;
      start += cycle;
    }
  }
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::arrive(int c) {
  const ClassData& data = m_network.classes[c];
  ++m_classes[c].arrived;
  schedule_arrival(c);
  const double batch = data.batch.is_given() ? data.batch(m_inputs(NetworkData::batches)) : 1.0;
  for (double i = 0; i < batch && !is_over(); ++i) add_customer(c);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::add_customer(int c) {
  const BranchData& branch = m_network.branches[branch_of(m_network.classes[c].enters)];
  const int to = target_of(branch);
  Customer customer{};
  customer.entered = customer.joined = customer.since = now();
  customer.of_class = static_cast<std::uint8_t>(branch.becomes < 0 ? c : branch.becomes);
  customer.station = static_cast<std::uint8_t>(to);
  customer.server = -1;
  const int number = m_customers.add(customer);
  if (number < 0) return;
  if (is_full(to)) {
    lose(number);
  } else {
    join(number, to);
  }
}

// Number of a branch of the route; behind its end where the customer leaves by what is missing to a probability of 1.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher>::branch_of(const TableRange& route) {
  if (route.end == route.first) return route.end;
  if (route.end == route.first + 1 && m_network.branches[route.first].cumulative >= 1) return route.first;
  const double u = m_inputs(NetworkData::routing);
  if (m_weight_count > 0 && has_weights(route)) return weighted_branch(route, u);
  int branch = route.first;
  while (branch < route.end && u > m_network.branches[branch].cumulative) ++branch;
  return branch;
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher>::has_weights(const TableRange& route) const {
  for (int i = 0; i < m_weight_count; ++i) {
    if (m_weights[i].branch >= route.first && m_weights[i].branch < route.end) return true;
  }
  return false;
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher>::weight_of(const TableRange& route, int branch) const {
  for (int i = 0; i < m_weight_count; ++i) {
    if (m_weights[i].branch == branch) return m_weights[i].weight;
  }
  const double before = branch > route.first ? m_network.branches[branch - 1].cumulative : 0.0;
  return m_network.branches[branch].cumulative - before;
}

// By weights; the last that is not 0 where rounding leads behind all.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher>::weighted_branch(const TableRange& route, double u) const {
  double sum = 0;
  for (int branch = route.first; branch < route.end; ++branch) sum += weight_of(route, branch);
  double left = u * sum;
  int taken = route.first;
  for (int branch = route.first; branch < route.end; ++branch) {
    const double weight = weight_of(route, branch);
    if (weight <= 0) continue;
    taken = branch;
    if (left <= weight) break;
    left -= weight;
  }
  return taken;
}

// One of the branch's stations; −1 out of the network.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher>::target_of(const BranchData& branch) const {
  if (branch.choice == Choice::first_free && branch.targets.end > branch.targets.first + 1) {
    for (int i = branch.targets.first; i < branch.targets.end; ++i) {
      const int s = m_network.targets[i];
      if (has_free_server(m_stations[s], m_network.stations[s]) && !is_full(s)) return s;
    }
  }
  int best = -1;
  for (int i = branch.targets.first; i < branch.targets.end; ++i) {
    const int s = m_network.targets[i];
    const bool is_better = best < 0 || (is_full(best) && !is_full(s)) ||
                           (is_full(best) == is_full(s) && m_stations[s].number < m_stations[best].number);
    if (is_better) best = s;
  }
  return best;
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::join(int number, int s) {
  Customer& customer = m_customers[number];
  Station& station = m_stations[s];
  customer.station = static_cast<std::uint8_t>(s);
  customer.joined = customer.since = now();
  customer.work = -1;
  set_ticket(customer, {});
  ++station.number;
  m_watcher.note_number(now(), s, station.number);
  if (is_observed()) ++tally(customer).came;
  if (shares(s)) {
    work_until_now(station);
    customer.work = station.work + visit(customer).service(m_inputs(NetworkData::services));
    customer.doing = Doing::in_service;
    m_customers.push_back(station.in_service, number);
    if (is_observed()) ++tally(customer).waits;
    schedule_shared_end(s);
    return;
  }
  customer.doing = Doing::waiting;
  const DurationData& limit = visit(customer).patience;
  if (limit.is_given()) {
    const double end = now() + limit(m_inputs(NetworkData::patience));
    set_ticket(customer, m_calendar.schedule(end, {Step::customer, static_cast<std::int16_t>(number)}));
  }
  queue(number);
  serve(s);
  if (m_network.stations[s].discipline == Discipline::preemptive && customer.doing == Doing::waiting)
    interrupt_for(number);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::queue(int number) {
  Station& station = m_stations[m_customers[number].station];
  switch (m_network.stations[m_customers[number].station].discipline) {
    case Discipline::last_in_first_out:
      m_customers.push_front(station.queue, number);
      break;
    case Discipline::priority:
    case Discipline::preemptive:
      // One whose service was interrupted has come before those who wait.
      m_customers.insert_by(station.queue, number, [this](const Customer& a, const Customer& b) {
        const int first = m_classes[a.of_class].priority, second = m_classes[b.of_class].priority;
        return first < second || (first == second && a.joined < b.joined);
      });
      break;
    default:
      if (m_customers[number].work >= 0) {  // whose service was interrupted
        m_customers.push_front(station.queue, number);
      } else {
        m_customers.push_back(station.queue, number);
      }
  }
}

// The last to come of those in service with the greatest priority number, where that is greater than the newcomer's.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::interrupt_for(int number) {
  const int s = m_customers[number].station;
  int last = -1, greatest = m_classes[m_customers[number].of_class].priority;
  for (int other = m_stations[s].in_service.first; other >= 0; other = m_customers.behind(other)) {
    const int priority = m_classes[m_customers[other].of_class].priority;
    if (priority < greatest || (priority == greatest && last < 0)) continue;
    greatest = priority;
    last = other;
  }
  if (last < 0) return;
  interrupt(last);
  serve(s);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher>::has_free_server(const Station& station,
                                                                  const StationData& data) const {
  if (data.discipline == Discipline::processor_sharing) return station.number < station.servers;
  return data.up.is_given() ? (station.up & ~station.used) != 0 : station.busy < station.servers;
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::serve(int s) {
  Station& station = m_stations[s];
  while (station.queue.size > 0 && has_free_server(station, m_network.stations[s]))
    start(m_customers.pop_front(station.queue));
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::start(int number) {
  Customer& customer = m_customers[number];
  Station& station = m_stations[customer.station];
  Tally& of = tally(customer);
  of.waiting_area += observed_since(customer.since);
  if (customer.work < 0) {
    customer.work = visit(customer).service(m_inputs(NetworkData::services));
    m_calendar.cancel({customer.ticket_slot, customer.ticket_order});
    if (is_observed()) {
      const double wait = now() - customer.joined;
      of.wait += wait;
      ++of.waits;
      for (int i = 0; i < m_network.wait_limit_count; ++i) station.late[i] += wait > m_network.wait_limits[i] ? 1 : 0;
    }
  }
  ++station.busy;
  if (m_network.stations[customer.station].up.is_given()) {
    const std::uint64_t free = station.up & ~station.used;
    int server = 0;
    while ((free >> server & 1) == 0) ++server;
    customer.server = static_cast<std::int16_t>(server);
    station.used |= std::uint64_t{1} << server;
  }
  customer.doing = Doing::in_service;
  customer.since = now();
  m_customers.push_back(station.in_service, number);
  const double end = now() + customer.work / station.speed;
  set_ticket(customer, m_calendar.schedule(end, {Step::customer, static_cast<std::int16_t>(number)}));
}

// Ends what its server does for it.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::free_server(Customer& customer) {
  Station& station = m_stations[customer.station];
  --station.busy;
  if (customer.server >= 0) station.used &= ~(std::uint64_t{1} << customer.server);
  customer.server = -1;
  (customer.doing == Doing::blocked ? station.blocked_area : station.busy_area) += observed_since(customer.since);
  customer.since = now();
}

// Back to the queue, with what is left of its service.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::interrupt(int number) {
  Customer& customer = m_customers[number];
  Station& station = m_stations[customer.station];
  m_calendar.cancel({customer.ticket_slot, customer.ticket_order});
  const double left = customer.work - (now() - customer.since) * station.speed;
  customer.work = left > 0 ? left : 0;
  m_customers.take_out(station.in_service, number);
  free_server(customer);
  customer.doing = Doing::waiting;
  queue(number);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::end_service(int number) {
  Customer& customer = m_customers[number];
  const int s = customer.station;
  m_customers.take_out(m_stations[s].in_service, number);
  const TableRange& route = visit(customer).next;
  const int branch = branch_of(route);
  const int to = branch == route.end ? -1 : target_of(m_network.branches[branch]);
  customer.becomes = customer.of_class;
  if (branch < route.end && m_network.branches[branch].becomes >= 0)
    customer.becomes = static_cast<std::uint8_t>(m_network.branches[branch].becomes);
  if (to >= 0 && to != s && is_full(to) && m_network.stations[to].when_full == WhenFull::block) {
    m_stations[s].busy_area += observed_since(customer.since);
    customer.since = now();
    customer.doing = Doing::blocked;
    m_customers.push_back(m_stations[to].blocked, number);
    return;
  }
  free_server(customer);
  move(number, to);
}

// From its station, which it leaves served, to another, or out of the network; then its place is given on.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::move(int number, int to) {
  Customer& customer = m_customers[number];
  const int s = customer.station;
  take_leave(customer, true);
  customer.of_class = customer.becomes;
  if (to < 0) {
    leave_network(number, true);
  } else {
    customer.station = static_cast<std::uint8_t>(to);
    if (is_full(to)) {
      lose(number);
    } else {
      join(number, to);
    }
  }
  give_place(s);
}

// It is not at its station any more.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::take_leave(Customer& customer, bool is_served) {
  Station& station = m_stations[customer.station];
  Tally& of = tally(customer);
  --station.number;
  m_watcher.note_number(now(), customer.station, station.number);
  of.number_area += observed_since(customer.joined);
  if (!is_served || !is_observed()) return;
  of.time += now() - customer.joined;
  ++of.served;
}

// After a customer has left station s: its server, and its place to one who is blocked for it, whose place is given on.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::give_place(int s) {
  for (;;) {
    if (!shares(s)) serve(s);
    if (m_stations[s].blocked.size == 0 || is_full(s)) return;
    const int number = m_customers.pop_front(m_stations[s].blocked);
    Customer& customer = m_customers[number];
    const int from = customer.station;
    free_server(customer);
    take_leave(customer, true);
    customer.of_class = customer.becomes;
    join(number, s);
    s = from;
  }
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::leave_network(int number, bool is_served) {
  const Customer& customer = m_customers[number];
  Class& of = m_classes[customer.of_class];
  of.area += observed_since(customer.entered);
  m_idle_events = 0;
  if (is_observed()) {
    ++m_left;
    if (is_served) {
      of.time += now() - customer.entered;
      ++of.served;
    }
  }
  m_customers.remove(number);
}

// There is no place at its station.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::lose(int number) {
  const Customer& customer = m_customers[number];
  if (is_observed()) {
    ++tally(customer).came;
    ++tally(customer).lost;
    ++m_classes[customer.of_class].lost;
  }
  leave_network(number, false);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::renege(int number) {
  Customer& customer = m_customers[number];
  const int s = customer.station;
  Tally& of = tally(customer);
  of.waiting_area += observed_since(customer.since);
  if (is_observed()) ++of.reneged;
  m_customers.take_out(m_stations[s].queue, number);
  take_leave(customer, false);
  leave_network(number, false);
  give_place(s);
}

// Work for each customer a unit of time.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher>::shared_rate(const Station& station) const {
  const double servers = station.servers, number = station.number;
  return station.speed * (number <= servers ? 1.0 : servers / number);
}

// Up to now the number at the station was that in service.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::work_until_now(Station& station) {
  const int number = station.in_service.size;
  const double servers = station.servers;
  if (number > 0) {
    const double share = number <= servers ? 1.0 : servers / number;
    station.work += station.speed * share * (now() - station.work_time);
    station.busy_area += (number < servers ? number : servers) * observed_since(station.work_time);
  } else {
    station.work = 0;
  }
  station.work_time = now();
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::schedule_shared_end(int s) {
  Station& station = m_stations[s];
  m_calendar.cancel(station.shared_end);
  double least = math::impl::infinity;
  for (int number = station.in_service.first; number >= 0; number = m_customers.behind(number))
    least = m_customers[number].work < least ? m_customers[number].work : least;
  const double left = least > station.work ? least - station.work : 0.0;
  station.shared_end =
      m_calendar.schedule(now() + left / shared_rate(station), {Step::shared_service, static_cast<std::int16_t>(s)});
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::end_shared_service(int s) {
  Station& station = m_stations[s];
  work_until_now(station);
  int first = station.in_service.first;
  for (int number = first; number >= 0; number = m_customers.behind(number)) {
    if (m_customers[number].work < m_customers[first].work) first = number;
  }
  Customer& customer = m_customers[first];
  station.work = customer.work;
  m_customers.take_out(station.in_service, first);
  const TableRange& route = visit(customer).next;
  const int branch = branch_of(route);
  const int to = branch == route.end ? -1 : target_of(m_network.branches[branch]);
  customer.becomes = customer.of_class;
  if (branch < route.end && m_network.branches[branch].becomes >= 0)
    customer.becomes = static_cast<std::uint8_t>(m_network.branches[branch].becomes);
  move(first, to);
  if (station.in_service.size > 0) schedule_shared_end(s);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::count_servers(Station& station) {
  station.server_area += station.servers * observed_since(station.servers_since);
  station.servers_since = now();
}

// The next step of the shifts, number `step` of the table, in a cycle that began at `cycle_start`.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::schedule_shift(int s, int step, double cycle_start) {
  const ScheduleData& shifts = m_network.stations[s].shifts;
  const double time = step < shifts.steps.end ? cycle_start + m_network.steps[step].from : cycle_start + shifts.cycle;
  m_calendar.schedule(time > now() ? time : now(), {Step::shift, static_cast<std::int16_t>(s)});
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::change_shift(int s) {
  const TableRange steps = m_network.stations[s].shifts.steps;
  const double cycle = m_network.stations[s].shifts.cycle;
  Station& station = m_stations[s];
  count_servers(station);
  // The quotient may be rounded to just below a whole number.
  const double start = cycle < math::impl::infinity ? ::floor(now() / cycle + 1e-9) * cycle : 0.0;
  int step = steps.first;
  while (step + 1 < steps.end && start + m_network.steps[step + 1].from <= now()) ++step;
  station.servers = static_cast<int>(m_network.steps[step].value);
  schedule_shift(s, step + 1, start);
  serve(s);
}

// A server breaks down or is repaired.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::change_server(int server) {
  int s = 0;
  while (!m_network.stations[s].up.is_given() || server < m_network.stations[s].first_server ||
         server >= m_network.stations[s].first_server + m_stations[s].servers)
    ++s;
  const StationData& data = m_network.stations[s];
  Station& station = m_stations[s];
  const int place = server - data.first_server;
  const std::uint64_t bit = std::uint64_t{1} << place;
  const bool breaks = (station.up & bit) != 0;
  station.up ^= bit;
  const double after =
      breaks ? data.down(m_inputs(NetworkData::breakdowns)) : data.up(m_inputs(NetworkData::breakdowns));
  m_calendar.schedule(now() + after, {Step::server, static_cast<std::int16_t>(server)});
  if (breaks) {
    for (int number = station.in_service.first; number >= 0; number = m_customers.behind(number)) {
      if (m_customers[number].server != place) continue;
      interrupt(number);
      break;
    }
  }
  serve(s);
}

// What those who are still there have done until the end.
template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::finish(double end) {
  m_observed = end - m_network.warm_up;
  const auto until_end = [&](double time) {
    const double from = time > m_network.warm_up ? time : m_network.warm_up;
    return end > from ? end - from : 0.0;
  };
  const auto count = [&](const Line& line, bool is_blocked) {
    for (int number = line.first; number >= 0; number = m_customers.behind(number)) {
      const Customer& customer = m_customers[number];
      Tally& of = tally(customer);
      Station& station = m_stations[customer.station];
      of.number_area += until_end(customer.joined);
      m_classes[customer.of_class].area += until_end(customer.entered);
      if (customer.doing == Doing::waiting) {
        of.waiting_area += until_end(customer.since);
      } else if (!shares(customer.station)) {
        (is_blocked ? station.blocked_area : station.busy_area) += until_end(customer.since);
      }
    }
  };
  for (int s = 0; s < m_network.station_count; ++s) {
    Station& station = m_stations[s];
    count(station.queue, false);
    count(station.in_service, false);
    count(station.blocked, true);
    station.server_area += station.servers * until_end(station.servers_since);
    if (!shares(s)) continue;
    const double number = station.in_service.size, servers = station.servers;
    station.busy_area += (number < servers ? number : servers) * until_end(station.work_time);
  }
}

template <class Inputs, class Watcher>
template <class Responses>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::write(Responses& responses) const {
  double mark = 0;
  if (m_calendar.failure() != Failure::none) mark = failure_mark(m_calendar.failure(), m_calendar.capacity());
  if (m_customers.failure() != Failure::none) mark = failure_mark(m_customers.failure(), m_customers.capacity());
  if (m_is_endless) mark = failure_mark(Failure::no_progress, static_cast<std::uint32_t>(most_events_at_once));
  for (int i = 0; i < m_network.response_count; ++i)
    responses.set(i, mark == 0 ? value_of(m_network.responses[i]) : mark);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher>::value_of(const NetworkResponse& response) const {
  const auto part = [](double sum, double all) { return all > 0 ? sum / all : 0.0; };
  const auto count = [](std::int64_t number) { return static_cast<double>(number); };
  if (response.station < 0) {
    double area = 0, time = 0, served = 0, lost = 0;
    for (int c = 0; c < m_network.class_count; ++c) {
      if (response.of_class >= 0 && response.of_class != c) continue;
      area += m_classes[c].area;
      time += m_classes[c].time;
      served += count(m_classes[c].served);
      lost += count(m_classes[c].lost);
    }
    if (response.what == Observation::number) return part(area, m_observed);
    if (response.what == Observation::losses) return part(lost, m_observed);
    return response.what == Observation::time ? part(time, served) : part(served, m_observed);
  }
  const Station& station = m_stations[response.station];
  Tally sum;
  for (int c = 0; c < m_network.class_count; ++c) {
    if (response.of_class >= 0 && response.of_class != c) continue;
    const Tally& of = m_tallies[response.station * m_network.class_count + c];
    sum.number_area += of.number_area;
    sum.waiting_area += of.waiting_area;
    sum.wait += of.wait;
    sum.time += of.time;
    sum.came += of.came;
    sum.waits += of.waits;
    sum.served += of.served;
    sum.lost += of.lost;
    sum.reneged += of.reneged;
  }
  switch (response.what) {
    case Observation::number:
      return part(sum.number_area, m_observed);
    case Observation::waiting:
      return part(sum.waiting_area, m_observed);
    case Observation::wait:
      return part(sum.wait, count(sum.waits));
    case Observation::late:
      return part(count(station.late[response.limit]), count(sum.waits));
    case Observation::time:
      return part(sum.time, count(sum.served));
    case Observation::utilization:
      return part(station.busy_area, station.server_area);
    case Observation::blocked:
      return part(station.blocked_area, station.server_area);
    case Observation::throughput:
      return part(count(sum.served), m_observed);
    case Observation::lost:
      return part(count(sum.lost), count(sum.came));
    case Observation::losses:
      return part(count(sum.lost), m_observed);
    case Observation::reneging:
      return part(count(sum.reneged), count(sum.reneged + sum.waits));
  }
  return 0;
}

}  // namespace sporos::models
