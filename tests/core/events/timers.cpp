// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks timers against std::set by random operations, many of which fall on the same time.
#include <harness/used_storage.hpp>

#include <sporos/core/events/timers.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace sporos::test {
namespace timers_tests {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::int64_t bytes_of_timers(int count) {
  ReplicationStorage measured;
  Timers(measured, count);
  return measured.bytes();
}

// Running timers in the order of their ends. Timers with equal ends come in the order of their starts; as a control,
// in the reverse order.
class ReferenceTimers {
 public:
  ReferenceTimers(int count, bool is_reversed) : m_keys(static_cast<std::size_t>(count)), m_reversed(is_reversed) {}

  bool is_running(int timer) const { return m_running.contains(key(timer)); }
  void start(int timer, double time) {
    ++m_starts;
    m_keys[static_cast<std::size_t>(timer)] = {time, m_reversed ? -m_starts : m_starts, timer};
    if (time < infinity) m_running.insert(key(timer));
  }
  void stop(int timer) { m_running.erase(key(timer)); }
  double next_time() const { return m_running.empty() ? infinity : std::get<0>(*m_running.begin()); }
  int next() {
    if (m_running.empty()) return -1;
    const int timer = std::get<2>(*m_running.begin());
    m_running.erase(m_running.begin());
    return timer;
  }

 private:
  using Key = std::tuple<double, std::int64_t, int>;
  const Key& key(int timer) const { return m_keys[static_cast<std::size_t>(timer)]; }

  std::vector<Key> m_keys;  // of the last start of each timer
  std::set<Key> m_running;
  std::int64_t m_starts = 0;
  bool m_reversed;
};

// Runs random operations on `count` timers. Returns the number of results that differ from those of the reference, up
// to the first difference. In turn, more timers start than end and more end than start. A timer that has just ended
// often starts again at once.
int differences(int count, int steps, bool is_reversed = false) {
  std::mt19937 random(static_cast<std::uint32_t>(count));
  UsedStorage memory(bytes_of_timers(count), random());
  ReplicationStorage storage = memory.storage();
  Timers timers(storage, count);
  ReferenceTimers reference(count, is_reversed);
  const auto time = [&] { return random() % 16 == 0 ? infinity : timers.now() + 0.5 * (random() % 4); };
  const auto start = [&](int timer) {
    const double end = time();
    timers.start(timer, end);
    reference.start(timer, end);
  };
  for (int step = 0; step < steps; ++step) {
    const std::uint32_t choice = random() % 8, starts = step / (2 * count) % 2 == 0 ? 5 : 2;
    const int timer = static_cast<int>(random() % static_cast<std::uint32_t>(count));
    if (choice < starts) {
      if (!reference.is_running(timer)) start(timer);
    } else if (choice == 5) {
      timers.stop(timer);
      reference.stop(timer);
    } else if (choice == 6) {
      if (timers.next_time() != reference.next_time()) return 1;
    } else {
      const double expected_time = reference.next_time();
      const int ended = timers.next(), expected = reference.next();
      if (ended != expected || (ended >= 0 && timers.now() != expected_time)) return 1;
      if (ended >= 0 && random() % 2 == 0) start(ended);
    }
  }
  EXPECT_EQ(timers.failure(), Failure::none);
  return 0;
}

TEST(Timers, EndInTheOrderOfTimeThenOfTheirStarts) {
  for (int count = 1; count <= 300; ++count) EXPECT_EQ(differences(count, 3000), 0) << count << " timers";
}

// Timers that cannot be stopped, and need less memory, end in the same order, also if they are asked for the next one
// before a time.
TEST(Timers, EndInTheSameOrderIfTheyCannotBeStopped) {
  constexpr int count = 20;
  std::mt19937 random(1);
  ReplicationStorage measured;
  Timers(measured, count, false);
  EXPECT_LT(measured.bytes(), bytes_of_timers(count));
  UsedStorage memory(bytes_of_timers(count), 1), less(measured.bytes(), 2);
  ReplicationStorage storage = memory.storage(), less_storage = less.storage();
  Timers timers(storage, count), others(less_storage, count, false);
  for (int timer = 0; timer < count; ++timer) {
    const double time = 0.5 * (random() % 8);
    timers.start(timer, time);
    others.start(timer, time);
  }
  for (int step = 0; step < 1000; ++step) {
    const double next = timers.next_time();
    EXPECT_EQ(others.next_before(next), -1);
    const int ended = timers.next();
    ASSERT_EQ(others.next_before(next + 0.5), ended);
    EXPECT_EQ(others.now(), next);
    const double time = next + 0.5 * (random() % 4);
    timers.start(ended, time);
    others.start(ended, time);
  }
}

// Starts seven timers, the last of which ends first. Unused places of their heap have keys that are smaller than all
// others, as a device may leave them. Returns the numbers of the timers in the order in which they end. If `moves` is
// true, in_memory_of moves the timers before they end.
std::vector<int> ends_after_a_device(bool moves) {
  constexpr int count = 7, ends = count + 1;
  HostStorage memory(bytes_of_timers(count));
  ReplicationStorage storage = memory.storage(), again = memory.storage(), raw = memory.storage();
  Timers timers(storage, count);
  for (int timer = 0; timer < count; ++timer) {
    timers.start(timer, 10 - timer);
    EXPECT_EQ(timers.next_time(), 10 - timer);  // brings the heap up to date
  }
  const StoredArray<std::uint64_t> words = raw.take<std::uint64_t>(24);
  for (const int i : {2, 3}) words[16 + i] = words[20 + i] = 0;  // the times and orders of places 7 and 8
  if (moves) timers = timers.without_memory().in_memory_of(Timers(again, count));
  std::vector<int> ended;
  for (int i = 0; i < ends; ++i) ended.push_back(timers.next());
  return ended;
}

TEST(Timers, EndInTheirOrderInTheMemoryOfADevice) {
  const std::vector<int> expected{6, 5, 4, 3, 2, 1, 0, -1};
  EXPECT_EQ(ends_after_a_device(true), expected);
  EXPECT_NE(ends_after_a_device(false), expected) << "control";
}

TEST(Timers, AreToldApartFromTimersInReverseOrder) {
  for (const int count : {2, 5, 64, 300}) EXPECT_GT(differences(count, 3000, true), 0) << count << " timers";
}

// Timers in storage that has been used before.
class TimersOf {
 public:
  explicit TimersOf(int count)
      : m_memory(bytes_of_timers(count)), m_storage(m_memory.storage()), m_timers(m_storage, count) {}
  Timers* operator->() { return &m_timers; }

 private:
  UsedStorage m_memory;
  ReplicationStorage m_storage;
  Timers m_timers;
};

TEST(Timers, DoNotStartWithAnInfiniteTime) {
  TimersOf timers(3);
  EXPECT_EQ(timers->now(), 0);
  EXPECT_EQ(timers->next_time(), infinity);
  EXPECT_EQ(timers->next(), -1);
  timers->start(0, infinity);
  EXPECT_EQ(timers->next_time(), infinity);
  timers->stop(0);
  timers->start(2, -0.0);
  EXPECT_EQ(timers->next(), 2);
  timers->start(2, infinity);  // the timer that has just ended
  EXPECT_EQ(timers->next(), -1);
  timers->start(2, 5);
  EXPECT_EQ(timers->next(), 2);
  EXPECT_EQ(timers->now(), 5);
  EXPECT_EQ(timers->failure(), Failure::none);
}

TEST(Timers, StopAfterTheyHaveEnded) {
  TimersOf timers(2);
  timers->start(0, 1);
  timers->start(1, 2);
  EXPECT_EQ(timers->next(), 0);
  timers->stop(0);
  timers->stop(0);
  EXPECT_EQ(timers->next(), 1);
  EXPECT_EQ(timers->next(), -1);
}

TEST(Timers, FailIfTheyStartInThePastOrAtNoTime) {
  TimersOf timers(3);
  timers->start(0, 1);
  timers->start(1, 2);
  EXPECT_EQ(timers->next(), 0);
  timers->start(0, 1);  // the current time is not in the past
  EXPECT_EQ(timers->failure(), Failure::none);
  timers->start(2, std::nextafter(1.0, 0.0));
  EXPECT_EQ(timers->failure(), Failure::event_in_the_past);
  EXPECT_EQ(timers->next(), -1);
  for (const double never : {std::numeric_limits<double>::quiet_NaN(), -1.0, -infinity}) {
    TimersOf others(1);
    others->start(0, never);
    EXPECT_EQ(others->failure(), Failure::event_in_the_past);
    EXPECT_EQ(others->next(), -1);
  }
}

}  // namespace timers_tests
}  // namespace sporos::test
