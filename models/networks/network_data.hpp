// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/any_distribution.hpp>
#include <sporos/models/networks/network_case.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Data of a network of stations for kernels: plain values and pointers into NetworkTables.
namespace sporos::models {

/// Random duration: variates of a distribution times a unit. `unit` is 0 if there is no such duration.
struct DurationData {
  AnyDistribution distribution;  ///< distribution of the duration in multiples of `unit`
  double unit;                   ///< length of one unit in the case's units of time

  /// Whether a duration is given.
  KOKKOS_FORCEINLINE_FUNCTION bool is_given() const { return unit > 0; }
  /// Returns a variate, computed from one draw.
  template <class Draw>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(Draw&& draw) const {
    return unit * variate(static_cast<Draw&&>(draw), distribution);
  }
};

/// Elements [first, end) of a table.
struct TableRange {
  int first;  ///< index of the first element
  int end;    ///< index after the last element
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

/// A class of customers.
struct ClassData {
  DurationData interarrival;  ///< time between arrivals; optional
  ScheduleData rates;         ///< arrival rates; optional
  DurationData batch;         ///< batch size; optional
  TableRange enters;          ///< branches that arriving customers take
  double arrival_speed;       ///< factor of the arrival rate
  std::int64_t max_arrivals;  ///< maximum number of arrivals from outside; 0: no limit
  int population;             ///< customers present at time 0
  int priority;               ///< priority number; smaller numbers are served first
};

/// How customers of one class are treated at one station.
struct VisitData {
  DurationData service;   ///< service time at speed 1
  DurationData patience;  ///< patience; optional
  TableRange next;        ///< branches that served customers take
};

/// A station.
struct StationData {
  double speed;           ///< service times are divided by it
  int servers;            ///< number of servers at time 0
  int room;               ///< capacity, counting customers waiting and in service
  int waiting;            ///< capacity of the queue
  Discipline discipline;  ///< queue discipline
  WhenFull when_full;     ///< reaction to customers of other stations who find it full
  ScheduleData shifts;    ///< numbers of servers over time; optional
  DurationData up;        ///< time between breakdowns; optional
  DurationData down;      ///< repair time
  int first_server;       ///< index of its first server among all servers that break down
};

/// Quantity that a response observes at a station, for a class at a station, or for a class in the network.
enum class Observation {
  number,         ///< time-average number of customers
  waiting,        ///< time-average number of waiting customers
  wait,           ///< mean wait, from the arrival until the first service begins or the customer reneges
  late,           ///< fraction of the waits that exceed a limit
  served_within,  ///< service level: fraction of the waits that end with a service within a limit
  wait_quantile,  ///< quantile of the waits
  time,           ///< mean time from arrival to departure
  time_over,      ///< fraction of the served customers who are in the network longer than a limit
  utilization,    ///< busy time of the servers divided by the time that they are scheduled or busy
  blocked,        ///< time that blocked customers hold servers, divided by the same time as for `utilization`
  throughput,     ///< served customers, or customers who leave the network served, per unit of time
  lost,           ///< fraction of the arriving customers who are lost because the station is full
  losses,         ///< customers lost at all stations per unit of time
  reneging        ///< fraction of the waits that end because the customer reneges
};

/// One response of a network.
struct NetworkResponse {
  Observation what;  ///< observed quantity
  int station;       ///< index of the station; −1: the whole network
  int of_class;      ///< index of the class; −1: all classes
  int limit;         ///< index of the limit (`late`, `served_within`, `time_over`) or of the quantile (`wait_quantile`)
};

/// Maximum number of members of a case that can be changed.
inline constexpr int max_network_changes = 16;

/// A member of the case that can be changed.
struct MemberData {
  NetworkMember::Kind kind;  ///< kind of the member
  int owner;                 ///< index of its station, class or branch
};

/// Sets the member of kind `kind` of station or class `owner` in `stations` or `classes`. Returns false and does
/// nothing for a probability, which belongs to a branch.
template <class Index, class Stations, class Classes>
KOKKOS_INLINE_FUNCTION bool set_member(NetworkMember::Kind kind, Index owner, double value, Stations& stations,
                                       Classes& classes) {
  switch (kind) {
    case NetworkMember::Kind::servers:
      stations[owner].servers = static_cast<int>(value);
      return true;
    case NetworkMember::Kind::room:
      stations[owner].room = static_cast<int>(value);
      return true;
    case NetworkMember::Kind::waiting:
      stations[owner].waiting = static_cast<int>(value);
      return true;
    case NetworkMember::Kind::speed:
      stations[owner].speed = value;
      return true;
    case NetworkMember::Kind::priority:
      classes[owner].priority = static_cast<int>(value);
      return true;
    case NetworkMember::Kind::arrival_speed:
      classes[owner].arrival_speed = value;
      return true;
    case NetworkMember::Kind::probability:
      break;
  }
  return false;
}

/// A network as seen by kernels. It is valid as long as its NetworkTables live.
struct NetworkData {
  /// Input variables. Their draws belong to entities (Inputs::pair_of), so that designs under common random numbers
  /// compare the same customers:
  /// - `arrivals`, of a class: the time until arrival n of the class, and the size of its batch;
  /// - `entries`, of a customer: the choice between branches where it enters;
  /// - `services`, of a customer: the service time of its visit n to any station, and the next choice of a branch;
  /// - `patience`, of a customer: the patience at its visit n;
  /// - `breakdowns`, of a server: the time until its breakdown n, and the time of the repair.
  ///
  /// A customer is number n of the class with which it entered.
  enum Input { arrivals, entries, services, patience, breakdowns, input_count };

  const ClassData* classes;          ///< classes of customers
  const StationData* stations;       ///< stations in the order of the case
  const VisitData* visits;           ///< class c at station s has index s · class_count + c
  const BranchData* branches;        ///< branches of all routes
  const int* targets;                ///< candidate stations of all branches
  const NetworkStep* steps;          ///< steps of all schedules
  const NetworkResponse* responses;  ///< responses in their order
  const MemberData* members;         ///< members in the order of network_members
  int class_count;                   ///< number of classes
  int station_count;                 ///< number of stations
  int response_count;                ///< number of responses
  double horizon;                    ///< end of a replication; infinite if a number of customers ends it
  double warm_up;                    ///< time before which nothing is observed
  std::int64_t customers;            ///< number of departures that ends a replication; 0 if the horizon ends it
  Kokkos::Array<double, static_cast<std::size_t>(max_wait_limits)> wait_limits;        ///< increasing
  int wait_limit_count;                                                                ///< number of limits
  Kokkos::Array<double, static_cast<std::size_t>(max_time_limits)> time_limits;        ///< increasing
  int time_limit_count;                                                                ///< number of limits
  Kokkos::Array<double, static_cast<std::size_t>(max_wait_quantiles)> wait_quantiles;  ///< increasing
  int wait_quantile_count;                                                             ///< number of quantiles
};

/// Returns the responses of a network in their order.
std::vector<NetworkResponse> network_responses(const NetworkDescription& network);

/// Returns the name of a response, such as "wait of urgent at triage".
std::string network_response_name(const NetworkDescription& network, const NetworkResponse& response);

/// Returns the unit of a response: the case's unit of time, its reciprocal, or an empty string.
std::string network_response_unit(const NetworkDescription& network, const NetworkResponse& response);

}  // namespace sporos::models
