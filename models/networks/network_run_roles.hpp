// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/bits.hpp>
#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

/// @file
/// People with roles: their shifts, breaks, overtime, cost and work. Members of NetworkRun.
///
/// A customer who arrives takes an idle person, and a person who becomes free takes a waiting customer. Thus no person
/// is idle while a customer waits whom this person could serve. At a station where customers also seize resources, a
/// person may be idle while they lack some; network_run_resources.hpp lets such customers take idle people. A person
/// has a timer for the next break, the end of the break or the end of the shift. It also runs while the person serves;
/// a service that goes on is overtime.

namespace sporos::models {

// Returns the cost of a person of a role between two times.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::cost_of(const RoleData& role, double from,
                                                                      double to) const {
  if (!(to > from)) return 0;
  const auto [first, end] = role.factors;
  if (end == first) return role.cost * (to - from);
  double start = ::floor(from / role.cycle) * role.cycle;
  int step = first;
  while (step + 1 < end && start + m_network.steps[step + 1].from <= from) ++step;
  double sum = 0;
  for (;;) {
    const double next = start + (step + 1 < end ? m_network.steps[step + 1].from : role.cycle);
    const double until = to < next ? to : next;
    if (until > from) sum += m_network.steps[step].value * (until - from);
    if (to <= next) return role.cost * sum;
    from = next;
    if (++step == end) {
      step = first;
      start += role.cycle;
    }
  }
}

// Adds overtime of a person between two times. Its scheduled pay covers the part before the end of the shift.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::add_overtime(const Person& person, double from, double to) {
  if (!(to > from) || !is_counted(person.began)) return;
  const RoleData& data = m_network.roles[person.role];
  Role& role = m_memory.roles[person.role];
  const double end = person.began + data.shift, inside = to < end ? to : end, outside = from > end ? from : end;
  role.overtime += to - from;
  role.cost +=
      (data.overtime_factor - 1) * cost_of(data, from, inside) + data.overtime_factor * cost_of(data, outside, to);
}

// Changes the numbers of people of a role who are at work and who serve.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::count_people(int r, int present, int busy) {
  Role& role = m_memory.roles[r];
  const double length = observed_since(role.since);
  role.present_area += role.present * length;
  role.busy_area += role.busy * length;
  role.since = now();
  role.present += present;
  role.busy += busy;
  if (!m_network.has_levels) return;
  const int place = m_network.station_count + 1 + r;
  integrate(place, now());
  m_memory.measures.levels[place].servers = role.present;
  m_memory.measures.levels[place].busy = role.busy;
}

// Schedules the next slot in which people of a role start, if there is one.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::schedule_slot(int r) {
  const RoleData& data = m_network.roles[r];
  Role& role = m_memory.roles[r];
  const int slots = data.starts.end - data.starts.first;
  for (int passed = 0; passed < slots; ++passed) {
    if (m_memory.starts[data.starts.first + role.slot] > 0) {
      const double time = role.cycles * data.cycle + role.slot * data.cycle / slots;
      m_memory.timers.start(role_timer(r), time > now() ? time : now());
      return;
    }
    pass_slot(role, slots);
  }
}

// Begins the shifts of a slot.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::begin_shifts(int r) -> Move {
  const RoleData& data = m_network.roles[r];
  Role& role = m_memory.roles[r];
  const int people = m_memory.starts[data.starts.first + role.slot];
  if (is_counted(now())) role.cost += people * cost_of(data, now(), now() + data.shift);
  count_people(r, people, 0);
  for (int i = 0; i < people; ++i) {
    const int number = m_memory.people.add({now(), 0, r, 0, Person::Doing::idle});
    if (number < 0) {
      m_has_no_branch = true;  // ends the replication
      return {};
    }
    make_ready(number);
  }
  pass_slot(role, data.starts.end - data.starts.first);
  schedule_slot(r);
  return {.freed = data.station};
}

// Next break of a person, or the end of its shift.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::next_pause(const Person& person) const {
  const RoleData& data = m_network.roles[person.role];
  const int pause = data.breaks.first + person.breaks;
  return person.began + (pause < data.breaks.end ? m_network.breaks[pause].after : data.shift);
}

// Lets a person who comes to work, or returns from a break, take work.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::make_ready(int number) {
  Person& person = m_memory.people[number];
  person.doing = Person::Doing::idle;
  person.until = next_pause(person);
  m_memory.timers.start(person_timer(number), person.until);
  m_memory.people.push_back(m_ready, number);
}

// Begins the break of a person who does not serve, or ends its shift.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::pause(int number) {
  Person& person = m_memory.people[number];
  const RoleData& data = m_network.roles[person.role];
  const double end = person.began + data.shift;
  const int next = data.breaks.first + person.breaks;
  if (next == data.breaks.end || now() >= end) {
    m_memory.people.remove(number);
    return;
  }
  const double over = now() + m_network.breaks[next].length, back = over < end ? over : end;
  if (is_counted(person.began)) m_memory.roles[person.role].cost -= cost_of(data, now(), back);
  ++person.breaks;
  person.doing = Person::Doing::on_break;
  m_memory.timers.start(person_timer(number), back);
}

// Reacts to the timer of a person: to the next break, the end of a break, or the end of the shift.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::end_person_timer(int number) -> Move {
  Person& person = m_memory.people[number];
  const int r = person.role;
  if (person.doing == Person::Doing::busy) return {};
  if (person.doing == Person::Doing::idle) {
    m_memory.people.take_out(m_memory.roles[r].idle, number);
    count_people(r, -1, 0);
    pause(number);
    return {};
  }
  if (next_pause(person) <= now()) {
    pause(number);
    return {};
  }
  count_people(r, 1, 0);
  make_ready(number);
  return {.freed = m_network.roles[r].station};
}

// Frees the person who has served a customer. It takes other work, unless a break or the end of its shift is due.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::free_person(int number) {
  Person& person = m_memory.people[number];
  if (now() < person.until) {
    count_people(person.role, 0, -1);
    person.doing = Person::Doing::idle;
    m_memory.people.push_back(m_ready, number);
    return;
  }
  count_people(person.role, -1, -1);
  add_overtime(person, person.until, now());
  if (person.until == now()) m_memory.timers.stop(person_timer(number));
  pause(number);
}

// Puts a customer into the line of its class at a station with roles.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::queue_for_people(int number) {
  const Customer& waits = customer(number);
  auto& counted = counted_of(waits);
  if (is_counted(waits.joined)) ++counted.came;
  if (seizes(number)) {
    m_has_new_wait = true;
    return queue_for_resources(number);
  }
  m_memory.customers.push_back(counted.waiting, number);
  ++station(waits.station).queue.size;
  m_joined = number;
}

// Takes a customer out of the line of its class, and adds its wait.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::leave_line(int number, bool is_served) {
  const Customer& waits = customer(number);
  auto& counted = counted_of(waits);
  if (seizes(number)) {
    leave_seizing_line(number);
  } else {
    m_memory.customers.take_out(counted.waiting, number);
    --station(waits.station).queue.size;
  }
  if (!is_counted(waits.joined)) return;
  const double wait = now() - waits.joined;
  counted.wait += wait;
  counted.at_once += is_served && wait == 0 ? 1 : 0;
}

// Whether waiting customer `first` has waited longer than `second`, or has a smaller priority number.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::precedes(int first, bool first_has_priority, int second,
                                                                     bool second_has_priority) {
  const Customer &a = customer(first), &b = customer(second);
  const int of_a = first_has_priority ? class_of(a).priority : 0, of_b = second_has_priority ? class_of(b).priority : 0;
  if (of_a != of_b) return of_a < of_b;
  return a.joined < b.joined || (a.joined == b.joined && m_memory.entries[first].name < m_memory.entries[second].name);
}

// Returns the waiting customer whom a person of a role serves next, or −1. Resources that the customer needs are free.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher, is_plain>::next_customer(int r) {
  const auto [first, end] = m_network.roles[r].work;
  int best = -1, best_rank = 0;
  bool has_priority = false;
  for (int i = first; i < end; ++i) {
    const WorkData& work = m_network.work[i];
    if (best >= 0 && work.rank > best_rank) break;
    const int number = work.seizes ? next_equipped(work.visit) : m_memory.counted[work.visit].waiting.first;
    if (number < 0 || (best >= 0 && !precedes(number, work.has_priority, best, has_priority))) continue;
    best = number;
    best_rank = work.rank;
    has_priority = work.has_priority;
  }
  return best;
}

// Returns the person who serves a customer who has arrived, or −1: of the first role with idle people the one who has
// been idle for the longest time. The timers of people whose break begins now may not have ended yet.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher, is_plain>::idle_person_for(const Customer& customer) {
  const auto [first, end] = m_network.roles_of[customer.station * m_network.class_count + customer.of_class];
  for (int i = first; i < end; ++i) {
    int number = m_memory.roles[m_network.visit_roles[i]].idle.first;
    while (number >= 0 && m_memory.people[number].until <= now()) number = m_memory.people.next(number);
    if (number >= 0) return number;
  }
  return -1;
}

// Lets a person serve a customer.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::employ(int number, int served) {
  Person& person = m_memory.people[number];
  person.doing = Person::Doing::busy;
  count_people(person.role, 0, 1);
  m_memory.held[served] = number;
}

// Lets the people who have become free take work, then customers who have waited for resources begin, and the customer
// who has arrived take an idle person. A person who is to serve a customer that seizes resources leaves them to those
// who precede this customer.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::assign() {
  for (;;) {
    int number = -1, taken = -1;
    if (m_ready.size > 0) {
      number = next_customer(m_memory.people[m_ready.first].role);
      if (number >= 0 && seizes(number) && serve_seizing(number)) continue;
      taken = m_memory.people.pop_front(m_ready);
      if (number < 0) {
        m_memory.people.push_back(m_memory.roles[m_memory.people[taken].role].idle, taken);
        continue;
      }
    } else {
      if (m_network.has_resources) serve_seizing(-1);
      number = m_joined;
      m_joined = -1;
      if (number < 0 || customer(number).doing != Doing::waiting) return;
      taken = idle_person_for(customer(number));
      if (taken < 0) return;
      m_memory.people.take_out(m_memory.roles[m_memory.people[taken].role].idle, taken);
    }
    leave_line(number, true);
    employ(taken, number);
    if (seizes(number)) seize(number);
    start(number, customer(number).work);
    if (m_network.has_levels) note_levels(customer(number).station);
  }
}

// Adds the contributions of people at work, and of customers who wait for them, at the end.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION void NetworkRun<Inputs, Watcher, is_plain>::finish_roles(double end) {
  for (int r = 0; r < m_network.role_count; ++r) {
    Role& role = m_memory.roles[r];
    const double length = observed_until(end, role.since);
    role.present_area += role.present * length;
    role.busy_area += role.busy * length;
  }
  m_memory.people.for_each([&](const Person& person) {
    if (person.doing == Person::Doing::busy) add_overtime(person, person.until, end);
  });
  m_memory.customers.for_each([&](const Customer& customer) {
    if (customer.doing == Doing::waiting && m_network.stations[customer.station].has_roles &&
        is_counted(customer.joined))
      counted_of(customer).wait += end - customer.joined;
  });
}

// Returns the value of a response that this file measures, as a ratio.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION NetworkRatio
NetworkRun<Inputs, Watcher, is_plain>::ratio_of_roles(const NetworkResponse& response) const {
  const auto part = [](double sum, double all) { return NetworkRatio{sum, all}; };
  const double until = m_network.counted_until < end() ? m_network.counted_until : end();
  const double days = (until - m_network.warm_up) / m_network.day;
  if (response.what == Observation::at_once || response.what == Observation::waits_per_day) {
    double wait = 0, came = 0, at_once = 0;
    for (int c = 0; c < m_network.class_count; ++c) {
      if (response.of_class >= 0 && response.of_class != c) continue;
      const auto& counted = m_memory.counted[response.station * m_network.class_count + c];
      wait += counted.wait;
      came += counted.came;
      at_once += counted.at_once;
    }
    return response.what == Observation::at_once ? part(at_once, came) : part(wait, days);
  }
  double cost = 0;
  for (int r = 0; r < m_network.role_count; ++r) {
    if (response.limit >= 0 && response.limit != r) continue;
    const Role& role = m_memory.roles[r];
    if (response.what == Observation::overtime) return part(role.overtime, days);
    if (response.what == Observation::role_utilization) return part(role.busy_area, role.present_area);
    cost += role.cost;
  }
  return part(cost > 0 ? cost : 0.0, days);  // unpaid breaks may leave a rounding error
}

}  // namespace sporos::models
