// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks calendars against std::priority_queue by random operations, many of which fall on the same time.
#include <sporos/core/events/calendar.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <queue>
#include <random>
#include <set>
#include <vector>

namespace sporos::test {
namespace calendar_tests {

// Event of the reference. Event number n is the n-th that was scheduled.
struct Entry {
  double time;
  std::uint64_t number;
};

// Among simultaneous events, the one that was scheduled first comes first; as a control, the last one.
struct FirstFirst {
  bool operator()(const Entry& a, const Entry& b) const {
    return a.time > b.time || (a.time == b.time && a.number > b.number);
  }
};
struct LastFirst {
  bool operator()(const Entry& a, const Entry& b) const {
    return a.time > b.time || (a.time == b.time && a.number < b.number);
  }
};

template <class Order>
class ReferenceCalendar {
 public:
  void schedule(double time, std::uint64_t number) { m_events.push({time, number}); }
  void cancel(std::uint64_t number) { m_cancelled.insert(number); }
  bool next() {
    while (!m_events.empty() && m_cancelled.count(m_events.top().number) > 0) m_events.pop();
    if (m_events.empty()) return false;
    m_event = m_events.top();
    m_events.pop();
    return true;
  }
  const Entry& event() const { return m_event; }

 private:
  std::priority_queue<Entry, std::vector<Entry>, Order> m_events;
  std::set<std::uint64_t> m_cancelled;
  Entry m_event{};
};

// Runs up to `steps` random operations. Returns 1 if one of them gives another event than the reference does, else 0.
template <class Calendar, class Order>
int differences(std::uint32_t seed, int steps) {
  std::mt19937 random(seed);
  const auto calendar = std::make_unique<Calendar>();
  ReferenceCalendar<Order> reference;
  std::vector<Ticket> tickets;  // tickets of all events, by number
  std::vector<std::uint64_t> waiting;
  int different = 0;
  for (int step = 0; step < steps; ++step) {
    const std::uint32_t choice = random() % 8;
    if (choice < 4 && waiting.size() < Calendar::capacity()) {
      const double time = calendar->now() + 0.5 * static_cast<double>(random() % 4);
      waiting.push_back(tickets.size());
      reference.schedule(time, tickets.size());
      tickets.push_back(calendar->schedule(time, waiting.back()));
    } else if (choice == 4 && !waiting.empty()) {
      const std::size_t place = random() % waiting.size();
      EXPECT_TRUE(calendar->is_scheduled(tickets[waiting[place]]));
      EXPECT_TRUE(calendar->cancel(tickets[waiting[place]]));
      EXPECT_FALSE(calendar->cancel(tickets[waiting[place]]));
      reference.cancel(waiting[place]);
      std::erase(waiting, std::uint64_t{waiting[place]});
    } else {
      const bool happens = calendar->next();
      EXPECT_EQ(happens, reference.next());
      if (!happens) continue;
      different += calendar->event() != reference.event().number || calendar->now() != reference.event().time;
      if (different > 0) return different;  // from here on, the two cannot be compared
      EXPECT_FALSE(calendar->is_scheduled(tickets[calendar->event()]));
      std::erase(waiting, std::uint64_t{calendar->event()});
    }
    EXPECT_EQ(static_cast<std::size_t>(calendar->size()), waiting.size());
  }
  EXPECT_EQ(calendar->failure(), Failure::none);
  return different;
}

template <int slots, template <int> class Keys>
void expect_order() {
  using Tested = Calendar<std::uint64_t, slots, Keys>;
  EXPECT_EQ((differences<Tested, FirstFirst>(slots, 4000)), 0) << slots << " slots";
  if (slots > 1) {
    EXPECT_GT((differences<Tested, LastFirst>(slots, 4000)), 0) << slots << " slots";
  }
}

TEST(Calendar, GivesEventsInTheOrderOfTimeThenOfScheduling) {
  expect_order<1, impl::ScannedKeys>();
  expect_order<2, impl::ScannedKeys>();
  expect_order<7, impl::ScannedKeys>();
  expect_order<1, impl::KeyTournament>();
  expect_order<3, impl::KeyTournament>();
  expect_order<64, impl::KeyTournament>();
  expect_order<300, impl::KeyTournament>();
  expect_order<1, impl::KeyHeap>();
  expect_order<5, impl::KeyHeap>();
  expect_order<300, impl::KeyHeap>();
}

TEST(Calendar, ChoosesTheOrderByItsCapacity) {
  expect_order<impl::max_scanned, impl::KeysFor>();
  expect_order<impl::max_scanned + 1, impl::KeysFor>();
  expect_order<impl::max_in_tournament + 1, impl::KeysFor>();
}

TEST(Calendar, ReschedulesBehindEventsOfTheSameTime) {
  Calendar<int, 3> calendar;
  Ticket first = calendar.schedule(1, 1);
  calendar.schedule(2, 2);
  first = calendar.reschedule(first, 2, 3);
  EXPECT_EQ(calendar.next_time(), 2);
  ASSERT_TRUE(calendar.next());
  EXPECT_EQ(calendar.event(), 2);
  ASSERT_TRUE(calendar.next());
  EXPECT_EQ(calendar.event(), 3);
  EXPECT_FALSE(calendar.next());
  EXPECT_EQ(calendar.next_time(), std::numeric_limits<double>::infinity());
}

TEST(Calendar, NeverHappensAtInfinity) {
  Calendar<int, 1> calendar;
  const Ticket never = calendar.schedule(std::numeric_limits<double>::infinity(), 1);
  EXPECT_FALSE(calendar.is_scheduled(never));
  EXPECT_FALSE(calendar.is_scheduled(Ticket{}));
  calendar.schedule(-0.0, 2);
  ASSERT_TRUE(calendar.next());
  EXPECT_EQ(calendar.event(), 2);
  EXPECT_FALSE(calendar.next());
  EXPECT_EQ(calendar.failure(), Failure::none);
}

// Failure that the responses of a body report if the body ends with `calendar`.
template <class Calendar>
MarkedFailure mark_of(const Calendar& calendar) {
  const auto responses = responses_unless_failed<2>({{1.0, 2.0}}, calendar);
  EXPECT_EQ(math::impl::to_bits(responses[0]), math::impl::to_bits(responses[1]));
  return failure_marked_by(responses[0]);
}

TEST(Calendar, FailsWithoutRoom) {
  Calendar<int, 2> calendar;
  calendar.schedule(1, 1);
  calendar.schedule(2, 2);
  ASSERT_TRUE(calendar.next());
  calendar.schedule(3, 3);  // takes the slot of the event that has happened
  EXPECT_EQ(calendar.failure(), Failure::none);
  calendar.schedule(4, 4);
  EXPECT_FALSE(calendar.next());
  EXPECT_EQ(mark_of(calendar).failure, Failure::calendar_full);
  EXPECT_EQ(mark_of(calendar).capacity, 2U);
}

TEST(Calendar, FailsWhereAnEventIsInThePastOrAtNoTime) {
  Calendar<int, 4> calendar;
  calendar.schedule(1, 1);
  ASSERT_TRUE(calendar.next());
  calendar.schedule(1, 2);
  calendar.schedule(std::nextafter(1.0, 0.0), 3);
  EXPECT_FALSE(calendar.next());
  EXPECT_EQ(mark_of(calendar).failure, Failure::event_in_the_past);
  Calendar<int, 4> other;
  other.schedule(std::numeric_limits<double>::quiet_NaN(), 1);
  EXPECT_EQ(mark_of(other).failure, Failure::event_in_the_past);
}

TEST(Failure, IsMarkedByNoOrdinaryNumber) {
  for (const double x : {0.0, 1.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                         -std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(failure_marked_by(x).failure, Failure::none);
  }
  const double mark = failure_mark(Failure::pool_full, 4'000'000'000);
  EXPECT_TRUE(std::isnan(mark));
  EXPECT_EQ(failure_marked_by(mark).failure, Failure::pool_full);
  EXPECT_EQ(failure_marked_by(mark).capacity, 4'000'000'000U);
  EXPECT_EQ(failure_marked_by(mark + 1.0).failure, Failure::pool_full);  // sums keep the mark
}

}  // namespace calendar_tests
}  // namespace sporos::test
