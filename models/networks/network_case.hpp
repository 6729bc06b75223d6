// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/core/execution/choice.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// A network of stations, as people describe it: host data. network_files.hpp reads it, network.hpp runs it.
namespace sporos::models {

/// Which waiting customer a free server takes.
enum class Discipline {
  first_in_first_out,  ///< who has waited longest
  last_in_first_out,   ///< who came last
  priority,            ///< who has the smallest priority number, then who has waited longest; no service is interrupted
  preemptive,  ///< the same, and a newcomer interrupts a service of a greater number, which goes on later (resume)
  processor_sharing  ///< no one waits: all customers share the servers, none gets more than one
};

/// What becomes of a customer of another station who is to go to a full one.
enum class WhenFull {
  lose,  ///< leaves the network, lost
  block  ///< stays on its server, which cannot serve, until there is a place (blocking after service)
};

/// To which of several stations a customer goes.
enum class Choice {
  shortest,   ///< that with the fewest customers, of equal ones the first; one with a place before all that are full
  first_free  ///< the first with a free server; where there is none, as `shortest`
};

/// No limit of servers or of places.
inline constexpr int unlimited = std::numeric_limits<int>::max();

/// The most stations of a network.
inline constexpr int most_stations = 32;
/// The most classes of customers of a network.
inline constexpr int most_classes = 16;
/// The most pairs of a station and a class of a network.
inline constexpr int most_visits = 128;
/// The most servers, of all stations together, that break down.
inline constexpr int most_breaking_servers = 64;
/// The most limits of waits.
inline constexpr int most_wait_limits = 4;
/// The most quantiles of waits.
inline constexpr int most_wait_quantiles = 4;
/// The most branches of a route.
inline constexpr std::size_t most_branches = 1000;
/// The most customers in a network at a time: with more, a replication has no result.
inline constexpr int most_customers = 1024;

/// A random quantity: variates of a distribution, times a number of the case's units of time.
struct NetworkDuration {
  DistributionChoice distribution = {};  ///< of the numbers
  double unit = 1;                       ///< how many units of time of the case one of the distribution's is
  /// The expectation in units of time of the case.
  double mean() const { return unit * distribution.mean(); }
};

/// One of the ways that a customer may go on.
struct NetworkBranch {
  double probability = 1;            ///< with which it is taken
  std::vector<int> to = {};          ///< one station, or several to choose from; none: leaves the network
  Choice choice = Choice::shortest;  ///< of several
  std::optional<int> becomes = {};   ///< the class that the customer has from here on
};

/// The ways on; what is missing to a probability of 1 leaves the network.
using NetworkRoute = std::vector<NetworkBranch>;

/// A number from a time on.
struct NetworkStep {
  double from;   ///< in units of time of the case
  double value;  ///< a rate, or a number of servers
};

/// Numbers that change with time.
struct NetworkSchedule {
  std::vector<NetworkStep> steps = {};  ///< the first from 0 on, then growing; empty where nothing changes
  double cycle = std::numeric_limits<double>::infinity();  ///< after which they begin anew; infinite where they do not
  /// Over a cycle; 0 where there is none.
  double integral() const;
};

/// A class of customers.
struct NetworkClass {
  std::string name;                                  ///< of the class
  std::optional<NetworkDuration> interarrival = {};  ///< between arrivals from outside, the first after one of them
  NetworkSchedule rates = {};                        ///< of a Poisson process of arrivals from outside
  std::optional<NetworkDuration> batch = {};         ///< how many arrive together, a whole number of at least 1; or one
  std::int64_t most_arrivals = 0;                    ///< customers from outside, in batches or not; 0: no limit
  int population = 0;                                ///< customers who are there from the beginning
  int priority = 0;                                  ///< the smaller, the sooner
  double arrival_speed = 1;                          ///< factor of the rate of arrivals
  NetworkRoute enters = {};                          ///< where arriving customers go
};

/// What a class of customers does at a station.
struct NetworkVisit {
  std::optional<NetworkDuration> service = {};   ///< at speed 1; where there is none, the class may not come
  std::optional<NetworkDuration> patience = {};  ///< after which one who waits leaves the network; or never
  NetworkRoute next = {};                        ///< where customers go who have been served
};

/// Each server of a station breaks down by itself, whether it serves or not; a service goes on where it stopped.
struct NetworkBreakdowns {
  NetworkDuration up;    ///< from the end of a repair to the next breakdown
  NetworkDuration down;  ///< a repair
};

/// A station.
struct NetworkStation {
  std::string name;                                        ///< of the station
  int servers = 1;                                         ///< or `unlimited`
  Discipline discipline = Discipline::first_in_first_out;  ///< of its queue
  int room = unlimited;                                    ///< places, of those waiting and in service
  int waiting = unlimited;                                 ///< places to wait, beside those at servers; or `room`
  WhenFull when_full = WhenFull::lose;                     ///< for customers of other stations; others are lost
  double speed = 1;                                        ///< services take 1 / speed of their time
  NetworkSchedule shifts = {};                             ///< numbers of servers; a service that has begun is ended
  std::optional<NetworkBreakdowns> breakdowns = {};        ///< of its servers
  std::vector<NetworkVisit> visits = {};                   ///< of each class

  /// Whether it can be full.
  bool has_limit() const { return room < unlimited || waiting < unlimited; }
};

/// A network of stations, and how long it is watched.
struct NetworkDescription {
  std::string time_unit = "min";              ///< of all times
  double horizon = 0;                         ///< at which a replication ends; infinite where customers end it
  std::int64_t customers = 0;                 ///< the number of those who leave after the warm-up that ends it; or 0
  double warm_up = 0;                         ///< before which nothing is observed
  std::vector<double> wait_limits = {};       ///< growing; how many customers wait longer is observed
  std::vector<double> wait_quantiles = {};    ///< growing; these quantiles of single waits are observed
  std::vector<NetworkClass> classes = {};     ///< at least one
  std::vector<NetworkStation> stations = {};  ///< at least one

  /// Throws std::invalid_argument, naming the member by its path, where this makes no network.
  void check() const;
};

/// A number of a case that can be decided.
struct NetworkMember {
  /// What it is.
  enum class Kind { servers, room, waiting, speed, priority, arrival_speed, probability };
  std::string name;          ///< its path: stations.triage.servers
  Kind kind;                 ///< what it is
  int owner;                 ///< the number of its station, class or branch among all
  double value;              ///< in the case
  std::string_view unit;     ///< of it
  std::string_view meaning;  ///< one phrase

  /// Whether it takes whole numbers only.
  bool is_whole() const { return kind != Kind::speed && kind != Kind::arrival_speed && kind != Kind::probability; }
  /// Throws std::invalid_argument, naming the member, for a value that it cannot have.
  void check(double number) const;
};

/// All numbers of `network` that can be decided: servers, room, waiting and speed of stations where they are limited
/// and do not change by shifts, priority and arrival_speed of classes, and the probabilities of the stations that a
/// class enters, where there are several. Where those are decided they are divided by their sum.
std::vector<NetworkMember> network_members(const NetworkDescription& network);

/// `network` with these values of its members, in the order of network_members; members after the last value keep
/// theirs.
NetworkDescription with_members(const NetworkDescription& network, std::span<const double> values);

}  // namespace sporos::models

namespace sporos {

/// Names of the disciplines.
template <>
struct ChoiceNames<models::Discipline> {
  static constexpr std::string_view what = "discipline";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<models::Discipline>>({{"first-in-first-out", models::Discipline::first_in_first_out},
                                                     {"last-in-first-out", models::Discipline::last_in_first_out},
                                                     {"priority", models::Discipline::priority},
                                                     {"preemptive", models::Discipline::preemptive},
                                                     {"processor-sharing", models::Discipline::processor_sharing}});
};

/// Names of the choices.
template <>
struct ChoiceNames<models::Choice> {
  static constexpr std::string_view what = "choice";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<models::Choice>>(
      {{"shortest", models::Choice::shortest}, {"first-free", models::Choice::first_free}});
};

/// Names of what happens where a station is full.
template <>
struct ChoiceNames<models::WhenFull> {
  static constexpr std::string_view what = "reaction to a full station";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<models::WhenFull>>(
      {{"lose", models::WhenFull::lose}, {"block", models::WhenFull::block}});
};

}  // namespace sporos
