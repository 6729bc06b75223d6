// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/entity_pool.hpp>
#include <sporos/core/events/octave_histogram.hpp>
#include <sporos/core/events/timers.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/models/networks/network_data.hpp>
#include <sporos/models/networks/network_measures.hpp>
#include <sporos/models/networks/network_resource_memory.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models {

/// State of a replication of a network whose size depends on the case. The members of an element that most events
/// access come first, so that they share a cache line.
struct NetworkMemory {
  /// Activity of a customer at a station.
  enum class Doing : std::uint8_t {
    waiting,     ///< waits for a server
    in_service,  ///< is served
    blocked,     ///< has been served and stays on its server, because its next station is full
    accompanied  ///< is served in a group whose server another customer holds; see NetworkRun::start_group
  };

  /// A customer in the network. With its neighbours in a line it fills a cache line of 64 bytes.
  struct alignas(8) Customer {
    std::int16_t station;   ///< station where it is
    std::int16_t of_class;  ///< its class
    Doing doing;            ///< its activity
    bool has_begun;         ///< whether its service has begun, even if it is interrupted
    std::int16_t becomes;   ///< class after the service, set when it is blocked
    double joined;          ///< time of the arrival at the station
    double since;           ///< time of the last change of `doing`; see NetworkRun::waiting_since
    double work;  ///< remaining service at speed 1; at a shared station, the station's `work` at which the service ends
    double route;         ///< uniform that chooses the branch after the service
    std::int64_t entity;  ///< identifies the customer's draws
    std::int32_t visits;  ///< number of stations where it has arrived
    std::int16_t branch;  ///< branch of its route from the station, set when it is blocked
  };
  static_assert(sizeof(Customer) == 56);

  /// The arrival of a customer in the network.
  struct Entry {
    double time;        ///< time
    std::int32_t name;  ///< number in the order of arrivals
  };

  /// State of a station that most events access: one sector of the cache of a GPU. With 128 bytes, ten stations
  /// took 1.4 times as long on an H200. In scratch memory they take 0.85 of the time.
  struct Station {
    Line queue;            ///< waiting customers
    int number = 0;        ///< customers at the station
    int busy = 0;          ///< servers that serve or are blocked
    int servers = 0;       ///< number of servers
    double busy_area = 0;  ///< ∫ servers that serve dt
  };
  static_assert(sizeof(Station) == 32);

  /// Further state of a station, which few cases need.
  struct StationExtra {
    double speed = 1;          ///< service times are divided by it
    int room = 0;              ///< capacity, counting customers waiting and in service
    int waiting = 0;           ///< capacity of the queue
    int awaited = 0;           ///< customers on servers of other stations who are blocked for a place here
    int idle_up = 0;           ///< idle servers that are not broken down, if servers are tracked
    Line in_service;           ///< customers in service, if StationData::lists_services
    double blocked_area = 0;   ///< ∫ servers of blocked customers dt
    double server_area = 0;    ///< ∫ servers that are scheduled or busy dt, until `servers_since`
    double servers_since = 0;  ///< time of the last change of `server_area`
    double work = 0;           ///< shared station: work done for each customer until `work_time`
    double work_time = 0;      ///< shared station: time of the last change of `work`
  };

  /// A class of customers.
  struct Class {
    int priority = 0;           ///< priority number; smaller numbers are served first
    double arrival_speed = 1;   ///< factor of the arrival rate
    std::int64_t arrivals = 0;  ///< arrivals that have been scheduled
    std::int64_t entered = 0;   ///< customers who have entered with this class
    std::int64_t arrived = 0;   ///< customers who have arrived from outside
    std::int64_t served = 0;    ///< customers who have left the network served
    std::int64_t lost = 0;      ///< customers lost at any station
    double time = 0;            ///< sum of the times in the network of served customers
    double area = 0;            ///< ∫ customers in the network dt
  };

  /// Statistics of a class at a station.
  struct alignas(64) Tally {
    double number_area = 0;     ///< ∫ customers dt
    double waiting_area = 0;    ///< ∫ waiting customers dt
    double wait = 0;            ///< sum of the waits
    double time = 0;            ///< sum of the times of served customers
    std::int32_t came = 0;      ///< arrivals
    std::int32_t waits = 0;     ///< waits that have ended
    std::int32_t served = 0;    ///< customers served
    std::int32_t lost = 0;      ///< customers who found no place
    std::int32_t reneged = 0;   ///< customers whose patience has ended
    std::int32_t balked = 0;    ///< customers who have balked
    std::int32_t jockeyed = 0;  ///< customers who have left for a shorter queue
  };

  /// An area.
  struct Area {
    int room = 0;           ///< capacity
    int number = 0;         ///< customers in the area
    std::int32_t came = 0;  ///< arrivals from outside the area
    std::int32_t lost = 0;  ///< arrivals that found the area full and were lost
  };

  /// A server that breaks down or has its own speed.
  struct Server {
    bool is_up = true;         ///< whether it is not broken down
    bool is_used = false;      ///< whether a customer holds it
    std::int32_t repairs = 0;  ///< completed repairs
    double speed = 1;          ///< factor of the service speed
  };

  /// A person at work.
  struct Person {
    /// Activity of a person.
    enum class Doing : std::uint8_t {
      idle,     ///< can take work
      busy,     ///< serves a customer
      on_break  ///< has a break
    };
    double began;         ///< time at which the shift began
    double until;         ///< next beginning of a break, or the end of the shift
    std::int32_t role;    ///< its role
    std::int16_t breaks;  ///< number of breaks that have begun
    Doing doing;          ///< its activity
  };

  /// People of a role.
  struct Role {
    Line idle;                 ///< idle people, the longest idle first
    std::int32_t slot = 0;     ///< next slot in which people start
    std::int32_t cycles = 0;   ///< completed cycles before this slot
    std::int32_t present = 0;  ///< people at work, without breaks
    std::int32_t busy = 0;     ///< people who serve
    double since = 0;          ///< time of the last change of the areas
    double present_area = 0;   ///< ∫ people at work dt
    double busy_area = 0;      ///< ∫ people who serve dt
    double cost = 0;           ///< cost of the counted shifts
    double overtime = 0;       ///< overtime of the counted shifts
  };

  /// Counted customers of a class at a station with roles: they arrive between the warm-up and counted_until.
  struct Counted {
    Line waiting;              ///< waiting customers, counted or not
    double wait = 0;           ///< sum of the waits
    std::int32_t came = 0;     ///< arrivals
    std::int32_t at_once = 0;  ///< customers who were served without a wait
  };

  /// Histogram of waits, from 1/256 to 65536 units of time.
  using Waits = OctaveHistogram<-8, 24>;

  /// Takes the memory for a replication of `network` from `storage`, a ReplicationStorage or StorageParts.
  template <class Storage>
  KOKKOS_FUNCTION NetworkMemory(const NetworkData& network, Storage& storage)
      : stations(storage.in_scratch(storage.template take<Station>(network.station_count), network.station_count)),
        extras(storage.template take<StationExtra>(network.station_count)),
        classes(storage.template take<Class>(network.class_count)),
        tallies(storage.template take<Tally>(network.station_count * network.class_count)),
        servers(storage.template take<Server>(network.tracked_servers)),
        late(storage.template take<std::int32_t>(network.station_count * network.wait_limit_count)),
        served_within(storage.template take<std::int32_t>(network.station_count * network.wait_limit_count)),
        over(storage.template take<std::int32_t>(network.class_count * network.time_limit_count)),
        waits(storage.template take<Waits>(network.wait_quantile_count > 0 ? network.station_count : 0)),
        changed(storage.template take<std::int32_t>(network.has_changes ? network.most_customers : 0)),
        measures(network, storage),
        areas(storage.template take<Area>(network.area_count)),
        locks(storage.template take<std::int32_t>(network.can_deadlock ? network.station_count : 0)),
        groups(storage.template take<Line>(network.has_groups ? network.most_customers : 0)),
        attempts(storage.template take<std::int32_t>(network.has_attempts ? network.most_customers : 0)),
        roles(storage.template take<Role>(network.role_count)),
        starts(storage.template take<std::int32_t>(network.slot_count)),
        counted(storage.template take<Counted>(network.has_roles ? network.station_count * network.class_count : 0)),
        resources(network, storage),
        people(storage, network.most_people),
        entries(storage.template take<Entry>(network.most_customers)),
        held(storage.template take<std::int32_t>(network.holds_servers ? network.most_customers : 0)),
        timers(storage, timer_count(network), network.stops_timers),
        customers(storage, network.most_customers) {}

  /// Number of timers: one for each customer, class, station with shared servers, station with shifts, server,
  /// customer who can change its class, role, person, appointment with lateness, and two for each station if any serves
  /// groups.
  KOKKOS_FUNCTION static int timer_count(const NetworkData& network) {
    return network.most_customers + network.class_count + 2 * network.station_count + network.tracked_servers +
           (network.has_changes ? network.most_customers : 0) + network.role_count + network.most_people +
           network.appointment_count + (network.has_groups ? 2 * network.station_count : 0);
  }

  /// Sets the state at time 0.
  KOKKOS_FUNCTION void clear(const NetworkData& network) {
    for (int s = 0; s < network.station_count; ++s) {
      const StationData& data = network.stations[s];
      Station station;
      station.servers = data.servers;
      stations[s] = station;
      StationExtra extra;
      extra.speed = data.speed;
      extra.room = data.room;
      extra.waiting = data.waiting;
      extras[s] = extra;
      if (network.wait_quantile_count > 0) waits[s].clear();
    }
    for (int c = 0; c < network.class_count; ++c) {
      Class of;
      of.priority = network.classes[c].priority;
      of.arrival_speed = network.classes[c].arrival_speed;
      classes[c] = of;
    }
    for (int v = 0; v < network.station_count * network.class_count; ++v) tallies[v] = Tally();
    for (int k = 0; k < network.tracked_servers; ++k) servers[k] = {.speed = network.server_speeds[k]};
    for (int i = 0; i < network.station_count * network.wait_limit_count; ++i) late[i] = served_within[i] = 0;
    for (int i = 0; i < network.class_count * network.time_limit_count; ++i) over[i] = 0;
    measures.clear(network);
    resources.clear(network);
    for (int a = 0; a < network.area_count; ++a) areas[a] = {.room = network.areas[a].room};
    for (int r = 0; r < network.role_count; ++r) roles[r] = Role();
    for (int slot = 0; slot < network.slot_count; ++slot) starts[slot] = network.starts[slot];
    for (int v = 0; network.has_roles && v < network.station_count * network.class_count; ++v) counted[v] = Counted();
  }

  ScratchArray<Station> stations;           ///< stations
  StoredArray<StationExtra> extras;         ///< further state of the stations
  StoredArray<Class> classes;               ///< classes
  StoredArray<Tally> tallies;               ///< class c at station s has index s · class_count + c
  StoredArray<Server> servers;              ///< tracked servers
  StoredArray<std::int32_t> late;           ///< waits at station s longer than limit i have index s · limits + i
  StoredArray<std::int32_t> served_within;  ///< waits that end with a service within the limit
  StoredArray<std::int32_t> over;           ///< served customers of class c who stay longer than limit i
  StoredArray<Waits> waits;                 ///< waits at each station, if quantiles are observed
  StoredArray<std::int32_t> changed;        ///< changes of class that each customer has begun at its present visit
  NetworkMeasures measures;                 ///< further measures
  StoredArray<Area> areas;                  ///< areas
  StoredArray<std::int32_t> locks;          ///< see NetworkRun::set_locks; if the case can deadlock
  StoredArray<Line> groups;                 ///< companions of each customer who holds a server for a group
  StoredArray<std::int32_t> attempts;       ///< new service times of each customer at its present visit
  StoredArray<Role> roles;                  ///< roles
  StoredArray<std::int32_t> starts;         ///< people who start in each slot of the roles
  StoredArray<Counted> counted;             ///< counted customers of each visit, if has_roles
  NetworkResourceMemory resources;          ///< resources and the customers who wait for them
  StoredEntityPool<Person> people;          ///< people at work
  StoredArray<Entry> entries;               ///< arrival of each customer
  StoredArray<std::int32_t> held;           ///< index of the tracked server or person whom each customer holds
  Timers timers;                            ///< future events
  StoredEntityPool<Customer> customers;     ///< customers in the network
};

}  // namespace sporos::models
