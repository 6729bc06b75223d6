// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>
#include <sporos/core/events/trace.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/prefetch.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/sampling/standard_variates.hpp>
#include <sporos/models/networks/network_data.hpp>
#include <sporos/models/networks/network_memory.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

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
  shift_begins,        ///< a shift begins at a station
  balks,               ///< a customer who has come to a station balks
  jockeys,             ///< a waiting customer leaves a station for another queue
  changes_class,       ///< a waiting customer changes its class
  is_deadlocked,       ///< a customer is blocked for ever
  seizes,              ///< a customer seizes a unit of a resource, which is numbered after the stations
  releases             ///< a customer returns a unit of a resource
};

/// State of a replication in addition to its memory: plain values that stay valid if the memory moves.
class NetworkRunState {
 protected:
  Line m_blocked;                     ///< blocked customers on their servers, the longest blocked first
  std::int64_t m_left = 0;            ///< departures since the warm-up
  std::uint32_t m_named = 0;          ///< number of customers so far
  std::int64_t m_events_at_once = 0;  ///< events at the present time
  std::int64_t m_idle_events = 0;     ///< events since the last departure
  double m_observed = 0;              ///< observed time, set at the end
  bool m_has_weights = false;         ///< whether changes replace probabilities of branches by weights
  bool m_limits_places = false;       ///< whether any station has a limited number of places
  bool m_has_speeds = false;          ///< whether any station has another speed than 1
  int m_opening_class = 0;            ///< class whose population enters at time 0
  int m_opened = 0;                   ///< number of its customers who have entered
  bool m_has_moves = true;            ///< whether find_move may find another move at the same time
  int m_entering = -1;                ///< class of which a customer enters now
  int m_batch_class = 0;              ///< class of the present batch
  double m_batch_left = 0;            ///< customers of a batch who have not entered
  int m_reopened = -1;                ///< station whose shift has begun; blocked customers may take its new places
  int m_jockey = -1;                  ///< customer who is changing to another queue
  int m_group = -1;                   ///< customer who holds a server for a group that is leaving its station
  int m_departs = -1;                 ///< station whose timetable lets groups depart now
  Line m_ready;                       ///< people who have become free and take work
  int m_joined = -1;                  ///< customer who has joined a station with roles and takes an idle person
  bool m_is_endless = false;          ///< whether its events do not come to an end
  int m_deadlocked = -1;              ///< a customer who is blocked for ever
  double m_early_end = math::impl::infinity;  ///< time at which a deadlock or `until` ends the replication
  bool m_has_no_branch = false;               ///< whether all weights of a route that a customer took are 0
  bool m_has_new_wait = false;                ///< whether a customer may have begun to wait for ever
};

/// State of a long run between two segments; see NetworkRun::observe.
struct NetworkSeriesState {
  NetworkRunState run;                                  ///< values of the run
  Timers timers;                                        ///< timers, without the addresses of their elements
  StoredEntityPool<NetworkMemory::Customer> customers;  ///< customers, without the address of their elements
  std::int64_t slots;                                   ///< time slots that have been observed
};

/// One event-driven replication of a network. The files network_run_*.hpp define the remaining members.
///
/// Events at exactly the same time happen in the order in which they were scheduled. A customer who arrives at a
/// station joins the queue first and is served immediately if a server is free. When a place becomes free, the customer
/// who has been blocked longest for it moves and frees its own place. A customer who chooses among several stations,
/// all of them full, is blocked for each of them. Observation starts at the end of the warm-up: times of customers
/// count if they end after it, and time averages start there.
///
/// An event ends in moves of customers to stations. `settle` makes all of them, at one place in the code, so that lanes
/// of a warp whose events differ do this part together.
///
/// Most large cases have identical servers that are always available, and lines in order of arrival. `run` simulates
/// such a plain network (NetworkData::is_plain) by a NetworkRun with `is_plain`, from which the compiler leaves out all
/// other features: see `has`. Its functions are inlined and its values are local, so that a device keeps them in
/// registers.
template <class Inputs, class Watcher = NoWatcher, bool is_plain = false>
class NetworkRun : private NetworkRunState {
 public:
  /// Prepares a replication of `network`, which must outlive this object, in `storage`.
  KOKKOS_FUNCTION NetworkRun(const NetworkData& network, Inputs& inputs, ReplicationStorage storage,
                             const Watcher& watcher = {})
      : m_network(network), m_inputs(inputs), m_watcher(watcher), m_memory(network, storage) {
    clear();
  }

  /// Prepares a long run, which begins or continues from `state`, in the memory of that run.
  KOKKOS_FUNCTION NetworkRun(const NetworkData& network, Inputs& inputs, ReplicationStorage storage, bool begins,
                             const NetworkSeriesState& state)
      : m_network(network), m_inputs(inputs), m_memory(network, storage) {
    if (begins) {
      clear();
    } else {
      static_cast<NetworkRunState&>(*this) = state.run;
      m_memory.timers = state.timers.in_memory_of(m_memory.timers);
      m_memory.customers = state.customers.in_memory_of(m_memory.customers);
    }
  }

  /// Replaces the values of `count` members of the case. `changes` must outlive this object.
  KOKKOS_FUNCTION void change(const MemberChange* changes, int count) {
    m_changes = changes;
    m_change_count = count;
    for (int i = 0; i < count; ++i) change(changes[i].member, changes[i].value);
  }

  /// Replaces the values of further members of the case, unless a long run goes on, whose memory has them. The numbers
  /// of `more` must outlive this object.
  KOKKOS_FUNCTION void change(const MoreChanges& more, bool begins = true) {
    m_more = more;
    for (int i = 0; begins && i < more.count; ++i) change(more.members[i], more.values[i]);
  }

  /// Runs the replication to its end.
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void run();

  /// Returns the time at which the replication has ended.
  KOKKOS_FUNCTION double end() const { return m_network.warm_up + m_observed; }

  /// Writes the responses.
  template <class Responses>
  KOKKOS_FUNCTION void write(Responses& responses) const;

  /// Records the time slots of a long run in `series` while it goes on, and saves its state. `network` is the one of
  /// the constructor; its warm_up becomes the beginning of each slot. `begins` and `changes`, of which there are
  /// `count`, are as for the constructor and change(). Returns 0, or the mark of a failure.
  template <class Series>
  KOKKOS_FUNCTION double observe(NetworkData& network, bool begins, const MemberChange* changes, int count,
                                 NetworkSeriesState& state, Series& series);

 private:
  template <class, class, bool>
  friend class NetworkRun;

  // Copies a run of a plain network in its present state.
  KOKKOS_FORCEINLINE_FUNCTION explicit NetworkRun(const NetworkRun<Inputs, Watcher, false>& run) requires(is_plain)
      : NetworkRunState(run),
        m_network(run.m_network),
        m_inputs(run.m_inputs),
        m_watcher(run.m_watcher),
        m_memory(run.m_memory) {}

  // Returns whether the case has a feature, given by a value of its data. A plain network has none of them.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool has(bool feature) { return !is_plain && feature; }

  // Sets the state at time 0.
  KOKKOS_FORCEINLINE_FUNCTION void clear() {
    m_memory.clear(m_network);
    m_limits_places = m_network.limits_places;
    m_has_speeds = m_network.has_speeds;
  }

  using Doing = NetworkMemory::Doing;
  using Customer = NetworkMemory::Customer;
  using Station = NetworkMemory::Station;
  using StationExtra = NetworkMemory::StationExtra;
  using Class = NetworkMemory::Class;
  using Tally = NetworkMemory::Tally;
  using Server = NetworkMemory::Server;
  using Level = NetworkMeasures::Level;
  using Person = NetworkMemory::Person;
  using Role = NetworkMemory::Role;

  // Customer `number`, who is at no station, comes to station `to`. Then the server and the place that have become free
  // at station `freed` are passed on. Negative numbers stand for none.
  struct Move {
    int number = -1, to = -1, freed = -1;
  };

  // Customer `number`, who is served now without having waited, and its service time at speed 1. A negative number
  // stands for none.
  struct Served {
    int number = -1;
    double work = 0;
  };

  // Where a served customer goes.
  struct Next {
    int station;   // next station; −1 if the customer leaves the network
    int branch;    // branch of its route
    int of_class;  // its class there
  };

  // Purposes of sums of durations, so that each sum has its own draws of NetworkData::parts.
  enum class Sum { interarrival, service, attempt, patience, up, down, balking_wait, change, count };

  // A replication fails with more events than this at one time, or in a row without a departure.
  static constexpr std::int64_t max_events_at_once = 1'000'000, max_idle_events = 100'000'000;

  KOKKOS_FORCEINLINE_FUNCTION double now() const { return m_memory.timers.now(); }
  KOKKOS_FORCEINLINE_FUNCTION Customer& customer(int number) { return m_memory.customers[number]; }
  KOKKOS_FORCEINLINE_FUNCTION Station& station(int s) const { return m_memory.stations[s]; }
  KOKKOS_FORCEINLINE_FUNCTION StationExtra& extra(int s) const { return m_memory.extras[s]; }
  KOKKOS_FORCEINLINE_FUNCTION Class& class_of(const Customer& customer) const {
    return m_memory.classes[customer.of_class];
  }
  KOKKOS_FORCEINLINE_FUNCTION Tally& tally(const Customer& customer) const {
    return m_memory.tallies[customer.station * m_network.class_count + customer.of_class];
  }
  // Starts to load the statistics of class c at station s; see sporos::prefetch. With all calls, ten stations take 0.93
  // of the time on an H200.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(int s, int c) const {
    sporos::prefetch(m_memory.tallies[s * m_network.class_count + c]);
  }
  KOKKOS_FORCEINLINE_FUNCTION const VisitData& visit(const Customer& customer) const {
    return m_network.visits[customer.station * m_network.class_count + customer.of_class];
  }

  // Timers of the customers come first; see NetworkMemory::timer_count.
  KOKKOS_FORCEINLINE_FUNCTION int arrival_timer(int c) const { return m_network.most_customers + c; }
  KOKKOS_FORCEINLINE_FUNCTION int shared_timer(int s) const { return arrival_timer(m_network.class_count) + s; }
  KOKKOS_FORCEINLINE_FUNCTION int shift_timer(int s) const { return shared_timer(m_network.station_count) + s; }
  KOKKOS_FORCEINLINE_FUNCTION int server_timer(int server) const {
    return shift_timer(m_network.station_count) + server;
  }
  KOKKOS_FORCEINLINE_FUNCTION int change_timer(int number) const {
    return server_timer(m_network.tracked_servers) + number;
  }

  // Timers of roles, then of people, come before those of groups.
  KOKKOS_FORCEINLINE_FUNCTION int role_timer(int r) const {
    return change_timer(m_network.has_changes ? m_network.most_customers : 0) + r;
  }
  KOKKOS_FORCEINLINE_FUNCTION int person_timer(int number) const { return role_timer(m_network.role_count) + number; }
  // Two timers of each station come before those of appointments: for NetworkGroup::after and NetworkGroup::every.
  KOKKOS_FORCEINLINE_FUNCTION int group_timer(int i) const {
    return appointment_timer(0) - 2 * m_network.station_count + i;
  }
  // Timers of appointments come last.
  KOKKOS_FORCEINLINE_FUNCTION int appointment_timer(int appointment) const {
    return NetworkMemory::timer_count(m_network) - m_network.appointment_count + appointment;
  }

  KOKKOS_FORCEINLINE_FUNCTION void tell(NetworkHappening what, int s, std::int64_t entity) {
    trace_event(m_inputs, {now(), static_cast<int>(what), s, entity});
  }
  KOKKOS_FORCEINLINE_FUNCTION void tell_of(NetworkHappening what, int number) {
    if constexpr (TracesEvents<Inputs>) {
      const Customer& of = customer(number);
      trace_event(m_inputs, {now(), static_cast<int>(what), of.station, m_memory.entries[number].name, of.of_class});
    }
  }
  // Tells that a customer seizes or returns units of a resource.
  KOKKOS_FORCEINLINE_FUNCTION void tell_of_units(NetworkHappening what, int number, int r, int units) {
    if constexpr (TracesEvents<Inputs>) {
      for (int i = 0; i < units; ++i) {
        trace_event(m_inputs, {now(), static_cast<int>(what), m_network.station_count + r,
                               m_memory.entries[number].name, customer(number).of_class});
      }
    }
  }
  // Time since which a waiting customer has waited. A plain network does not store it: there, customers wait from their
  // arrival at the station.
  KOKKOS_FORCEINLINE_FUNCTION double waiting_since(const Customer& waits) const {
    return is_plain || m_network.is_plain ? waits.joined : waits.since;
  }
  // The time for which servers at a customer's station serve or, if the customer is blocked, are held by blocked ones.
  KOKKOS_FORCEINLINE_FUNCTION double& held_area(const Customer& customer) const {
    return has(customer.doing == Doing::blocked) ? extra(customer.station).blocked_area
                                                 : station(customer.station).busy_area;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_observed() const { return now() >= m_network.warm_up; }
  // Returns a duration at a speed. Most speeds are 1, and a division takes long.
  KOKKOS_FORCEINLINE_FUNCTION static double at_speed(double duration, double speed) {
    return speed == 1 ? duration : duration / speed;
  }
  // Returns the observed part of the time since `time`.
  KOKKOS_FORCEINLINE_FUNCTION double observed_since(double time) const { return observed_until(now(), time); }
  KOKKOS_FORCEINLINE_FUNCTION double observed_until(double end, double time) const {
    const double from = time > m_network.warm_up ? time : m_network.warm_up;
    return end > from ? end - from : 0.0;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool shares(int s) const {
    return has(m_network.stations[s].discipline == Discipline::processor_sharing);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_full(int s) const {
    if (is_plain && !m_limits_places) return false;
    const int number = station(s).number;
    const StationExtra& of = extra(s);
    return number >= of.room || (of.waiting < unlimited && number - of.waiting >= places_in_service(s));
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t places_in_service(int s) const {
    return std::int64_t{station(s).servers} * (has(m_network.has_groups) ? m_network.stations[s].group.most : 1);
  }
  // Whether a customer who comes from station `from`, or from outside if it is negative, finds no place at station s.
  KOKKOS_FORCEINLINE_FUNCTION bool is_closed(int s, int from) const {
    return is_full(s) || (has(m_network.area_count > 0) && has_full_area(s, from));
  }
  // Whether a customer who comes from station `from` and finds no place at station s is blocked, not lost.
  KOKKOS_FORCEINLINE_FUNCTION bool is_blocked(int s, int from) const {
    if (has(m_network.area_count > 0)) return is_blocked_by_areas(s, from);
    return has(m_network.stations[s].when_full == WhenFull::block) && is_full(s);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_over() const {
    return m_memory.customers.failure() != Failure::none || m_is_endless || m_has_no_branch ||
           (m_network.customers > 0 && m_left >= m_network.customers);
  }

  KOKKOS_FORCEINLINE_FUNCTION auto pair_of(std::int64_t entity, NetworkData::Input input, std::int64_t pair) {
    return m_inputs.pair_of(static_cast<std::uint64_t>(entity), input, static_cast<std::uint64_t>(pair));
  }

  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void change(int member, double value) {
    const auto [kind, owner] = m_network.members[member];
    switch (kind) {
      case NetworkMember::Kind::servers:
        station(owner).servers = static_cast<int>(value);
        break;
      case NetworkMember::Kind::room:
        extra(owner).room = static_cast<int>(value);
        m_limits_places = true;
        break;
      case NetworkMember::Kind::waiting:
        extra(owner).waiting = static_cast<int>(value);
        m_limits_places = true;
        break;
      case NetworkMember::Kind::speed:
        extra(owner).speed = value;
        m_has_speeds = true;
        break;
      case NetworkMember::Kind::priority:
        m_memory.classes[owner].priority = static_cast<int>(value);
        break;
      case NetworkMember::Kind::arrival_speed:
        m_memory.classes[owner].arrival_speed = value;
        break;
      case NetworkMember::Kind::server_speed:
        m_memory.servers[owner].speed = value;
        break;
      case NetworkMember::Kind::area_room:
        m_memory.areas[owner].room = static_cast<int>(value);
        break;
      case NetworkMember::Kind::starts:
        m_memory.starts[owner] = static_cast<int>(value);
        break;
      case NetworkMember::Kind::resource:
        m_memory.resources.all[owner].units = static_cast<int>(value);
        break;
      case NetworkMember::Kind::probability:
        m_has_weights = true;
        break;
    }
  }

  // Members that few events or few cases call are out of line on a device, so that ptxas compiles them once. With all
  // of them inlined, `run` had 55 000 lines of PTX instead of 8000.
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void begin();
  KOKKOS_FORCEINLINE_FUNCTION void advance(double end);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void advance_plain();
  KOKKOS_FORCEINLINE_FUNCTION Move happen(int timer);
  KOKKOS_FORCEINLINE_FUNCTION bool find_move(Move& move);
  KOKKOS_FORCEINLINE_FUNCTION void settle(Move move);
  KOKKOS_FORCEINLINE_FUNCTION void check_progress(double last);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void finish(double end);
  KOKKOS_FUNCTION void finish(const Customer& customer, int number, double end);

  KOKKOS_FORCEINLINE_FUNCTION void schedule_arrival(int c);
  KOKKOS_FORCEINLINE_FUNCTION double time_by_rates(const ClassData& data, double speed, double left) const;
  KOKKOS_FUNCTION double time_of_appointment(int c, std::int64_t n) const;
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void schedule_appointment(int c);
  KOKKOS_FUNCTION bool comes_to(int c, std::int64_t n);
  KOKKOS_FUNCTION void schedule_appointments(int c);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION Move keep_appointment(int appointment);
  KOKKOS_FORCEINLINE_FUNCTION void arrive(int c);
  KOKKOS_FORCEINLINE_FUNCTION void arrive(int c, std::int64_t n);
  KOKKOS_FORCEINLINE_FUNCTION Move add_customer(int c);
  KOKKOS_FORCEINLINE_FUNCTION bool is_choice(const TableRange& route) const {
    return route.end > route.first && (route.end > route.first + 1 || m_network.branches[route.first].cumulative < 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION int branch_of(const TableRange& route, double u);
  KOKKOS_FUNCTION double changed_weight(int branch) const;
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION bool has_weights(const TableRange& route) const;
  KOKKOS_FUNCTION double weight_of(const TableRange& route, int branch) const;
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION int weighted_branch(const TableRange& route, double u);
  KOKKOS_FORCEINLINE_FUNCTION int target_of(const BranchData& branch, int from) const;
  KOKKOS_FORCEINLINE_FUNCTION Next next_of(const Customer& customer);
  KOKKOS_FORCEINLINE_FUNCTION const BranchData& branch_taken_by(const Customer& customer) const {
    return m_network.branches[visit(customer).next.first + customer.branch];
  }
  KOKKOS_FUNCTION bool can_go_to(const Customer& customer, int s) const;

  KOKKOS_FORCEINLINE_FUNCTION Served join(int number, int s);
  KOKKOS_FORCEINLINE_FUNCTION void queue(int number);
  KOKKOS_FORCEINLINE_FUNCTION void stay(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION bool interrupt_for(int number);
  KOKKOS_FORCEINLINE_FUNCTION void serve(int s, Served joined);
  KOKKOS_FORCEINLINE_FUNCTION bool has_free_server(int s) const;
  KOKKOS_FORCEINLINE_FUNCTION void start(int number, double work, bool has_waited = true);
  KOKKOS_FORCEINLINE_FUNCTION void stop_waiting(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void clear_counts(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void take_server(int number);
  KOKKOS_FORCEINLINE_FUNCTION void end_wait(const Customer& customer, double wait, bool is_served);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void block(int number, const Next& next);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION Move unblock_for(int s);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION Move unblock(int number, int s);

  KOKKOS_FUNCTION bool is_in_area(int s, int area) const;
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION bool has_full_area(int s, int from) const;
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION bool is_blocked_by_areas(int s, int from) const;
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void count_in_areas(int s, int change);
  KOKKOS_FUNCTION void note_arrival_in_areas(int s, int from);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION Move unblock_in_areas();
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION bool ends();
  KOKKOS_FUNCTION bool is_until(const NetworkUntil& until);
  KOKKOS_FUNCTION void set_locks();
  KOKKOS_FUNCTION bool unlock_jockeys();
  KOKKOS_FUNCTION bool is_deadlocked();
  KOKKOS_FUNCTION int later_servers(int s) const;
  KOKKOS_FUNCTION bool is_live(int s, int blocked);
  KOKKOS_FUNCTION bool can_move(const Customer& blocked) const;
  KOKKOS_FUNCTION bool can_jockey(int s) const;
  KOKKOS_FUNCTION bool will_have_place(int s, int from) const;
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void interrupt(int number, ShiftEnd how);
  KOKKOS_FUNCTION double service_time(int number);
  KOKKOS_FORCEINLINE_FUNCTION double speed_of(int number) const;
  KOKKOS_FORCEINLINE_FUNCTION void leave_queue(int number, bool has_waited = true);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void start_groups(int s);
  KOKKOS_FUNCTION void start_group(int s);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION Move end_group_wait(int timer);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION double component_of(const DurationData& duration, double u) const;
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION double further_parts(const DurationData& duration, std::int64_t entity,
                                                                 Sum sum, std::int64_t pair);
  // Returns a duration. `draw` is of the pair with index `pair` that belongs to `entity`.
  template <class Draw>
  KOKKOS_FORCEINLINE_FUNCTION double time_of(const DurationData& duration, Draw&& draw, std::int64_t entity, Sum sum,
                                             std::int64_t pair) {
    if (!has(m_network.has_sums)) return duration(static_cast<Draw&&>(draw));
    const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
    return component_of(duration, u) + further_parts(duration, entity, sum, pair);
  }
  KOKKOS_FORCEINLINE_FUNCTION Move end_service(int number);
  KOKKOS_FORCEINLINE_FUNCTION void free_server(int number);
  KOKKOS_FORCEINLINE_FUNCTION Move leave_station(int number, int to, int of_class);
  KOKKOS_FORCEINLINE_FUNCTION void take_leave(Customer& customer, bool is_served);
  KOKKOS_FORCEINLINE_FUNCTION void leave_network(int number, bool is_served);
  KOKKOS_FORCEINLINE_FUNCTION void turn_away(int number, bool is_lost);
  KOKKOS_FORCEINLINE_FUNCTION Move renege(int number);

  KOKKOS_FORCEINLINE_FUNCTION const ImpatienceData& impatience(const Customer& customer) const {
    return m_network.impatience[customer.station * m_network.class_count + customer.of_class];
  }
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION bool check_arrival(int number, int s, int from, bool is_lost);
  KOKKOS_FUNCTION bool balks(int number, int s);
  KOKKOS_FUNCTION double expected_wait(const Customer& comes, int s);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION int reneging_target(Customer& customer);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void schedule_change(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION Move change_class(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION bool find_jockey(Move& move);
  KOKKOS_FUNCTION Move jockey(int number, int to);

  // Whether an arrival or a shift that begins at `time` is counted; see NetworkDescription::cool_down.
  KOKKOS_FORCEINLINE_FUNCTION bool is_counted(double time) const {
    return time >= m_network.warm_up && time < m_network.counted_until;
  }
  KOKKOS_FORCEINLINE_FUNCTION NetworkMemory::Counted& counted_of(const Customer& customer) const {
    return m_memory.counted[customer.station * m_network.class_count + customer.of_class];
  }
  KOKKOS_FUNCTION double cost_of(const RoleData& role, double from, double to) const;
  KOKKOS_FUNCTION void add_overtime(const Person& person, double from, double to);
  KOKKOS_FUNCTION void count_people(int r, int present, int busy);
  KOKKOS_FORCEINLINE_FUNCTION static void pass_slot(Role& role, int slots) {
    if (++role.slot < slots) return;
    role.slot = 0;
    ++role.cycles;
  }
  KOKKOS_FUNCTION void schedule_slot(int r);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION Move begin_shifts(int r);
  KOKKOS_FUNCTION double next_pause(const Person& person) const;
  KOKKOS_FUNCTION void make_ready(int number);
  KOKKOS_FUNCTION void pause(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION Move end_person_timer(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void free_person(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void queue_for_people(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void leave_line(int number, bool is_served);
  KOKKOS_FUNCTION bool precedes(int first, bool first_has_priority, int second, bool second_has_priority);
  KOKKOS_FUNCTION int next_customer(int r);
  KOKKOS_FUNCTION int idle_person_for(const Customer& customer);
  KOKKOS_FUNCTION void employ(int number, int served);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void assign();
  KOKKOS_FUNCTION void finish_roles(double end);
  KOKKOS_FUNCTION NetworkRatio ratio_of_roles(const NetworkResponse& response) const;

  KOKKOS_FORCEINLINE_FUNCTION int visit_index(const Customer& customer) const {
    return customer.station * m_network.class_count + customer.of_class;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t& held_units(int number, int r) const {
    return m_memory.resources.held[number * m_network.resource_count + r];
  }
  KOKKOS_FORCEINLINE_FUNCTION int level_of_resource(int r) const {
    return m_network.station_count + 1 + m_network.role_count + r;
  }
  KOKKOS_FUNCTION void count_units(int r, int change);
  KOKKOS_FUNCTION void note_units(int r);
  KOKKOS_FUNCTION int missing_units(int number, const UnitsData& need) const;
  KOKKOS_FUNCTION bool can_seize(int number);
  KOKKOS_FUNCTION Line& seizing_line(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void queue_for_resources(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void leave_seizing_line(int number);
  KOKKOS_FORCEINLINE_FUNCTION bool seizes(int number) {
    return m_network.has_resources && m_network.stations[customer(number).station].seizes;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool has_priority_at(int number) {
    return m_network.stations[customer(number).station].discipline == Discipline::priority;
  }
  KOKKOS_FUNCTION int next_equipped(int visit);
  KOKKOS_FUNCTION int next_seizing(const SeizingData& seizing);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void seize(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION bool serve_seizing(int before);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void release(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void release_all(int number);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION bool is_locked_by_resources();
  KOKKOS_FUNCTION void mark_stuck();
  KOKKOS_FUNCTION bool will_move(const Customer& waits, int number);
  KOKKOS_FUNCTION int stuck_resource(const Customer& waits, int number) const;
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void finish_resources(double end);
  KOKKOS_FUNCTION NetworkRatio ratio_of_resources(const NetworkResponse& response) const;

  KOKKOS_FUNCTION double shared_rate(int s) const;
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void work_until_now(int s);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void schedule_shared_end(int s);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION Move end_shared_service(int s);

  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void change_shift(int s);
  KOKKOS_FUNCTION bool interrupt_last(int s);
  KOKKOS_FUNCTION void schedule_shift(int s, int step, double cycle_start);
  KOKKOS_FUNCTION int station_of_server(int server) const;
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION Move change_server(int server);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void count_servers(int s);

  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void note_levels(int s);
  KOKKOS_FUNCTION void integrate(int place, double end);
  KOKKOS_FUNCTION void integrate_periods(int place, double end);
  KOKKOS_FUNCTION NetworkMeasures::Period& period_of(int place);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void measure_wait(int place, double wait);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void measure_served(int place);
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION void measure_time(int c, double time);
  KOKKOS_FUNCTION NetworkRatio measured(const NetworkResponse& response) const;

  KOKKOS_FUNCTION double integral_in_area(int area) const;
  KOKKOS_FUNCTION double value_of(const NetworkResponse& response) const;
  SPOROS_NOINLINE_ON_DEVICE KOKKOS_FUNCTION NetworkRatio ratio_of(const NetworkResponse& response) const;
  KOKKOS_FUNCTION double failure_of_run() const;

  KOKKOS_FUNCTION double number_area(int of_class) const;
  template <class Series>
  KOKKOS_FUNCTION void record(Series& series) const;
  KOKKOS_FUNCTION void clear_statistics();

  std::conditional_t<is_plain, const NetworkData, const NetworkData&> m_network;
  Inputs& m_inputs;
  Watcher m_watcher;
  NetworkMemory m_memory;
  const MemberChange* m_changes = nullptr;
  int m_change_count = 0;
  MoreChanges m_more = {};
};

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::run() {
  begin();
  if (m_network.is_plain && !m_has_weights) {
    advance_plain();
  } else {
    advance(m_network.horizon);
  }
  m_is_endless = m_is_endless || (m_network.customers > 0 && m_left < m_network.customers);
  if (m_early_end < math::impl::infinity) return finish(m_early_end);
  finish(m_network.customers > 0 ? now() : m_network.horizon);
}

// Simulates a plain network in a copy of this run, whose values are local.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::advance_plain() {
  NetworkRun<Inputs, Watcher, true> plain(*this);
  plain.advance(m_network.horizon);
  static_cast<NetworkRunState&>(*this) = plain;
  m_memory = plain.m_memory;
}

// Lets all events before time `end` happen, unless the replication is over earlier.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::advance(double end) {
  Move move;
  for (;;) {
    settle(move);
    if (is_over()) break;
    move = {};
    if (m_has_moves || has(m_network.has_jockeying)) m_has_moves = find_move(move);
    if (!m_has_moves) {
      int timer = has(m_network.has_groups) ? m_group : -1;
      if (timer < 0) {
        if (has(m_network.ends_early) && ends()) break;
        const double last = now();
        timer = m_memory.timers.next_before(end);
        if (timer < 0) break;
        check_progress(last);
      }
      move = happen(timer);
    }
    if (m_entering >= 0) {  // at one place in the code
      move = add_customer(m_entering);
      m_entering = -1;
    }
  }
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::check_progress(double last) {
  m_events_at_once = now() > last ? 0 : m_events_at_once + 1;
  ++m_idle_events;
  m_is_endless = m_events_at_once > max_events_at_once || (m_network.customers > 0 && m_idle_events > max_idle_events);
}

// Schedules the first breakdowns and shifts.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::begin() {
  for (int s = 0; s < m_network.station_count; ++s) {
    const StationData& data = m_network.stations[s];
    Station& at = station(s);
    if (data.tracks_servers) extra(s).idle_up = at.servers;
    for (int i = 0; data.up.is_given() && i < at.servers; ++i) {
      const int server = data.first_server + i;
      const double up = time_of(data.up, pair_of(server, NetworkData::breakdowns, 0).first(), server, Sum::up, 0);
      m_memory.timers.start(server_timer(server), up);
    }
    if (data.serves_groups && data.group.every < math::impl::infinity)
      m_memory.timers.start(group_timer(2 * s + 1), data.group.every);
    if (data.shifts.steps.end > data.shifts.steps.first) {
      at.servers = static_cast<int>(m_network.steps[data.shifts.steps.first].value);
      schedule_shift(s, data.shifts.steps.first + 1, 0);
    }
    if (m_network.has_levels) note_levels(s);
  }
  for (int r = 0; r < m_network.role_count; ++r) schedule_slot(r);
  for (int r = 0; m_network.has_levels && r < m_network.resource_count; ++r) note_units(r);
}

// Finds the next move at the same time: to another queue, of the populations at time 0, of a batch, or into the places
// of a shift. Blocked customers take those before others jockey. Customers from outside are those of m_entering.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::find_move(Move& move) {
  if (has(m_network.has_jockeying) && m_reopened < 0 && find_jockey(move)) return true;
  while (m_opening_class < m_network.class_count) {
    if (m_opened < m_network.classes[m_opening_class].population) {
      ++m_opened;
      m_entering = m_opening_class;
      return true;
    }
    schedule_arrival(m_opening_class++);
    m_opened = 0;
  }
  if (m_batch_left > 0) {
    --m_batch_left;
    m_entering = m_batch_class;
    return true;
  }
  if (is_plain || m_reopened < 0) return false;
  if (m_network.area_count == 0 && extra(m_reopened).awaited > 0 && !is_full(m_reopened)) {
    move.freed = m_reopened;
    return true;
  }
  m_reopened = -1;
  return m_network.has_jockeying && find_jockey(move);
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::happen(int timer) -> Move {
  if (timer < arrival_timer(0)) return customer(timer).doing == Doing::waiting ? renege(timer) : end_service(timer);
  if (is_plain || timer < shared_timer(0)) {
    arrive(timer - arrival_timer(0));
    return {};
  }
  if (timer < shift_timer(0)) return end_shared_service(timer - shared_timer(0));
  if (timer >= appointment_timer(0)) return keep_appointment(timer - appointment_timer(0));
  if (m_network.has_groups && timer >= group_timer(0)) return end_group_wait(timer - group_timer(0));
  if (m_network.has_roles && timer >= role_timer(0)) {
    return timer < person_timer(0) ? begin_shifts(timer - role_timer(0)) : end_person_timer(timer - person_timer(0));
  }
  if (timer >= change_timer(0)) return change_class(timer - change_timer(0));
  if (timer >= server_timer(0)) return change_server(timer - server_timer(0));
  m_reopened = timer - shift_timer(0);
  m_has_moves = true;
  change_shift(m_reopened);
  return {.freed = m_reopened};
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::settle(Move move) {
  for (;;) {
    const bool comes = move.number >= 0;
    const int s = comes ? move.to : move.freed;
    if (s < 0) return;
    const bool is_lost = comes && is_closed(s, move.freed);
    bool stays_out = is_lost;
    if (comes && has(m_network.checks_arrivals)) stays_out = check_arrival(move.number, s, move.freed, is_lost);
    if (stays_out) {
      turn_away(move.number, is_lost);
      move.number = -1;
      continue;
    }
    Served joined = comes ? join(move.number, s) : Served();
    do {
      serve(s, joined);
      joined = {};
    } while (comes && has(m_network.stations[s].discipline == Discipline::preemptive) && interrupt_for(move.number));
    if (has(m_network.has_levels)) note_levels(s);
    if (comes) {
      stay(move.number);
      move.number = -1;
    } else {
      move = has(m_network.area_count > 0)              ? unblock_in_areas()
             : has(extra(s).awaited > 0) && !is_full(s) ? unblock_for(s)
                                                        : Move();
    }
  }
}

}  // namespace sporos::models
