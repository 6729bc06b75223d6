// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/any_distribution.hpp>
#include <sporos/core/replication/period_response.hpp>
#include <sporos/models/networks/network_case.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// Data of a network of stations for kernels: plain values and pointers into NetworkTables.
namespace sporos::models {

/// Elements [first, end) of a table.
struct TableRange {
  int first;  ///< index of the first element
  int end;    ///< index after the last element
};

/// Random duration: variates of a distribution times a unit, a mixture, or a sum of such. `unit` is 0 if there is no
/// such duration.
struct DurationData {
  AnyDistribution distribution;  ///< distribution of the duration in multiples of `unit`
  double unit;                   ///< length of one unit in the case's units of time
  int first_part;                ///< index of the second part of a sum in NetworkData::sum_parts
  int end_part;                  ///< index after its last part
  TableRange components;         ///< components of a mixture in NetworkData::components; empty if it is none

  /// Whether a duration is given.
  KOKKOS_FORCEINLINE_FUNCTION bool is_given() const { return unit > 0; }
  /// Returns a variate without mixture and without the further parts of a sum, computed from one draw.
  template <class Draw>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(Draw&& draw) const {
    return unit * variate(static_cast<Draw&&>(draw), distribution);
  }
};

/// A component of a mixture.
struct ComponentData {
  double cumulative;             ///< probability of this component plus those of the components before it
  double unit;                   ///< length of one unit in the case's units of time
  AnyDistribution distribution;  ///< distribution in multiples of `unit`
};

/// One branch of a route.
struct BranchData {
  double cumulative;   ///< probability of this branch plus those of the branches before it in its route
  TableRange targets;  ///< candidate stations; if empty, the branch leaves the network
  int becomes;         ///< class of the customer from here on; −1: unchanged
  Choice choice;       ///< rule for choosing among several stations
};

/// A schedule as a range of steps with a cycle length. The length is infinite if the schedule does not repeat.
struct ScheduleData {
  TableRange steps;  ///< empty if there is no schedule
  double cycle;      ///< time after which the steps repeat
  double integral;   ///< integral of the values over a cycle; 0 without a cycle
};

/// Times of arrivals; see NetworkAppointments.
struct AppointmentData {
  TableRange times;       ///< times in a cycle; empty if there are none
  double cycle;           ///< time after which they repeat; infinite if never
  DurationData lateness;  ///< arrival minus appointment; optional
  double no_shows;        ///< probability that a customer does not come
  int first_timer;        ///< index of its first appointment among those of all classes with lateness
  int count;              ///< number of appointments; 0 without lateness
};

/// A class of customers.
struct ClassData {
  DurationData interarrival;     ///< time between arrivals; optional
  ScheduleData rates;            ///< arrival rates; optional
  DurationData batch;            ///< batch size; optional
  TableRange enters;             ///< branches that arriving customers take
  double arrival_speed;          ///< factor of the arrival rate
  std::int64_t max_arrivals;     ///< maximum number of arrivals from outside; 0: no limit
  int population;                ///< customers present at time 0
  int priority;                  ///< priority number; smaller numbers are served first
  AppointmentData appointments;  ///< times of arrivals; optional
};

/// How customers of one class are treated at one station.
struct VisitData {
  DurationData service;   ///< service time at speed 1
  DurationData patience;  ///< patience; optional
  TableRange next;        ///< branches that served customers take
  bool has_timers;        ///< whether waiting customers may renege (see reneging_visits) or change their class
  bool changes;           ///< whether waiting customers change their class
};

/// Balking, routes of reneging customers and changes of class, for customers of one class at one station.
struct ImpatienceData {
  TableRange balking;         ///< probabilities by the number of customers at the station; empty if not given
  DurationData balking_wait;  ///< largest expected wait that a customer accepts; optional
  double mean_service;        ///< mean service time at speed 1
  TableRange reneging;        ///< branches that reneging customers take; empty: they leave the network
  DurationData change;        ///< time until the class changes; optional
  int becomes;                ///< class after the change
};

/// Changes of waiting customers from a station to shorter queues.
struct JockeyingData {
  TableRange targets;  ///< stations to which they may change; empty if nobody jockeys
  int difference;      ///< number of waiting customers by which the other queue must be shorter
};

/// Services of several customers at a time; see NetworkGroup.
struct GroupData {
  int most;      ///< maximum number of customers in a service; 1 if customers are served one by one
  int least;     ///< number of waiting customers for whom a service begins
  double after;  ///< wait of the first customer after which a service begins
  double every;  ///< time between departures
};

/// A station.
struct StationData {
  double speed;           ///< service times are divided by it
  int servers;            ///< number of servers at time 0
  int room;               ///< capacity, counting customers waiting and in service
  int waiting;            ///< capacity of the queue
  Discipline discipline;  ///< queue discipline
  WhenFull when_full;     ///< reaction to customers of other stations who find it full
  int first_server;       ///< index of its first server among all tracked servers
  bool tracks_servers;    ///< whether its servers break down or have different speeds
  bool lists_services;    ///< whether it needs the list of customers in service
  bool serves_groups;     ///< whether a service may have several customers
  bool may_balk;          ///< whether customers may balk here
  bool has_roles;         ///< whether people with roles serve here
  bool seizes;            ///< whether customers seize resources here
  ScheduleData shifts;    ///< numbers of servers over time; optional
  DurationData up;        ///< time between breakdowns; optional
  DurationData down;      ///< repair time
  GroupData group;        ///< services of several customers at a time
  ShiftEnd preempted;     ///< how services that arrivals interrupt continue
  ShiftEnd shift_end;     ///< how services that the end of a shift interrupts continue
};

/// Work of a role: the customers of a class at a station.
struct WorkData {
  int visit;          ///< index of the class at the station
  int rank;           ///< work of equal rank is done in the order of arrival
  bool has_priority;  ///< whether the discipline of the station is `priority`
  bool seizes;        ///< whether customers seize resources at the station
};

/// A role; see NetworkRole.
struct RoleData {
  TableRange starts;       ///< slots in NetworkData::starts
  TableRange breaks;       ///< breaks in NetworkData::breaks
  TableRange factors;      ///< steps of the factors of the cost; empty: 1
  TableRange work;         ///< work in NetworkData::work, in the order of preference
  double cycle;            ///< time after which the starts and the factors repeat
  double shift;            ///< length of a shift
  double cost;             ///< cost of a person per unit of time
  double overtime_factor;  ///< factor of the cost in overtime
  int station;             ///< a station where the role serves
};

/// Units of a resource.
struct UnitsData {
  int resource;  ///< index of the resource
  int units;     ///< number of units
};

/// Customers of a class who seize resources, or wait with those who do, at a station.
struct SeizingData {
  int visit;          ///< index of the class at the station
  int station;        ///< index of the station
  bool has_priority;  ///< whether the discipline of the station is `priority`
};

/// An area; see NetworkArea.
struct AreaData {
  TableRange stations;  ///< its stations
  int room;             ///< capacity
  WhenFull when_full;   ///< reaction to customers of other stations who find it full
};

/// Quantity that a response observes at a station, for a class at a station, or for a class in the network.
enum class Observation {
  number,              ///< time-average number of customers
  waiting,             ///< time-average number of waiting customers
  wait,                ///< mean wait, from the arrival until the first service begins or the customer reneges
  late,                ///< fraction of the waits that exceed a limit
  served_within,       ///< service level: fraction of the waits that end with a service within a limit
  wait_quantile,       ///< quantile of the waits
  time,                ///< mean time from arrival to departure
  time_over,           ///< fraction of the served customers who are in the network longer than a limit
  utilization,         ///< busy time of the servers divided by the time that they are scheduled or busy
  blocked,             ///< time that blocked customers hold servers, divided by the same time as for `utilization`
  throughput,          ///< served customers, or customers who leave the network served, per unit of time
  lost,                ///< fraction of the arriving customers who are lost because the station is full
  losses,              ///< customers lost at all stations per unit of time
  area_number,         ///< time-average number of customers in an area
  area_lost,           ///< fraction of the customers arriving in an area who are lost because it is full
  end_time,            ///< end of the replication
  ended,               ///< whether the condition `until` ended the replication: 0 or 1
  reneging,            ///< fraction of the waits that end because the customer reneges
  time_quantile,       ///< quantile of the times in the network of served customers
  number_over,         ///< fraction of time with more customers than a limit
  largest_number,      ///< largest number of customers
  largest_waiting,     ///< largest number of waiting customers
  longest,             ///< longest wait at a station, or longest time of a served customer in the network
  period_number,       ///< time-average number of customers in a period
  period_waiting,      ///< time-average number of waiting customers in a period
  period_wait,         ///< mean of the waits that end in a period
  period_utilization,  ///< utilization in a period
  period_throughput,   ///< served customers per unit of time in a period
  balking,             ///< fraction of the arriving customers who balk
  jockeying,           ///< fraction of the waits that end because the customer changes to another queue
  at_once,             ///< fraction of the counted customers who are served without a wait
  waits_per_day,       ///< sum of the waits of the counted customers, per day
  staff_cost,          ///< cost of the counted shifts per day, of a role or of all
  overtime,            ///< overtime of the counted shifts of a role per day
  role_utilization,    ///< busy time of the people of a role divided by the time that they are at work
  resource_number,     ///< time-average number of units of a resource that customers hold
  resource_usage,      ///< fraction of the units of a resource that customers hold
  resource_wait,       ///< mean wait of the customers who then seize a resource
  resource_largest     ///< largest number of units of a resource that customers hold
};

/// Whether an observation is one of NetworkMeasures.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_measured(Observation what) {
  return what >= Observation::time_quantile && what <= Observation::period_throughput;
}

/// One response of a network.
struct NetworkResponse {
  Observation what;  ///< observed quantity
  int station;       ///< index of the station; −1: the network; stations + 1 + i: role i, resources after the roles
  int of_class;      ///< index of the class; −1: all classes
  int limit;         ///< index of the limit, quantile, period, area, resource or role (−1: all roles)
};

/// Value of a response as a ratio.
struct NetworkRatio {
  double sum;  ///< numerator
  double all;  ///< time or number by which it is divided; if it is 0, the value is 0
};

/// How a response is observed in the time slots of a long run.
struct NetworkSeriesTerm {
  NetworkResponse response;  ///< the response
  int sum;                   ///< series of its sums; of its values if it averages over time
  int all;                   ///< series of the times or numbers by which its sums are divided; −1: none
  bool records_all;          ///< whether it is the first response that is divided by `all`
};

/// Maximum number of changed members that a model holds itself. It points to further ones (MoreChanges).
inline constexpr int max_network_changes = 16;

/// A member of the case that can be changed.
struct MemberData {
  NetworkMember::Kind kind;  ///< kind of the member
  int owner;                 ///< index of its station, class or branch
};

/// A changed value of a member of the case.
struct MemberChange {
  int member;    ///< index in network_members
  double value;  ///< new value
};

/// Further changed values of members of the case, in memory that kernels can read. They replace those of a
/// MemberChange.
struct MoreChanges {
  const int* members = nullptr;    ///< indices in network_members
  const double* values = nullptr;  ///< new values
  int count = 0;                   ///< number of changes
};

/// A network as seen by kernels. It is valid as long as its NetworkTables live.
struct NetworkData {
  /// Input variables. Their draws belong to entities (Inputs::pair_of), so that designs under common random numbers
  /// compare the same customers:
  /// - `arrivals`, of a class: the time until arrival n of the class, and the size of its batch;
  /// - `entries`, of a customer: the choice between branches where it enters;
  /// - `services`, of a customer: the service time of its visit n to any station, and the next choice of a branch;
  /// - `patience`, of a customer: the patience at its visit n;
  /// - `breakdowns`, of a server: the time until its breakdown n, and the time of the repair;
  /// - `balking`, of a customer: whether it balks at its visit n, and the largest expected wait that it accepts;
  /// - `changes`, of a customer: the times until it changes its class at its visit n;
  /// - `appointments`, of a class: the lateness at appointment n, and whether the customer comes;
  /// - `parts`, of a class, a customer or a server: the second and further parts of sums of durations;
  /// - `attempts`, of a customer: new service times after interruptions.
  ///
  /// A customer is number n of the class with which it entered, or the one of appointment n.
  enum Input {
    arrivals,
    entries,
    services,
    patience,
    breakdowns,
    balking,
    changes,
    appointments,
    parts,
    attempts,
    input_count
  };

  const ClassData* classes;         ///< classes of customers
  const StationData* stations;      ///< stations in the order of the case
  const VisitData* visits;          ///< class c at station s has index s · class_count + c
  const BranchData* branches;       ///< branches of all routes
  const int* targets;               ///< candidate stations of all branches
  const NetworkStep* steps;         ///< steps of all schedules
  const double* appointment_times;  ///< times of arrivals of all classes
  const AreaData* areas;            ///< areas in the order of the case
  const TableRange* areas_of;       ///< areas of each station in `area_members`; without elements if there are no areas
  const int* area_members;          ///< stations of each area, and areas of each station
  const NetworkResponse* responses;  ///< responses in their order
  const MemberData* members;         ///< members in the order of network_members
  const ImpatienceData* impatience;  ///< class c at station s has index s · class_count + c; if has_impatience
  const JockeyingData* jockeying;    ///< jockeying from each station; if has_jockeying
  const double* balking_chances;     ///< probabilities of balking
  int area_count;                    ///< number of areas
  int appointment_count;             ///< number of appointments of classes with lateness
  bool can_deadlock;                 ///< see NetworkDescription::can_deadlock
  bool ends_early;                   ///< whether a deadlock or `until` can end a replication
  NetworkUntil until;                ///< condition that ends a replication
  int class_count;                   ///< number of classes
  int station_count;                 ///< number of stations
  int response_count;                ///< number of responses
  double horizon;                    ///< end of a replication; infinite if a number of customers ends it
  double warm_up;                    ///< time before which nothing is observed
  std::int64_t customers;            ///< number of departures that ends a replication; 0 if the horizon ends it
  const double* wait_limits;         ///< increasing
  const double* time_limits;         ///< increasing
  const double* wait_quantiles;      ///< increasing
  int wait_limit_count;              ///< number of limits of waits
  int time_limit_count;              ///< number of limits of times in the network
  int wait_quantile_count;           ///< number of quantiles of waits
  const double* time_quantiles;      ///< increasing
  const int* number_limits;          ///< increasing
  const double* period_ends;         ///< increasing
  int time_quantile_count;           ///< number of quantiles of times in the network
  int number_limit_count;            ///< number of limits of numbers of customers
  int period_count;                  ///< number of periods
  double period_cycle;               ///< time after which the periods repeat; infinite if never
  bool has_levels;                   ///< whether numbers over time are observed (NetworkMeasures)
  const DurationData* sum_parts;     ///< second and further parts of all sums of durations
  const ComponentData* components;   ///< components of all mixtures
  const RoleData* roles;             ///< roles in the order of the case
  const WorkData* work;              ///< work of the roles
  const NetworkBreak* breaks;        ///< breaks of the roles
  const int* starts;                 ///< people who start in each slot of the roles
  const TableRange* roles_of;        ///< roles of each visit in `visit_roles`; if has_roles
  const int* visit_roles;            ///< roles of the visits, the preferred first
  int role_count;                    ///< number of roles
  int slot_count;                    ///< number of slots of all roles
  int most_people;                   ///< maximum number of people at a time; a replication that exceeds it fails
  double counted_until;              ///< time from which on arrivals and shifts are not counted
  double day;                        ///< length of a day
  const int* resource_units;         ///< number of units of each resource
  const UnitsData* units;            ///< units that customers need and return
  const TableRange* needs;           ///< units that each visit needs in `units`; if has_resources
  const TableRange* returns;         ///< units that each visit returns in `units`; if has_resources
  const SeizingData* seizing;        ///< customers at stations where resources are seized
  int resource_count;                ///< number of resources
  int seizing_count;                 ///< number of elements of `seizing`
  const double* server_speeds;       ///< factor of the speed of each tracked server
  int tracked_servers;               ///< number of servers that break down or have different speeds
  bool holds_servers;                ///< whether any station tracks servers or has roles
  bool stops_timers;                 ///< whether any timer can be stopped
  bool is_plain;                     ///< see NetworkRun
  bool limits_places;                ///< whether any station has a limited number of places
  bool has_speeds;                   ///< whether any station has another speed than 1
  bool has_sums;                     ///< whether any duration is a sum or a mixture
  bool has_roles;                    ///< whether people with roles serve at any station
  bool has_resources;                ///< whether customers seize resources
  bool has_groups;                   ///< whether any station serves several customers at a time
  bool has_attempts;                 ///< whether any interrupted services have new service times
  bool counts_by_visit;              ///< has_attempts or has_changes
  bool checks_arrivals;              ///< whether there are areas or customers who balk
  bool has_impatience;               ///< whether any customers balk, renege to stations or change their class
  bool has_changes;                  ///< whether any waiting customers change their class
  bool has_jockeying;                ///< whether any waiting customers change to other queues
  int most_customers;  ///< maximum number of customers in the network; a replication that exceeds it fails
  const NetworkSeriesTerm* series_terms;  ///< observed responses of a long run
  int series_term_count;                  ///< their number; 0 if the network is not that of a long run
  int series_count;                       ///< number of series of a long run
  double slot;                            ///< length of its time slots
};

/// Returns whether customers of class c may renege at station s, at index s · classes + c: if they have patience there,
/// or bring the end of their patience along when they jockey or change their class.
std::vector<bool> reneging_visits(const NetworkDescription& network);

/// Returns the responses of a network in their order.
std::vector<NetworkResponse> network_responses(const NetworkDescription& network);

/// Returns the names of the stations in their order, then those of the resources.
std::vector<std::string> station_names(const NetworkDescription& network);

/// Whether a response is observed in a period.
bool is_of_period(const NetworkResponse& response);

/// Returns the responses that are observed in periods.
std::vector<PeriodResponse> period_responses(const NetworkDescription& network);

/// Returns the name of a response, such as "wait of urgent at triage".
std::string network_response_name(const NetworkDescription& network, const NetworkResponse& response);

/// Returns the unit of a response: the case's unit of time, its reciprocal, or an empty string.
std::string network_response_unit(const NetworkDescription& network, const NetworkResponse& response);

}  // namespace sporos::models
