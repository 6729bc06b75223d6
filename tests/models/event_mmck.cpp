// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The event-driven M/M/c/k queue: checks its closed forms, its recurrence, the failure of full storage, and traces.
#include "model_checks.hpp"

#include <harness/backends.hpp>
#include <sporos/core/events/time_average.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/traced_replication.hpp>
#include <sporos/models/queues/event_mmck.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace event_mmck_tests {

using Host = Kokkos::DefaultHostExecutionSpace;
using Queue = models::BasicEventMMCK<8, 256>;  // calendar of 10 slots: an array
using Crowded = models::BasicEventMMCK<1, 10>;
static_assert(DescribedModel<Queue> && NamesEvents<Queue> && !NamesEvents<models::MMCK>);

// Three queues in equilibrium (some customers lost, none lost, no room to wait) and one that starts empty.
std::vector<Queue> some_queues() {
  return {{4, 1, 3, 5, 300}, {0.8, 1, 1, 60, 300}, {6, 1, 8, 8, 300}, {2, 1, 3, 10, 100, 1}};
}

// Checks 3 · 4 + 1 intervals of 99.9 % for each of 3 seeds; models_coverage tests longer queues.
TEST(EventMmck, IntervalsHoldTheExactMeans) {
  for (const Queue& queue : some_queues()) {
    for (const std::uint64_t seed : {2, 3, 4}) {
      EXPECT_EQ(misses(simulate(Host(), queue, plan_with(seed, 600)), queue.exact_means()), 0)
          << queue.servers << " servers, seed " << seed;
    }
  }
}

TEST(EventMmckControl, APlaceMoreIsFound) {
  Queue queue{4, 1, 3, 5, 500};
  const auto result = simulate(Host(), queue, plan_with(1, 1000));
  queue.capacity = 6;
  EXPECT_EQ(misses(result, queue.exact_means()), 4);
}

// Compares two independent estimates; their difference has a joint 99.9 % half-width.
TEST(EventMmck, AgreesWithItsRecurrence) {
  const Queue queue{2, 1, 3, 10, 100, 1};
  const auto events = simulate(Host(), queue, plan_with(1, 2000));
  const auto recurrence = simulate(Host(), queue.recurrence(), plan_with(2, 2000));
  for (std::size_t response = 0; response < 4; ++response) {
    const auto& found = events.responses[response];
    const auto& expected = recurrence.responses[response];
    EXPECT_NEAR(found.mean, expected.mean, std::hypot(found.half_width, expected.half_width)) << found.name;
  }
}

template <class Space>
struct EventMmckOn : ::testing::Test {};
TYPED_TEST_SUITE(EventMmckOn, Backends, BackendName);

TYPED_TEST(EventMmckOn, HasTheSameBits) {
  constexpr std::uint64_t digest = 8244831661240903573U;
  expect_digest<TypeParam>(Queue{4, 1, 3, 5, 100}, digest);
  expect_digest<TypeParam>(models::BasicEventMMCK<3, 64>{4, 1, 3, 5, 100}, digest);        // a GPU has it in registers
  expect_digest<TypeParam>(models::EventMMCK{15, 1, 20, 40, 100}, 13205556772929183371U);  // needs a tournament tree
}

template <class Model>
std::string failure_of_run(const Model& model, std::int64_t replications) {
  try {
    simulate(Host(), model, plan_with(1, replications));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

// The queue has room for 10 waiting customers. Customers come twice as fast as they are served: of 300 customers more
// than 10 must wait, of 10 none.
TEST(EventMmck, TellsHowManyReplicationsOutgrowTheirStorage) {
  EXPECT_EQ(failure_of_run(Crowded{0.1, 1, 1, 11, 100}, 100), "none");
  EXPECT_EQ(failure_of_run(Crowded{2, 1, 1, 1000, 10, 1}, 100), "none");
  const std::string all = failure_of_run(Crowded{2, 1, 1, 1000, 300, 1}, 100);
  const std::string text =
      " replications have no responses; replication 0 failed: its queue has room for 10 entities "
      "and is full: give the model more storage, or less load";
  const std::string failed = all.substr(0, all.find(' '));  // number of failures in the first launch
  EXPECT_EQ(all, failed + " of the first " + failed + text);
  EXPECT_EQ(failure_of_run(Crowded{0.6, 1, 1, 1000, 100, 1}, 100).find("replication 0 "), std::string::npos);
}

TEST(EventMmck, RefusesMoreServersThanItsCalendarHasRoomFor) {
  EXPECT_EQ(refusal(Queue{4, 1, 9, 9, 100}), "servers is 9, expected at most 8, the limit of the event calendar");
  EXPECT_EQ(refusal(Queue{4, 1, 8, 7, 100}), "capacity is 7, expected at least the 8 servers");
  EXPECT_EQ(refusal(Queue{4, 1, 3, 5, 100, 2}), "from_empty is 2, expected 0 or 1");
}

std::vector<double> replay(const Queue& queue, std::int64_t replication) {
  const Host space;
  const Outputs<Host> outputs("outputs", 1, 5);
  replicate(space, Design<Queue, Host>(queue, 1), PreparedSource<Host>(), ReplicationRange{replication, 1},
            Mapping::thread, outputs);
  space.fence();
  std::vector<double> responses;
  for (int response = 0; response < 5; ++response) responses.push_back(outputs(0, response));
  return responses;
}

// Starting empty and without loss, the number in system rises by one at each arrival and falls by one at each
// departure.
TEST(EventMmck, TracesTheEventsOfAReplication) {
  const Queue queue{2, 1, 3, 200, 100, 1};
  const auto events = traced_events(DesignPoint<Queue>{queue, 1}, UniformSource(), 17);
  ASSERT_EQ(events.size(), 200U);  // 100 arrivals, 100 departures
  TimeAverage number;
  double last = 0;
  for (const TracedEvent& event : events) {
    EXPECT_GE(event.time, last);
    EXPECT_EQ(event.station, -1);
    last = event.time;
    const auto step = static_cast<Queue::Step>(event.kind);
    ASSERT_TRUE(step == Queue::Step::arrival || step == Queue::Step::departure);
    number.add(event.time, step == Queue::Step::arrival ? 1 : -1);
  }
  EXPECT_NEAR(number.average(last), replay(queue, 17)[0], 1e-12 * number.average(last));
  EXPECT_GT(std::abs(number.average(last) - replay(queue, 18)[0]), 1e-6);
}

}  // namespace event_mmck_tests
}  // namespace sporos::test
