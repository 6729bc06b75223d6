// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/events/calendar.hpp>
#include <sporos/core/events/entity_pool.hpp>
#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/octave_histogram.hpp>
#include <sporos/core/events/slots.hpp>
#include <sporos/core/events/trace.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
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

/// What a trace tells of a replication, by the value of the kind.
enum class NetworkHappening {
  arrival,             ///< of a customer at a station from outside
  comes,               ///< a customer to a station from another
  service_begins,      ///< or goes on after an interruption
  service_ends,        ///< of a customer
  is_blocked,          ///< a customer on its server: there is no place at its next station
  is_interrupted,      ///< a customer in service
  reneges,             ///< a customer whose patience has ended
  is_lost,             ///< a customer who finds no place
  leaves,              ///< a customer the network, served
  server_breaks_down,  ///< of a station; the entity is the server
  server_is_repaired,  ///< likewise
  shift_begins         ///< of a station
};

/// One replication of a network by events. network_run_*.hpp define the members that are not here.
///
/// Events at exactly the same time happen in the order in which they were scheduled. A customer who comes to a station
/// joins its queue first, and is then served at once where a server is free. Where a place is given back, the customer
/// who has been blocked the longest for it moves, and gives back its own; who chooses among several stations, and finds
/// all of them full, is blocked for each of them. Nothing is observed before the warm-up ends:
/// times of customers count where they end after it, numbers over time from it on.
template <class Inputs, class Watcher = NoWatcher>
class NetworkRun {
 public:
  /// Of `network`, which must live as long.
  KOKKOS_FUNCTION NetworkRun(const NetworkData& network, Inputs& inputs, const Watcher& watcher = {})
      : m_network(network), m_inputs(inputs), m_watcher(watcher) {
    SPOROS_NOT_UNROLLED
    for (int s = 0; s < network.station_count; ++s) {
      const StationData& data = network.stations[s];
      Station station;
      station.servers = data.servers;
      station.room = data.room;
      station.waiting = data.waiting;
      station.speed = data.speed;
      m_stations[s] = station;
      if (network.wait_quantile_count > 0) m_waits[s].clear();
    }
    SPOROS_NOT_UNROLLED
    for (int c = 0; c < network.class_count; ++c) {
      Class of;
      of.priority = network.classes[c].priority;
      of.arrival_speed = network.classes[c].arrival_speed;
      m_classes[c] = of;
    }
    SPOROS_NOT_UNROLLED
    for (int v = 0; v < network.station_count * network.class_count; ++v) m_tallies[v] = Tally();
  }

  /// Sets a member to another value than the case has.
  KOKKOS_FUNCTION void change(const MemberData& member, double value) {
    if (!set_member(member.kind, member.owner, value, m_stations, m_classes))
      m_weights[m_weight_count++] = {member.owner, value};
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
    std::int32_t name;           // by the order of arrival
    std::int16_t server;         // of those that break down; −1 elsewhere
    std::int16_t branch;         // of its route from the station, once it is served
    std::uint8_t of_class, station, becomes;
    Doing doing;
  };
  struct Station {
    Line queue, in_service;
    int servers = 0, room = 0, waiting = 0, number = 0, busy = 0;
    int awaited = 0;  // number of customers on servers of other stations who are blocked for a place here
    double speed = 1;
    std::uint64_t up = 0, used = 0;  // servers that break down
    double work = 0, work_time = 0;  // shared: work done for each customer until then
    Ticket shared_end;
    double busy_area = 0, blocked_area = 0, server_area = 0, servers_since = 0;
    std::int64_t late[most_wait_limits] = {}, served_within[most_wait_limits] = {};
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
  KOKKOS_FORCEINLINE_FUNCTION void tell(NetworkHappening what, int station, std::int64_t entity) {
    trace_event(m_inputs, {now(), static_cast<int>(what), station, entity});
  }
  KOKKOS_FORCEINLINE_FUNCTION void tell(NetworkHappening what, const Customer& customer) {
    tell(what, customer.station, customer.name);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_observed() const { return now() >= m_network.warm_up; }
  // The part of the time since then that is observed.
  KOKKOS_FORCEINLINE_FUNCTION double observed_since(double time) const { return observed_until(now(), time); }
  KOKKOS_FORCEINLINE_FUNCTION double observed_until(double end, double time) const {
    const double from = time > m_network.warm_up ? time : m_network.warm_up;
    return end > from ? end - from : 0.0;
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

  // This and four other functions are kept out of line: inlined in each place they made 14.5 MB of PTX instead of 9.4.
  SPOROS_NOINLINE KOKKOS_FUNCTION double draw(const DurationData& duration, int input) {
    return duration(m_inputs(input));
  }

  KOKKOS_FUNCTION void begin();
  KOKKOS_FUNCTION void happen(const Event& event);
  KOKKOS_FUNCTION void check_progress(double last);
  KOKKOS_FUNCTION void finish(double end);
  KOKKOS_FUNCTION void finish(const Customer& customer, double end);

  KOKKOS_FUNCTION void schedule_arrival(int c);
  KOKKOS_FUNCTION double time_by_rates(const ClassData& data, double speed);
  KOKKOS_FUNCTION void arrive(int c);
  KOKKOS_FUNCTION void add_customer(int c);
  KOKKOS_FUNCTION int branch_of(const TableRange& route);
  KOKKOS_FUNCTION bool has_weights(const TableRange& route) const;
  KOKKOS_FUNCTION double weight_of(const TableRange& route, int branch) const;
  KOKKOS_FUNCTION int weighted_branch(const TableRange& route, double u) const;
  KOKKOS_FUNCTION int target_of(const BranchData& branch) const;
  KOKKOS_FUNCTION int next_station(Customer& customer);
  KOKKOS_FORCEINLINE_FUNCTION const BranchData& branch_taken_by(const Customer& customer) const {
    return m_network.branches[visit(customer).next.first + customer.branch];
  }
  KOKKOS_FUNCTION bool can_go_to(const Customer& customer, int s) const;

  SPOROS_NOINLINE KOKKOS_FUNCTION void join(int number, int s);
  KOKKOS_FUNCTION void queue(int number);
  KOKKOS_FUNCTION void interrupt_for(int number);
  KOKKOS_FUNCTION void serve(int s);
  KOKKOS_FUNCTION bool has_free_server(const Station& station, const StationData& data) const;
  SPOROS_NOINLINE KOKKOS_FUNCTION void start(int number);
  KOKKOS_FUNCTION void end_wait(const Customer& customer, bool is_served);
  KOKKOS_FUNCTION void block(int number);
  KOKKOS_FUNCTION int unblock_for(int s);
  KOKKOS_FUNCTION void interrupt(int number);
  KOKKOS_FUNCTION void end_service(int number);
  KOKKOS_FUNCTION void free_server(Customer& customer);
  KOKKOS_FUNCTION void take_leave(Customer& customer, bool is_served);
  SPOROS_NOINLINE KOKKOS_FUNCTION void give_place(int s);
  KOKKOS_FUNCTION void move(int number, int to);
  SPOROS_NOINLINE KOKKOS_FUNCTION void leave_network(int number, bool is_served);
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
  Line m_blocked;  // customers on their servers, without a place at their next station; the longest blocked first
  sporos::impl::Slots<Station, most_stations> m_stations;  // only those of the case are initialized
  sporos::impl::Slots<Class, most_classes> m_classes;      // likewise
  sporos::impl::Slots<Tally, most_visits> m_tallies;       // likewise
  OctaveHistogram<-8, 24> m_waits[most_stations];  // from 1/256 to 65536 units of time; where quantiles are observed
  std::int64_t m_left = 0;                         // customers, since the warm-up
  std::int32_t m_named = 0;                        // customers
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
        m_calendar.schedule(draw(data.up, NetworkData::breakdowns),
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

}  // namespace sporos::models
