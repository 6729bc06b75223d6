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

/// Default watcher, which ignores the state changes that NetworkRun reports in addition to its responses.
struct NoWatcher {
  /// Called when the number of customers at a station changes: note_number(time, station, number).
  KOKKOS_FORCEINLINE_FUNCTION void note_number(double, int, int) const {}
};

/// Events of a trace, which stores the values of the enumerators.
enum class NetworkHappening {
  arrival,             ///< a customer arrives from outside at a station
  comes,               ///< a customer arrives from another station
  service_begins,      ///< a service begins or resumes after an interruption
  service_ends,        ///< a service ends
  is_blocked,          ///< a customer stays on its server because its next station is full
  is_interrupted,      ///< a customer in service is interrupted
  reneges,             ///< a customer's patience ends
  is_lost,             ///< a customer finds no place
  leaves,              ///< a customer leaves the network, served
  server_breaks_down,  ///< a server breaks down; the entity is the server
  server_is_repaired,  ///< a server has been repaired; the entity is the server
  shift_begins         ///< a shift begins at a station
};

/// One event-driven replication of a network. The files network_run_*.hpp define the remaining members.
///
/// Events at exactly the same time happen in the order in which they were scheduled. A customer who arrives at a
/// station joins the queue first and is served immediately if a server is free. When a place becomes free, the customer
/// who has been blocked longest for it moves and frees its own place. A customer who chooses among several stations,
/// all of them full, is blocked for each of them. Observation starts at the end of the warm-up: times of customers
/// count if they end after it, and time averages start there.
template <class Inputs, class Watcher = NoWatcher>
class NetworkRun {
 public:
  /// Prepares a replication of `network`, which must outlive this object.
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

  /// Sets a member to a value that replaces the one of the case.
  KOKKOS_FUNCTION void change(const MemberData& member, double value) {
    if (!set_member(member.kind, member.owner, value, m_stations, m_classes))
      m_weights[m_weight_count++] = {member.owner, value};
  }

  /// Runs the replication to its end.
  KOKKOS_FUNCTION void run();

  /// Returns the time at which the replication has ended.
  KOKKOS_FUNCTION double end() const { return m_network.warm_up + m_observed; }

  /// Writes the responses.
  template <class Responses>
  KOKKOS_FUNCTION void write(Responses& responses) const;

 private:
  enum class Step : std::int16_t { arrival, customer, shared_service, shift, server };
  struct Event {
    Step step;
    std::int16_t number;  // index of the class, customer, station, or server that breaks down
  };
  enum class Doing : std::uint8_t { waiting, in_service, blocked };
  struct Customer {
    double entered;  // time of the arrival in the network
    double joined;   // time of the arrival at the station
    double since;    // time of the last change of `doing`
    // Remaining service at speed 1. At a shared station, the value of the station's `work` at which the service ends.
    double work;
    double route;                // uniform that chooses the branch after the service
    std::int64_t entity;         // identifies the customer's draws
    std::uint64_t ticket_order;  // order of the ticket for the end of its service or patience
    int ticket_slot;             // slot of the ticket
    std::int32_t name;           // number in the order of arrivals
    std::uint32_t visits;        // number of stations where it has arrived
    std::int16_t server;         // index of a server that breaks down; −1 at other stations
    std::int16_t branch;         // branch of its route from the station, set when its service ends
    std::uint8_t of_class, station, becomes;
    Doing doing;
    bool has_begun;  // whether its service has begun, even if it is interrupted
  };
  struct Station {
    Line queue, in_service;
    int servers = 0, room = 0, waiting = 0, number = 0, busy = 0;
    int awaited = 0;  // number of customers on servers of other stations who are blocked for a place here
    double speed = 1;
    std::uint64_t up = 0, used = 0;  // bits of the servers that break down
    double work = 0, work_time = 0;  // shared station: work done for each customer until work_time
    Ticket shared_end;
    double busy_area = 0, blocked_area = 0, server_area = 0, servers_since = 0;
    std::int64_t late[max_wait_limits] = {}, served_within[max_wait_limits] = {};
  };
  struct Class {
    int priority = 0;
    double arrival_speed = 1;
    std::int64_t arrivals = 0;  // arrivals that have been scheduled
    std::int64_t entered = 0;   // customers who have entered with this class
    std::int64_t arrived = 0, served = 0, lost = 0;
    std::int64_t over[max_time_limits] = {};  // served customers whose time in the network exceeds each limit
    double time = 0, area = 0;
  };
  struct Tally {  // statistics of a class at a station
    double number_area = 0, waiting_area = 0, wait = 0, time = 0;
    std::int64_t came = 0, waits = 0, served = 0, lost = 0, reneged = 0;
  };

  struct Weight {
    int branch;
    double weight;
  };

  static constexpr int slots = max_customers + max_classes + 2 * max_stations + max_breaking_servers;
  // A replication fails with more events than this at one time, or in a row without a departure.
  static constexpr std::int64_t max_events_at_once = 1'000'000, max_idle_events = 100'000'000;

  KOKKOS_FORCEINLINE_FUNCTION double now() const { return m_calendar.now(); }
  KOKKOS_FORCEINLINE_FUNCTION void tell(NetworkHappening what, int station, std::int64_t entity) {
    trace_event(m_inputs, {now(), static_cast<int>(what), station, entity});
  }
  KOKKOS_FORCEINLINE_FUNCTION void tell(NetworkHappening what, const Customer& customer) {
    tell(what, customer.station, customer.name);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_observed() const { return now() >= m_network.warm_up; }
  // Returns the observed part of the time since `time`.
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
    return m_customers.failure() != Failure::none || m_is_endless || m_has_no_branch ||
           (m_network.customers > 0 && m_left >= m_network.customers);
  }

  // These functions and four others stay out of line: inlining all of them made 14.5 MB of PTX instead of 9.4 MB.
  template <class Draw>
  SPOROS_NOINLINE KOKKOS_FUNCTION static double duration_of(const DurationData& duration, Draw draw) {
    return duration(static_cast<Draw&&>(draw));
  }
  SPOROS_NOINLINE KOKKOS_FUNCTION auto pair_of(std::int64_t entity, NetworkData::Input input, std::int64_t pair) {
    return m_inputs.pair_of(static_cast<std::uint64_t>(entity), input, static_cast<std::uint64_t>(pair));
  }

  KOKKOS_FUNCTION void begin();
  KOKKOS_FUNCTION void happen(const Event& event);
  KOKKOS_FUNCTION void check_progress(double last);
  KOKKOS_FUNCTION void finish(double end);
  KOKKOS_FUNCTION void finish(const Customer& customer, double end);

  KOKKOS_FUNCTION void schedule_arrival(int c);
  KOKKOS_FUNCTION double time_by_rates(const ClassData& data, double speed, double left) const;
  KOKKOS_FUNCTION void arrive(int c);
  KOKKOS_FUNCTION void add_customer(int c);
  KOKKOS_FORCEINLINE_FUNCTION bool is_choice(const TableRange& route) const {
    return route.end > route.first && (route.end > route.first + 1 || m_network.branches[route.first].cumulative < 1);
  }
  KOKKOS_FUNCTION int branch_of(const TableRange& route, double u);
  KOKKOS_FUNCTION bool has_weights(const TableRange& route) const;
  KOKKOS_FUNCTION double weight_of(const TableRange& route, int branch) const;
  KOKKOS_FUNCTION int weighted_branch(const TableRange& route, double u);
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
  EntityPool<Customer, max_customers> m_customers;
  Line m_blocked;  // customers on their servers whose next station is full; the longest blocked first
  sporos::impl::Slots<Station, max_stations> m_stations;  // only the stations of the case are initialized
  sporos::impl::Slots<Class, max_classes> m_classes;      // only the classes of the case are initialized
  sporos::impl::Slots<Tally, max_visits> m_tallies;       // only those of the case are initialized
  OctaveHistogram<-8, 24> m_waits[max_stations];  // from 1/256 to 65536 units of time; used if quantiles are observed
  std::int64_t m_left = 0;                        // departures since the warm-up
  std::int32_t m_named = 0;                       // number of customers so far
  std::int64_t m_events_at_once = 0, m_idle_events = 0;
  double m_observed = 0;                         // observed time, set at the end
  std::int32_t m_repairs[max_breaking_servers];  // repairs of each server; only those of the case are initialized
  Weight m_weights[max_network_changes];         // weights that replace probabilities of branches
  int m_weight_count = 0;
  bool m_is_endless = false;
  bool m_has_no_branch = false;  // whether all weights of a route that a customer took are 0
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
  m_is_endless = m_events_at_once > max_events_at_once || (m_network.customers > 0 && m_idle_events > max_idle_events);
}

template <class Inputs, class Watcher>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher>::begin() {
  for (int s = 0; s < m_network.station_count; ++s) {
    const StationData& data = m_network.stations[s];
    if (data.up.is_given()) {
      for (int i = 0; i < m_stations[s].servers; ++i) {
        m_stations[s].up |= std::uint64_t{1} << i;
        const int server = data.first_server + i;
        m_repairs[server] = 0;
        m_calendar.schedule(duration_of(data.up, pair_of(server, NetworkData::breakdowns, 0).first()),
                            {Step::server, static_cast<std::int16_t>(server)});
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
