// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replications in steps: the loop for devices, which also runs on hosts here, gives the results of
// for_each_replication. Each replication starts and ends once, with its own inputs, whatever its neighbours do.
#include <harness/backends.hpp>

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/replication/for_each_replication_in_steps.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace in_steps_tests {

using namespace sporos;

// Random walk in two directions that a coin ends. Of a thousand walks, half take at most four steps, and one takes more
// than 42. Every seventh walk ends before its first step.
struct Walk {
  double goes_on;  // probability of another step

  enum Input { direction, length, end, input_count };
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, input_count> input_draws() const { return {}; }
};

template <class Space>
using Table = Kokkos::View<double**, typename Space::memory_space>;
template <class Space>
using Count = Kokkos::View<std::int64_t, typename Space::memory_space>;

// Records the place and the steps of each walk, how often it started and ended, and the sum of all steps.
template <class Space>
struct Record {
  struct State {
    double place;
    std::int64_t row, steps;
    bool goes_on;
  };

  Table<Space> rows;  // place, steps, starts, ends
  Count<Space> steps;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Walk& walk, Inputs& inputs, const Replication& replication) const {
    State state;
    begin(walk, inputs, replication, state);
    while (goes_on(state)) advance(walk, inputs, state);
  }

  template <class Inputs>
  KOKKOS_FUNCTION void begin(const Walk& walk, Inputs& inputs, const Replication& replication, State& state) const {
    state = {0.0, replication.row, 0, replication.index % 7 != 0};
    Kokkos::atomic_add(&rows(state.row, 2), 1.0);
    end_where(state, walk, inputs);
  }

  KOKKOS_FUNCTION bool goes_on(const State& state) const { return state.goes_on; }

  template <class Inputs>
  KOKKOS_FUNCTION void advance(const Walk& walk, Inputs& inputs, State& state) const {
    const double step = exponential(inputs(Walk::length), 1.0);
    state.place += inputs(Walk::direction) < 0.5 ? step : -step;
    ++state.steps;
    end_where(state, walk, inputs);
  }

 private:
  template <class Inputs>
  KOKKOS_FUNCTION void end_where(State& state, const Walk& walk, Inputs& inputs) const {
    state.goes_on = state.goes_on && inputs(Walk::end) < walk.goes_on;
    if (state.goes_on) return;
    rows(state.row, 0) = state.place;
    rows(state.row, 1) = static_cast<double>(state.steps);
    Kokkos::atomic_add(&rows(state.row, 3), 1.0);
    Kokkos::atomic_add(&steps(), state.steps);
  }
};

// Record with steps of two kinds: a lane waits until most lanes of its warp need the same kind.
template <class Space>
struct RecordOfTwoKinds : Record<Space> {
  using typename Record<Space>::State;
  KOKKOS_FUNCTION bool is_other_step(const State& state) const { return state.steps % 3 == 1; }
};

using Rows = std::vector<std::vector<double>>;

template <class Space>
struct Records {
  explicit Records(std::int64_t count)
      : record{Table<Space>("rows", static_cast<std::size_t>(count), 4), Count<Space>("steps")} {}

  // The rows, followed by the sum of all steps.
  Rows rows() const {
    Space().fence();
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), record.rows);
    const auto steps = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), record.steps);
    Rows all;
    for (std::size_t i = 0; i < host.extent(0); ++i) all.push_back({host(i, 0), host(i, 1), host(i, 2), host(i, 3)});
    all.push_back({static_cast<double>(steps())});
    return all;
  }

  Record<Space> record;
};

constexpr Walk walk{0.85};
constexpr std::uint64_t seed = 3;

template <class Space>
Rows one_after_the_other(const UniformSource& source, const ReplicationRange& range, std::uint64_t of_seed = seed) {
  const Records<Space> records(range.count);
  for_each_replication("sporos::test::walks", Space(), Design<Walk, Space>(walk, of_seed),
                       PreparedSource<Space>(source), range, by_threads, records.record);
  return records.rows();
}

template <class Space>
Rows in_steps(const UniformSource& source, const ReplicationRange& range) {
  const Records<Space> records(range.count);
  const ReplicationQueue<Space> queue;
  for_each_replication_in_steps("sporos::test::walks", Space(), walk, seed, PreparedSource<Space>(source), range, queue,
                                records.record);
  return records.rows();
}

// Runs the loop for devices, on hosts with warps of one lane. `twice` launches all replications a second time.
template <class Source, class Space, template <class> class Body = Record>
Rows by_the_loop(const UniformSource& source, const ReplicationRange& range, bool twice = false) {
  const Records<Space> records(range.count);
  const PreparedSource<Space> prepared(source);
  const ReplicationQueue<Space> queue;
  const impl::StepReplicator<Source, Walk, Space, Body<Space>> replicator{walk,  seed,  prepared.on_device(),
                                                                          range, queue, {records.record}};
  for (int i = 0; i < (twice ? 2 : 1); ++i) impl::launch_steps("sporos::test::walks", Space(), replicator);
  return records.rows();
}

std::vector<ReplicationRange> ranges() { return {{0, 1}, {5, 31}, {0, 32}, {100, 33}, {7, 1000}, {1'000'000, 20'000}}; }

template <class Space>
class InSteps : public ::testing::Test {};
TYPED_TEST_SUITE(InSteps, test::Backends, test::BackendName);

static_assert(impl::HasOtherSteps<RecordOfTwoKinds<Kokkos::DefaultHostExecutionSpace>>);
static_assert(!impl::HasOtherSteps<Record<Kokkos::DefaultHostExecutionSpace>>);

TYPED_TEST(InSteps, WalksAreAsOneAfterTheOther) {
  UniformSource chosen;
  chosen.engine = Engine::taus88;
  for (const UniformSource& source : {UniformSource(), chosen}) {
    for (const ReplicationRange& range : ranges()) {
      const Rows expected = one_after_the_other<TypeParam>(source, range);
      EXPECT_EQ(in_steps<TypeParam>(source, range), expected) << range.count;
      EXPECT_EQ((source.is_default() ? by_the_loop<DefaultSource, TypeParam>(source, range)
                                     : by_the_loop<ChosenSource, TypeParam>(source, range)),
                expected)
          << range.count;
      EXPECT_EQ((by_the_loop<DefaultSource, TypeParam, RecordOfTwoKinds>(UniformSource(), range)),
                one_after_the_other<TypeParam>(UniformSource(), range))
          << range.count;
    }
  }
}

TYPED_TEST(InSteps, EachIsBegunAndEndedOnce) {
  const ReplicationRange range = ranges().back();
  const Rows rows = by_the_loop<DefaultSource, TypeParam>({}, range);
  double steps = 0, longest = 0;
  for (std::int64_t i = 0; i < range.count; ++i) {
    const auto& row = rows[static_cast<std::size_t>(i)];
    EXPECT_EQ(row[2], 1) << i;
    EXPECT_EQ(row[3], 1) << i;
    if ((range.first + i) % 7 == 0) {
      EXPECT_EQ(row[1], 0) << i;
    }
    steps += row[1];
    if (row[1] > longest) longest = row[1];
  }
  EXPECT_EQ(rows.back()[0], steps);
  // Each of 17143 walks is longer than 30 steps with probability 0.85^31, so that this fails for one seed in 10^48.
  EXPECT_GT(longest, 30);
}

TYPED_TEST(InSteps, ShowWhatIsOther) {
  const ReplicationRange range{7, 1000};
  const Rows rows = by_the_loop<DefaultSource, TypeParam>({}, range);
  EXPECT_NE(rows, one_after_the_other<TypeParam>({}, range, seed + 1)) << "control: another seed";
  EXPECT_NE(rows, one_after_the_other<TypeParam>({}, {8, 1000})) << "control: other replications";
  EXPECT_NE(rows, (by_the_loop<DefaultSource, TypeParam>({}, range, true))) << "control: each one twice";
}

TYPED_TEST(InSteps, OfNoneBeginNone) {
  EXPECT_EQ(in_steps<TypeParam>({}, {5, 0}), (Rows{{0}}));
  EXPECT_EQ((by_the_loop<DefaultSource, TypeParam>({}, {5, 0})), (Rows{{0}}));
}

}  // namespace in_steps_tests
