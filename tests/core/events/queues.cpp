// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks queues and pools against the standard library's containers by random operations.
#include <harness/used_storage.hpp>

#include <sporos/core/events/entity_pool.hpp>
#include <sporos/core/events/fifo_queue.hpp>
#include <sporos/core/events/lifo_queue.hpp>
#include <sporos/core/events/priority_queue.hpp>
#include <sporos/core/events/processor_sharing.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <random>
#include <vector>

namespace sporos::test {
namespace queues_tests {

constexpr int slots = 7, steps = 5000;

// Number of differences between `Queue` and a reference over random operations. Entities are numbered in the order of
// their arrival. `place_of_next(reference)` returns the place of the waiting entity that leaves next.
template <class Queue, class PlaceOfNext>
int differences(const PlaceOfNext& place_of_next) {
  std::mt19937 random(1);
  Queue queue;
  std::deque<int> reference;
  int different = 0;
  for (int step = 0; step < steps; ++step) {
    if (reference.size() < slots && random() % 2 == 0) {
      EXPECT_TRUE(queue.push(step));
      reference.push_back(step);
    } else if (!reference.empty()) {
      const auto next = reference.begin() + place_of_next(reference);
      different += queue.front() != *next;
      different += queue.pop() != *next;
      if (different > 0) return different;
      reference.erase(next);
    }
    EXPECT_EQ(static_cast<std::size_t>(queue.size()), reference.size());
    EXPECT_EQ(queue.is_empty(), reference.empty());
  }
  EXPECT_EQ(queue.failure(), Failure::none);
  return different;
}

// Priority queue with three classes, which are given by the entity's number modulo 3.
struct ByClass : PriorityQueue<int, slots> {
  bool push(int entity) { return PriorityQueue<int, slots>::push(entity, entity % 3 - 1); }
};

std::ptrdiff_t oldest(const std::deque<int>&) { return 0; }
std::ptrdiff_t newest(const std::deque<int>& waiting) { return static_cast<std::ptrdiff_t>(waiting.size()) - 1; }
std::ptrdiff_t oldest_of_least_class(const std::deque<int>& waiting) {
  return std::min_element(waiting.begin(), waiting.end(), [](int a, int b) { return a % 3 < b % 3; }) - waiting.begin();
}

TEST(Queues, ServeInTheirOrder) {
  EXPECT_EQ((differences<FifoQueue<int, slots>>(oldest)), 0);
  EXPECT_EQ((differences<LifoQueue<int, slots>>(newest)), 0);
  EXPECT_EQ(differences<ByClass>(oldest_of_least_class), 0);
}

TEST(Queues, AreToldApart) {
  EXPECT_GT((differences<FifoQueue<int, slots>>(newest)), 0);
  EXPECT_GT((differences<LifoQueue<int, slots>>(oldest)), 0);
  EXPECT_GT(differences<ByClass>(oldest), 0);
}

template <class Queue, class... Rank>
void expect_failure_without_room(Rank... rank) {
  Queue queue;
  for (int entity = 0; entity < slots; ++entity) EXPECT_TRUE(queue.push(entity, rank...));
  EXPECT_EQ(queue.failure(), Failure::none);
  EXPECT_FALSE(queue.push(slots, rank...));
  EXPECT_EQ(queue.failure(), Failure::queue_full);
  EXPECT_EQ(queue.size(), slots);
  const auto responses = responses_unless_failed<1>({{1.0}}, queue);
  EXPECT_EQ(failure_marked_by(responses[0]).failure, Failure::queue_full);
  EXPECT_EQ(failure_marked_by(responses[0]).capacity, static_cast<std::uint32_t>(slots));
}

TEST(Queues, FailWithoutRoom) {
  expect_failure_without_room<FifoQueue<int, slots>>();
  expect_failure_without_room<LifoQueue<int, slots>>();
  expect_failure_without_room<PriorityQueue<int, slots>>(1.0);
}

// Checks lines of a pool of at most 50 entities. An entity is the number of the step in which it arrives.
template <class Pool>
void expect_lines_in_order(Pool& pool) {
  std::mt19937 random(1);
  Line lines[3];
  std::list<int> reference[3];
  std::map<int, int> entities;  // by their numbers in the pool
  const auto rank = [](int entity) { return entity % 4; };
  const auto comes_before = [&](int a, int b) { return rank(a) < rank(b); };
  const auto remove = [&](int number) {
    pool.remove(number);
    entities.erase(number);
  };
  const auto expect_same = [&](std::size_t l) {
    std::vector<int> found, all, expected;
    for (int at = lines[l].first; at >= 0; at = pool.next(at)) found.push_back(pool[at]);
    EXPECT_EQ(found, std::vector<int>(reference[l].begin(), reference[l].end()));
    EXPECT_EQ(lines[l].size, static_cast<int>(reference[l].size()));
    pool.for_each([&](int entity) { all.push_back(entity); });
    for (const auto& [number, entity] : entities) expected.push_back(entity);
    EXPECT_EQ(all, expected);
  };
  EXPECT_EQ(pool.capacity(), 50u);
  expect_same(0);
  for (int step = 0; step < steps; ++step) {
    const std::size_t l = random() % 3;
    if (pool.size() < 50 && random() % 2 == 0) {
      const int number = pool.add(step);
      ASSERT_GE(number, 0);
      EXPECT_TRUE(entities.insert({number, step}).second);
      if (l == 0) {
        pool.push_back(lines[l], number);
        reference[l].push_back(step);
      } else if (l == 1) {
        pool.push_front(lines[l], number);
        reference[l].push_front(step);
      } else {
        pool.insert_by(lines[l], number, comes_before);
        reference[l].insert(std::upper_bound(reference[l].begin(), reference[l].end(), step, comes_before), step);
      }
    } else if (lines[l].size > 0 && random() % 2 == 0) {
      const int number = pool.pop_front(lines[l]);
      EXPECT_EQ(pool[number], reference[l].front());
      reference[l].pop_front();
      remove(number);
    } else if (lines[l].size > 0) {
      const auto steps_after = static_cast<int>(random() % reference[l].size());
      int number = lines[l].first;
      for (int i = 0; i < steps_after; ++i) number = pool.next(number);
      pool.take_out(lines[l], number);
      remove(number);
      reference[l].erase(std::next(reference[l].begin(), steps_after));
    }
    expect_same(l);
  }
  EXPECT_EQ(pool.size(), lines[0].size + lines[1].size + lines[2].size);
  EXPECT_EQ(pool.failure(), Failure::none);
}

// Adds an entity too many to a pool of two.
template <class Pool>
void expect_failure_of_a_full_pool(Pool& pool) {
  EXPECT_EQ(pool.add(1), 0);
  EXPECT_EQ(pool.add(2), 1);
  EXPECT_EQ(pool.failure(), Failure::none);
  EXPECT_EQ(pool.add(3), -1);
  EXPECT_EQ(pool.failure(), Failure::pool_full);
  EXPECT_EQ(pool.size(), 2);
  const auto responses = responses_unless_failed<1>({{1.0}}, pool);
  EXPECT_EQ(failure_marked_by(responses[0]).capacity, 2u);
}

TEST(EntityPool, KeepsLinesInOrder) {
  EntityPool<int, 50> pool;
  expect_lines_in_order(pool);
}

TEST(EntityPool, FailsWithoutRoom) {
  EntityPool<int, 2> pool;
  expect_failure_of_a_full_pool(pool);
}

// A pool in storage that has been used before.
struct StoredPool {
  static std::int64_t bytes(int capacity) {
    ReplicationStorage measured;
    StoredEntityPool<int>(measured, capacity);
    return measured.bytes();
  }

  explicit StoredPool(int capacity) : memory(bytes(capacity)), storage(memory.storage()), pool(storage, capacity) {}

  UsedStorage memory;
  ReplicationStorage storage;
  StoredEntityPool<int> pool;
};

TEST(StoredEntityPool, KeepsLinesInOrder) {
  StoredPool stored(50);
  expect_lines_in_order(stored.pool);
}

TEST(StoredEntityPool, FailsWithoutRoom) {
  StoredPool stored(2);
  expect_failure_of_a_full_pool(stored.pool);
}

// Reference for processor sharing: a loop from change to change serves jobs with given arrival times at equal shares.
struct Job {
  double arrival, work;
};
std::vector<double> departures_step_by_step(const std::vector<Job>& jobs, double rate) {
  std::vector<double> left, departures(jobs.size());
  std::vector<std::size_t> present;
  double now = 0;
  for (std::size_t next = 0; next < jobs.size() || !present.empty();) {
    const auto shortest = std::min_element(left.begin(), left.end());
    const double finish = present.empty() ? std::numeric_limits<double>::infinity()
                                          : now + *shortest * static_cast<double>(present.size()) / rate;
    const bool arrives = next < jobs.size() && jobs[next].arrival < finish;
    const double then = arrives ? jobs[next].arrival : finish;
    for (double& work : left) work -= (then - now) * rate / static_cast<double>(present.size());
    now = then;
    if (arrives) {
      left.push_back(jobs[next].work);
      present.push_back(next++);
    } else {
      const auto place = shortest - left.begin();
      departures[present[static_cast<std::size_t>(place)]] = now;
      left.erase(left.begin() + place);
      present.erase(present.begin() + place);
    }
  }
  return departures;
}

TEST(ProcessorSharing, ServesAllAtEqualShares) {
  std::mt19937 random(1);
  std::exponential_distribution<double> gap(0.8), work(1);
  std::vector<Job> jobs;
  for (double now = 0; jobs.size() < 2000; jobs.push_back({now, work(random)})) now += gap(random);
  const double rate = 1.25;
  ProcessorSharing<int, 1000> server(rate);
  std::vector<double> departures(jobs.size());
  for (std::size_t next = 0; next < jobs.size() || !server.is_empty();) {
    const double finish = server.next_departure();
    if (next < jobs.size() && jobs[next].arrival < finish) {
      ASSERT_TRUE(server.push(jobs[next].arrival, static_cast<int>(next), jobs[next].work));
      ++next;
    } else {
      departures[static_cast<std::size_t>(server.pop(finish))] = finish;
    }
  }
  const std::vector<double> expected = departures_step_by_step(jobs, rate);
  for (std::size_t job = 0; job < jobs.size(); ++job) EXPECT_NEAR(departures[job], expected[job], 1e-9 * expected[job]);
  EXPECT_EQ(server.next_departure(), std::numeric_limits<double>::infinity());
  // Control: under first come, first served, the jobs leave at other times.
  double leaves = 0;
  std::size_t same = 0;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    leaves = std::max(leaves, jobs[job].arrival) + jobs[job].work / rate;
    same += std::abs(departures[job] - leaves) < 1e-6;
  }
  EXPECT_LT(same, jobs.size() / 2);
}

}  // namespace queues_tests
}  // namespace sporos::test
