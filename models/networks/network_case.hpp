// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/core/execution/choice.hpp>

#include <algorithm>
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
  preemptive_restart,   ///< like `preemptive`, but an interrupted service starts again with the same service time
  preemptive_resample,  ///< like `preemptive`, but an interrupted service starts again with a new service time
  processor_sharing     ///< nobody waits: customers share the servers equally, at most one each
};

/// Whether arrivals interrupt services.
constexpr bool preempts(Discipline discipline) {
  return discipline == Discipline::preemptive || discipline == Discipline::preemptive_restart ||
         discipline == Discipline::preemptive_resample;
}

/// Rule for the services of the servers who leave at the end of a shift.
enum class ShiftEnd {
  complete,  ///< they are completed, in overtime if necessary
  resume,    ///< they are interrupted and continue later where they stopped
  restart,   ///< they are interrupted and start again later with the same service time
  resample   ///< they are interrupted and start again later with a new service time
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

/// Maximum number of stations and of classes.
inline constexpr int max_stations = 4000;
/// Maximum number of customers in a network at a time.
inline constexpr int max_customers = 1'000'000;
/// Maximum number of periods of a case.
inline constexpr int max_periods = 1000;
/// Maximum number of appointments with lateness in a replication.
inline constexpr int max_late_appointments = 1'000'000;
/// Maximum number of servers that break down or have speeds, over all stations.
inline constexpr int max_tracked_servers = 1'000'000;
/// Maximum number of people who work at a time, and who start in a slot.
inline constexpr int max_people = 1'000'000;
/// Maximum number of resources.
inline constexpr int max_resources = 64;
/// Maximum number of units of a resource.
inline constexpr int max_units = 1'000'000;
/// Maximum number of branches of a route.
inline constexpr std::size_t max_branches = 1000;

/// A random duration: variates of a distribution times a unit, a mixture of such, or a sum of independent ones.
struct NetworkDuration {
  DistributionChoice distribution = {};     ///< distribution in multiples of `unit`
  double unit = 1;                          ///< length of one unit in the case's units of time
  std::vector<NetworkDuration> more = {};   ///< further parts of the sum
  double probability = 1;                   ///< probability of this component of a mixture
  std::vector<NetworkDuration> mixed = {};  ///< further components of the mixture; empty if it is none
  /// Returns the expectation in the case's units of time.
  double mean() const;
  /// Whether the duration is not random.
  bool is_constant() const;
};

/// Maximum number of parts of a sum of durations.
inline constexpr std::size_t max_summands = 100;
/// Maximum number of components of a mixture.
inline constexpr std::size_t max_mixture_parts = 100;

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

/// Times of arrivals: a trace, or appointments to which customers come late or not at all.
struct NetworkAppointments {
  std::vector<double> times = {};                          ///< not decreasing; empty if there are none
  double cycle = std::numeric_limits<double>::infinity();  ///< time after which they repeat; infinite if never
  std::optional<NetworkDuration> lateness = {};  ///< arrival minus appointment, which may be negative; optional
  double no_shows = 0;                           ///< probability that a customer does not come
  /// Number of repetitions that begin before `horizon`.
  double repetitions(double horizon) const;
};

/// A class of customers.
struct NetworkClass {
  std::string name;                                  ///< name of the class
  std::optional<NetworkDuration> interarrival = {};  ///< time between arrivals from outside, also before the first
  NetworkSchedule rates = {};                        ///< rates of a Poisson process of arrivals from outside
  NetworkAppointments appointments = {};             ///< times of arrivals from outside
  std::optional<NetworkDuration> batch = {};         ///< batch size, a whole number of at least 1; optional
  std::int64_t max_arrivals = 0;  ///< maximum number of customers from outside, in batches or not; 0: no limit
  int population = 0;             ///< customers present at time 0
  int priority = 0;               ///< priority number; smaller numbers are served first
  double arrival_speed = 1;       ///< factor of the arrival rate
  NetworkRoute enters = {};       ///< route of arriving customers

  /// Whether customers arrive from outside after time 0 or at appointments.
  bool has_arrivals() const { return interarrival || !rates.steps.empty() || !appointments.times.empty(); }
  /// Maximum number of customers who arrive from outside after time 0; infinite if there is no limit.
  double most_arrivals() const;
};

/// A change of class while a customer waits.
struct NetworkChange {
  NetworkDuration after;  ///< time until the change, from the arrival at the station or the previous change
  int becomes = 0;        ///< class from then on
};

/// How customers of one class are treated at a station.
struct NetworkVisit {
  std::optional<NetworkDuration> service = {};   ///< service time at speed 1; missing if the class must not come
  std::optional<NetworkDuration> patience = {};  ///< time after which a waiting customer reneges; optional
  NetworkRoute next = {};                        ///< route of served customers
  NetworkRoute reneging = {};  ///< route of customers whose patience ends; if empty, they leave the network
  /// Probabilities that a customer balks, by the number of customers at the station; the last one also holds for larger
  /// numbers. If empty, nobody balks.
  std::vector<double> balking = {};
  std::optional<NetworkDuration> balking_wait = {};  ///< largest expected wait that a customer accepts; optional
  std::optional<NetworkChange> change = {};          ///< change of class while waiting; optional
  std::vector<int> roles = {};    ///< roles whose people serve the class, the preferred first; empty without staff
  std::vector<int> seize = {};    ///< resources that a customer holds during the service, one element for each unit
  std::vector<int> release = {};  ///< resources that a customer returns after the service, one element for each unit

  /// Whether customers balk by their expected wait.
  bool has_balking_wait() const { return balking_wait.has_value(); }
  /// Whether customers may balk.
  bool may_balk() const { return !balking.empty() || has_balking_wait(); }
};

/// Changes of waiting customers from a station to shorter queues.
struct NetworkJockeying {
  std::vector<int> to = {};  ///< stations to which they may change; empty if nobody jockeys
  int difference = 2;        ///< number of waiting customers by which the other queue must be shorter
};

/// Breakdowns of the servers of a station. Each server breaks down independently, whether it serves or not. An
/// interrupted service resumes where it stopped.
struct NetworkBreakdowns {
  NetworkDuration up;    ///< time from the end of a repair to the next breakdown
  NetworkDuration down;  ///< repair time
};

/// Services of several customers at a time. A free server takes waiting customers in the order of the queue: if `least`
/// wait, if the first of them has waited for `after`, or at a multiple of `every`. The service time is that of the
/// first customer, and the service ends for all of them at once.
struct NetworkGroup {
  int most = 1;                                            ///< maximum number of customers in a service
  int least = 1;                                           ///< number of waiting customers for whom a service begins
  double after = std::numeric_limits<double>::infinity();  ///< wait of the first customer; infinite if not given
  double every = std::numeric_limits<double>::infinity();  ///< time between departures; infinite if not given
};

/// An unpaid break in a shift. It begins when the service in progress ends, and keeps its length, but ends with the
/// shift.
struct NetworkBreak {
  double after;   ///< time from the beginning of the shift
  double length;  ///< length of the break
};

/// Waiting customers of a class at a station, or of all classes.
struct NetworkWork {
  int station;   ///< index of the station
  int of_class;  ///< index of the class; −1: all classes
};

/// A role: people with the same skills, shifts and pay. A service that has begun is finished: the minutes past the end
/// of the shift or past the beginning of a break are overtime.
struct NetworkRole {
  std::string name;                            ///< name of the role
  std::vector<int> starts = {};                ///< people who start a shift in each of equally long slots of the cycle
  double cycle = 0;                            ///< time after which the starts and the cost factors repeat
  double shift = 0;                            ///< length of a shift
  std::vector<NetworkBreak> breaks = {};       ///< breaks of a shift, in their order
  double cost = 0;                             ///< cost of a person per unit of time
  std::vector<NetworkStep> cost_factors = {};  ///< factors of the cost over the cycle; empty: 1
  double overtime_factor = 1;                  ///< factor of the cost in overtime
  std::vector<NetworkWork> takes = {};         ///< work that a freed person prefers, in this order

  /// Length of a slot.
  double slot() const { return cycle / static_cast<double>(starts.size()); }
};

/// A station.
struct NetworkStation {
  std::string name;                                        ///< name of the station
  int servers = 1;                                         ///< number of servers, or `unlimited`
  Discipline discipline = Discipline::first_in_first_out;  ///< queue discipline
  int room = unlimited;                                    ///< capacity, counting customers waiting and in service
  int waiting = unlimited;  ///< capacity of the queue, not counting customers in service; an alternative to `room`
  WhenFull when_full = WhenFull::lose;      ///< reaction to customers of other stations; others are always lost
  double speed = 1;                         ///< service times are divided by it
  std::vector<double> speeds = {};          ///< factor of the speed of each server; if empty, all are 1
  std::optional<NetworkGroup> group = {};   ///< services of several customers at a time
  NetworkSchedule shifts = {};              ///< numbers of servers over time
  ShiftEnd shift_end = ShiftEnd::complete;  ///< rule for the services of servers who leave
  std::optional<NetworkBreakdowns> breakdowns = {};  ///< breakdowns of its servers
  NetworkJockeying jockeying = {};                   ///< changes of its waiting customers to other stations
  std::vector<NetworkVisit> visits = {};             ///< one element per class

  /// Whether the station can be full.
  bool has_limit() const { return room < unlimited || waiting < unlimited; }
  /// Whether a replication tracks each of its servers: if they break down or have different speeds.
  bool tracks_servers() const { return breakdowns || !speeds.empty(); }
  /// Whether people with roles serve the customers; `servers` is unlimited then.
  bool has_roles() const {
    return std::ranges::any_of(visits, [](const NetworkVisit& visit) { return !visit.roles.empty(); });
  }
  /// Whether customers seize resources here.
  bool seizes() const {
    return std::ranges::any_of(visits, [](const NetworkVisit& visit) { return !visit.seize.empty(); });
  }
  /// Whether customers can wait here.
  bool has_queue() const {
    return discipline != Discipline::processor_sharing &&
           (servers < unlimited || group.has_value() || has_roles() || seizes());
  }
};

/// Stations that have a capacity together. A customer from outside of the area needs a place in it; moves inside do
/// not.
struct NetworkArea {
  std::string name;                     ///< name of the area
  std::vector<int> stations = {};       ///< its stations, each once
  int room = 1;                         ///< capacity
  WhenFull when_full = WhenFull::lose;  ///< reaction to customers of other stations; others are always lost

  /// Whether a station belongs to the area.
  bool contains(int station) const;
};

/// Equal things, such as rooms, of which customers hold some during one or several services.
struct NetworkResource {
  std::string name;  ///< name of the resource
  int units = 1;     ///< number of units
};

/// A condition that ends a replication before its horizon.
struct NetworkUntil {
  /// Kind of a condition.
  enum class Kind {
    none,         ///< there is no condition
    number,       ///< `count` customers are in the network or at `station`
    empty_after,  ///< nobody is in the network at or after `time`
    lost,         ///< `count` customers have been lost
    deadlock      ///< customers block each other for ever
  };
  Kind kind = Kind::none;  ///< kind of the condition
  int count = 0;           ///< number of customers
  int station = -1;        ///< station; −1: the whole network
  double time = 0;         ///< time
};

/// A quantity whose values over time are responses.
enum class PeriodQuantity {
  number,       ///< number of customers
  waiting,      ///< number of waiting customers
  wait,         ///< wait
  utilization,  ///< utilization of the servers
  throughput    ///< throughput
};

/// Periods whose averages are responses. The first begins at time 0, and each ends where the next begins.
struct NetworkPeriods {
  std::vector<double> ends = {};                           ///< increasing ends of the periods; empty if there are none
  double cycle = std::numeric_limits<double>::infinity();  ///< time after which they repeat; infinite if never
  std::vector<PeriodQuantity> quantities = {};             ///< observed quantities
  std::vector<int> stations = {};                          ///< observed stations; empty: all stations and the network
};

/// A network of stations and the observation period of a replication.
struct NetworkDescription {
  std::string time_unit = "min";         ///< unit of all times
  double horizon = 0;                    ///< end of a replication; infinite if a number of customers ends it
  std::int64_t customers = 0;            ///< departures after the warm-up that end a replication; 0 if the horizon does
  double warm_up = 0;                    ///< time before which nothing is observed
  double cool_down = 0;                  ///< time before the horizon in which no arrivals and shifts are counted
  std::int64_t most_customers = 0;       ///< see most_customers_of
  std::int64_t most_people = 0;          ///< see most_people_of
  std::vector<double> wait_limits = {};  ///< increasing; the fraction of longer waits is a response
  std::vector<double> time_limits = {};  ///< increasing; the fraction of longer times in the network is a response
  std::vector<double> wait_quantiles = {};    ///< increasing; these quantiles of individual waits are responses
  std::vector<double> time_quantiles = {};    ///< increasing; these quantiles of times in the network are responses
  std::vector<int> number_limits = {};        ///< increasing; the fraction of time with more customers is a response
  bool has_maxima = false;                    ///< whether the largest numbers, waits and times are responses
  NetworkPeriods periods = {};                ///< periods whose averages are responses
  std::vector<NetworkClass> classes = {};     ///< at least one class
  std::vector<NetworkStation> stations = {};  ///< at least one station
  std::vector<NetworkArea> areas = {};        ///< capacities of several stations
  std::vector<NetworkRole> roles = {};        ///< people who serve at stations with roles
  /// Resources that customers seize and release.
  std::vector<NetworkResource> resources = {};
  NetworkUntil until = {};  ///< condition that ends a replication before its horizon
  double slot = 0;          ///< length of the time slots of a long run; 0 if it is none (long_run_of)

  /// Whether station `s`, or an area in which it lies, can be full.
  bool is_limited(int s) const;
  /// Whether any station or area can be full.
  bool has_limits() const;
  /// Whether a customer who goes from station `from` to station `to` may be blocked by it or by one of its areas.
  bool can_block(int from, int to) const;
  /// Whether a customer served at station `from` may be blocked there.
  bool can_block(int from) const;
  /// Whether customers may wait for each other for ever: at stations that block each other in a cycle, or for resources
  /// while they hold others.
  bool can_deadlock() const;

  /// Throws std::invalid_argument, naming the offending member by its path, if the description is inconsistent.
  void check() const;
};

/// Returns the largest number of people whose shifts or breaks overlap, without overtime.
double most_scheduled_people(const NetworkDescription& network);

/// Returns the number of people at a time for whom a replication has memory: `most_people`, unless it is 0, otherwise
/// at least 1024 and at least four times the number of people of the case. Without roles, it is 0.
int most_people_of(const NetworkDescription& network);

/// Returns the length of a day in the case's units of time.
double day_of(const NetworkDescription& network);

/// Throws std::invalid_argument, naming `member`, if `number` is neither 0 nor a number of customers at a time for whom
/// a replication can have memory.
void check_most_customers(const std::string& member, std::int64_t number);

/// A number of a case that can be a decision variable.
struct NetworkMember {
  /// Kind of a member.
  enum class Kind {
    servers,
    room,
    waiting,
    speed,
    server_speed,
    priority,
    arrival_speed,
    probability,
    area_room,
    starts,
    resource
  };
  std::string name;       ///< path of the member, such as stations.triage.servers
  Kind kind;              ///< kind of the member
  int owner;              ///< index of its station, class, branch, tracked server, area, slot of all roles or resource
  double value;           ///< value in the case
  std::string_view unit;  ///< unit of the value
  std::string_view meaning;  ///< meaning as one phrase

  /// Whether only whole numbers are valid.
  bool is_whole() const {
    return kind != Kind::speed && kind != Kind::server_speed && kind != Kind::arrival_speed &&
           kind != Kind::probability;
  }
  /// Throws std::invalid_argument, naming the member, if `number` is not a valid value.
  void check(double number) const;
};

/// Returns all members of `network` that can be decision variables, in this order:
/// - for each station: servers (if limited, without shifts, breakdowns and speeds), room and waiting (if limited),
/// speed,
///   and the speeds of its servers (if given);
/// - for each class: the probabilities of the branches by which it enters (if there are several), priority, and
///   arrival_speed (if customers arrive). If any probability is set, all of the class are divided by their sum;
/// - for each area: room;
/// - for each role: the numbers of people who start in its slots;
/// - for each resource: its number of units.
std::vector<NetworkMember> network_members(const NetworkDescription& network);

/// Throws std::invalid_argument if `values`, in the order of network_members, do not fit together: if all probabilities
/// of entering of a class are 0, if a replication has no memory for the people, or if a customer needs more units of a
/// resource than there are.
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
                                                     {"preemptive-restart", models::Discipline::preemptive_restart},
                                                     {"preemptive-resample", models::Discipline::preemptive_resample},
                                                     {"processor-sharing", models::Discipline::processor_sharing}});
};

/// Names of the rules for services at the end of a shift.
template <>
struct ChoiceNames<models::ShiftEnd> {
  static constexpr std::string_view what = "end of a shift";  ///< name of the choice
  /// name and value of each rule
  static constexpr auto values =
      std::to_array<NamedValue<models::ShiftEnd>>({{"complete", models::ShiftEnd::complete},
                                                   {"resume", models::ShiftEnd::resume},
                                                   {"restart", models::ShiftEnd::restart},
                                                   {"resample", models::ShiftEnd::resample}});
};

/// Names of the quantities of periods.
template <>
struct ChoiceNames<models::PeriodQuantity> {
  static constexpr std::string_view what = "quantity of periods";  ///< name of the choice
  /// name and value of each quantity
  static constexpr auto values =
      std::to_array<NamedValue<models::PeriodQuantity>>({{"number", models::PeriodQuantity::number},
                                                         {"number waiting", models::PeriodQuantity::waiting},
                                                         {"wait", models::PeriodQuantity::wait},
                                                         {"utilization", models::PeriodQuantity::utilization},
                                                         {"throughput", models::PeriodQuantity::throughput}});
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
