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

/// Host description of a network of stations. network_files.hpp reads it from a file; network.hpp simulates it.
namespace sporos::models {

/// Queue discipline: which waiting customer a free server takes.
enum class Discipline {
  first_in_first_out,  ///< the customer who has waited longest
  last_in_first_out,   ///< the customer who arrived last
  priority,    ///< the customer with the smallest priority number, then the longest wait; services are not interrupted
  preemptive,  ///< like `priority`, but arrivals interrupt services with a larger number, which resume later
  processor_sharing  ///< nobody waits: customers share the servers equally, at most one each
};

/// Rule for a customer of another station whose next station is full.
enum class WhenFull {
  lose,  ///< the customer leaves the network and counts as lost
  block  ///< the customer holds its server, which cannot serve others, until there is a place (blocking after service)
};

/// How a customer chooses among several stations.
enum class Choice {
  shortest,   ///< the station with the fewest customers, the first among equals; full stations come last
  first_free  ///< the first station with a free server; if there is none, like `shortest`
};

/// Value for an unlimited number of servers or places.
inline constexpr int unlimited = std::numeric_limits<int>::max();

/// Maximum number of stations.
inline constexpr int max_stations = 32;
/// Maximum number of classes of customers.
inline constexpr int max_classes = 16;
/// Maximum number of stations times classes.
inline constexpr int max_visits = 128;
/// Maximum number of servers that break down, over all stations.
inline constexpr int max_breaking_servers = 64;
/// Maximum number of wait limits.
inline constexpr int max_wait_limits = 4;
/// Maximum number of limits of the time in the network.
inline constexpr int max_time_limits = 4;
/// Maximum number of wait quantiles.
inline constexpr int max_wait_quantiles = 4;
/// Maximum number of branches of a route.
inline constexpr std::size_t max_branches = 1000;
/// Maximum number of customers in a network at a time. A replication that exceeds it has no result.
inline constexpr int max_customers = 1024;

/// A random duration: variates of a distribution times a unit.
struct NetworkDuration {
  DistributionChoice distribution = {};  ///< distribution in multiples of `unit`
  double unit = 1;                       ///< length of one unit in the case's units of time
  /// Returns the expectation in the case's units of time.
  double mean() const { return unit * distribution.mean(); }
};

/// One branch of a route.
struct NetworkBranch {
  double probability = 1;    ///< probability of taking the branch
  std::vector<int> to = {};  ///< one station, or several to choose from; if empty, the customer leaves the network
  Choice choice = Choice::shortest;  ///< rule for choosing among several stations
  std::optional<int> becomes = {};   ///< class of the customer from here on
};

/// Branches that a customer may take. The probability missing to 1 is that of leaving the network.
using NetworkRoute = std::vector<NetworkBranch>;

/// A value that holds from a time on.
struct NetworkStep {
  double from;   ///< time in the case's units of time
  double value;  ///< rate or number of servers
};

/// A piecewise constant function of time.
struct NetworkSchedule {
  std::vector<NetworkStep> steps = {};  ///< increasing times, the first at 0; empty if there is no schedule
  double cycle = std::numeric_limits<double>::infinity();  ///< time after which the steps repeat; infinite if never
  /// Returns the integral over a cycle; 0 without a cycle.
  double integral() const;
};

/// A class of customers.
struct NetworkClass {
  std::string name;                                  ///< name of the class
  std::optional<NetworkDuration> interarrival = {};  ///< time between arrivals from outside, also before the first
  NetworkSchedule rates = {};                        ///< rates of a Poisson process of arrivals from outside
  std::optional<NetworkDuration> batch = {};         ///< batch size, a whole number of at least 1; optional
  std::int64_t max_arrivals = 0;  ///< maximum number of customers from outside, in batches or not; 0: no limit
  int population = 0;             ///< customers present at time 0
  int priority = 0;               ///< priority number; smaller numbers are served first
  double arrival_speed = 1;       ///< factor of the arrival rate
  NetworkRoute enters = {};       ///< route of arriving customers
};

/// How customers of one class are treated at a station.
struct NetworkVisit {
  std::optional<NetworkDuration> service = {};   ///< service time at speed 1; missing if the class must not come
  std::optional<NetworkDuration> patience = {};  ///< time after which a waiting customer leaves the network; optional
  NetworkRoute next = {};                        ///< route of served customers
};

/// Breakdowns of the servers of a station. Each server breaks down independently, whether it serves or not. An
/// interrupted service resumes where it stopped.
struct NetworkBreakdowns {
  NetworkDuration up;    ///< time from the end of a repair to the next breakdown
  NetworkDuration down;  ///< repair time
};

/// A station.
struct NetworkStation {
  std::string name;                                        ///< name of the station
  int servers = 1;                                         ///< number of servers, or `unlimited`
  Discipline discipline = Discipline::first_in_first_out;  ///< queue discipline
  int room = unlimited;                                    ///< capacity, counting customers waiting and in service
  int waiting = unlimited;  ///< capacity of the queue, not counting customers in service; an alternative to `room`
  WhenFull when_full = WhenFull::lose;  ///< reaction to customers of other stations; others are always lost
  double speed = 1;                     ///< service times are divided by it
  NetworkSchedule shifts = {};          ///< numbers of servers over time; a service that has begun is completed
  std::optional<NetworkBreakdowns> breakdowns = {};  ///< breakdowns of its servers
  std::vector<NetworkVisit> visits = {};             ///< one element per class

  /// Whether the station can be full.
  bool has_limit() const { return room < unlimited || waiting < unlimited; }
};

/// A network of stations and the observation period of a replication.
struct NetworkDescription {
  std::string time_unit = "min";         ///< unit of all times
  double horizon = 0;                    ///< end of a replication; infinite if a number of customers ends it
  std::int64_t customers = 0;            ///< departures after the warm-up that end a replication; 0 if the horizon does
  double warm_up = 0;                    ///< time before which nothing is observed
  std::vector<double> wait_limits = {};  ///< increasing; the fraction of longer waits is a response
  std::vector<double> time_limits = {};  ///< increasing; the fraction of longer times in the network is a response
  std::vector<double> wait_quantiles = {};    ///< increasing; these quantiles of individual waits are responses
  std::vector<NetworkClass> classes = {};     ///< at least one class
  std::vector<NetworkStation> stations = {};  ///< at least one station

  /// Throws std::invalid_argument, naming the offending member by its path, if the description is inconsistent.
  void check() const;
};

/// A number of a case that can be a decision variable.
struct NetworkMember {
  /// Kind of a member.
  enum class Kind { servers, room, waiting, speed, priority, arrival_speed, probability };
  std::string name;          ///< path of the member, such as stations.triage.servers
  Kind kind;                 ///< kind of the member
  int owner;                 ///< index of its station or class, or of its branch among all branches
  double value;              ///< value in the case
  std::string_view unit;     ///< unit of the value
  std::string_view meaning;  ///< meaning as one phrase

  /// Whether only whole numbers are valid.
  bool is_whole() const { return kind != Kind::speed && kind != Kind::arrival_speed && kind != Kind::probability; }
  /// Throws std::invalid_argument, naming the member, if `number` is not a valid value.
  void check(double number) const;
};

/// Returns all members of `network` that can be decision variables, in this order:
/// - for each station: servers (if limited, without shifts and breakdowns), room and waiting (if limited), and speed;
/// - for each class: the probabilities of the branches by which it enters (if there are several), priority, and
///   arrival_speed (if customers arrive). If any probability is set, all of the class are divided by their sum.
std::vector<NetworkMember> network_members(const NetworkDescription& network);

/// Throws std::invalid_argument if `values`, in the order of network_members, do not fit together: if all probabilities
/// of entering of a class are 0.
void check_network_members(const NetworkDescription& network, std::span<const double> values);

/// Returns `network` with these values of its members, in the order of network_members. Members after the last value
/// keep theirs.
NetworkDescription with_members(const NetworkDescription& network, std::span<const double> values);

}  // namespace sporos::models

namespace sporos {

/// Names of the queue disciplines.
template <>
struct ChoiceNames<models::Discipline> {
  static constexpr std::string_view what = "discipline";  ///< name of the choice
  /// name and value of each discipline
  static constexpr auto values =
      std::to_array<NamedValue<models::Discipline>>({{"first-in-first-out", models::Discipline::first_in_first_out},
                                                     {"last-in-first-out", models::Discipline::last_in_first_out},
                                                     {"priority", models::Discipline::priority},
                                                     {"preemptive", models::Discipline::preemptive},
                                                     {"processor-sharing", models::Discipline::processor_sharing}});
};

/// Names of the choice rules.
template <>
struct ChoiceNames<models::Choice> {
  static constexpr std::string_view what = "choice";  ///< name of the choice
  /// name and value of each rule
  static constexpr auto values = std::to_array<NamedValue<models::Choice>>(
      {{"shortest", models::Choice::shortest}, {"first-free", models::Choice::first_free}});
};

/// Names of the reactions to a full station.
template <>
struct ChoiceNames<models::WhenFull> {
  static constexpr std::string_view what = "reaction to a full station";  ///< name of the choice
  /// name and value of each reaction
  static constexpr auto values = std::to_array<NamedValue<models::WhenFull>>(
      {{"lose", models::WhenFull::lose}, {"block", models::WhenFull::block}});
};

}  // namespace sporos
