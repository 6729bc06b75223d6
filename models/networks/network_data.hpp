// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/any_distribution.hpp>
#include <sporos/models/networks/network_case.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// A network of stations as kernels see it: numbers and pointers into NetworkTables.
namespace sporos::models {

/// Variates of a distribution times a unit; `unit` is 0 where there is none.
struct DurationData {
  AnyDistribution distribution;  ///< of the numbers
  double unit;                   ///< units of time of the case

  /// Whether there is one.
  KOKKOS_FORCEINLINE_FUNCTION bool is_given() const { return unit > 0; }
  /// A variate of one draw.
  template <class Draw>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(Draw&& draw) const {
    return unit * variate(static_cast<Draw&&>(draw), distribution);
  }
};

/// Elements [first, end) of a table.
struct TableRange {
  int first;  ///< number of the first
  int end;    ///< behind the last
};

/// One of the ways on.
struct BranchData {
  double cumulative;   ///< probability of this branch and those before it in its route
  TableRange targets;  ///< stations; none: leaves the network
  int becomes;         ///< the class from here on; −1: as before
  Choice choice;       ///< of several stations
};

/// A schedule: steps of a table, and the cycle; infinite where there is none.
struct ScheduleData {
  TableRange steps;  ///< empty where there is no schedule
  double cycle;      ///< after which they begin anew
  double integral;   ///< of the numbers over a cycle; 0 without one
};

/// A class of customers.
struct ClassData {
  DurationData interarrival;   ///< or none
  ScheduleData rates;          ///< or none
  DurationData batch;          ///< or none
  TableRange enters;           ///< branches
  double arrival_speed;        ///< factor of the rate of arrivals
  std::int64_t most_arrivals;  ///< customers from outside; 0 for no limit
  int population;              ///< from the beginning
  int priority;                ///< the smaller, the sooner
};

/// A class at a station.
struct VisitData {
  DurationData service;   ///< at speed 1
  DurationData patience;  ///< or none
  TableRange next;        ///< branches
};

/// A station.
struct StationData {
  double speed;           ///< services take 1 / speed of their time
  int servers;            ///< at time 0
  int room;               ///< places
  int waiting;            ///< places to wait
  Discipline discipline;  ///< of its queue
  WhenFull when_full;     ///< for customers of other stations
  ScheduleData shifts;    ///< or none
  DurationData up;        ///< breakdowns: or none
  DurationData down;      ///< repairs
  int first_server;       ///< number of its first server among all that break down
};

/// What a response observes; of a station, of a class there, or of a class in the network.
enum class Observation {
  number,         ///< mean number of customers over time
  waiting,        ///< mean number of those waiting over time
  wait,           ///< mean wait: from coming until the first service begins or the customer reneges
  late,           ///< fraction of the waits that are longer than a limit
  served_within,  ///< service level: fraction of the waits that end by a service within a limit
  wait_quantile,  ///< quantile of the waits
  time,           ///< mean time from coming to leaving
  utilization,    ///< time that servers serve, divided by the time that they are scheduled or busy
  blocked,        ///< time that servers hold customers for whom there is no place, divided by the same time
  throughput,     ///< customers served, or who leave the network served, a unit of time
  lost,           ///< part of those who come that finds no place
  losses,         ///< customers who find no place at any station, a unit of time
  reneging        ///< fraction of the waits that end because the customer reneges
};

/// One response of a network.
struct NetworkResponse {
  Observation what;  ///< is observed
  int station;       ///< of which station; −1: of the network
  int of_class;      ///< of which class; −1: of all
  int limit;         ///< number of the limit (`late`, `served_within`) or of the quantile (`wait_quantile`)
};

/// The most members of a case that can be changed.
inline constexpr int most_network_changes = 16;

/// A member of the case that can be changed.
struct MemberData {
  NetworkMember::Kind kind;  ///< what it is
  int owner;                 ///< the number of its station or class
};

/// Sets the member of that kind of its owner, one of `stations` or `classes`. False for a probability, which is that of
/// a branch.
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

/// The network. Good as long as its tables live.
struct NetworkData {
  /// The input variables. Draws: `arrivals` one an arrival from outside, `batches` one an arrival of a class that comes
  /// in batches, `services` one a service, `routing` one a choice between branches, `patience` one for each who comes
  /// to a station where patience ends, `breakdowns` one a breakdown and one a repair.
  enum Input { arrivals, batches, services, routing, patience, breakdowns, input_count };

  const ClassData* classes;          ///< of customers
  const StationData* stations;       ///< in the order of the case
  const VisitData* visits;           ///< class c at station s: s · class_count + c
  const BranchData* branches;        ///< of all routes
  const int* targets;                ///< of all branches
  const NetworkStep* steps;          ///< of all schedules
  const NetworkResponse* responses;  ///< in their order
  const MemberData* members;         ///< in the order of network_members
  int class_count;                   ///< number of classes
  int station_count;                 ///< number of stations
  int response_count;                ///< number of responses
  double horizon;                    ///< infinite where customers end a replication
  double warm_up;                    ///< before which nothing is observed
  std::int64_t customers;            ///< who end a replication; 0 where the horizon does
  Kokkos::Array<double, static_cast<std::size_t>(most_wait_limits)> wait_limits;        ///< growing
  int wait_limit_count;                                                                 ///< number of limits
  Kokkos::Array<double, static_cast<std::size_t>(most_wait_quantiles)> wait_quantiles;  ///< growing
  int wait_quantile_count;                                                              ///< number of quantiles
};

/// The responses of a network, in their order.
std::vector<NetworkResponse> network_responses(const NetworkDescription& network);

/// The name of a response: "wait of urgent at triage".
std::string network_response_name(const NetworkDescription& network, const NetworkResponse& response);

/// The unit of a response: the case's unit of time, its reciprocal, or empty.
std::string network_response_unit(const NetworkDescription& network, const NetworkResponse& response);

}  // namespace sporos::models
