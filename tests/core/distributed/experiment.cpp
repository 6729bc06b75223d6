// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/backends.hpp>

#include <sporos/core/distributed/mpi.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/round.hpp>
#include <sporos/models/integration/pi.hpp>
#include <sporos/models/queues/mm1.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// Several processes run these tests together. Each of them also computes alone what all compute together.

namespace experiment_tests {

using namespace sporos;
using models::MM1;
using models::Pi;

// Uneven work: the first draw of a replication determines how many draws it takes, up to `most`. The sum is not a
// number if the first draw is below `broken_below`.
struct Uneven {
  std::int64_t most;
  double broken_below = 0;

  enum Input { draw, input_count };
  static constexpr auto response_names = std::array{"sum", "draws"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(Inputs& inputs) const {
    const double first = inputs(draw);
    const auto draws = static_cast<std::int64_t>(static_cast<double>(most) * first * first * first) + 1;
    double sum = first;
    for (std::int64_t i = 1; i < draws; ++i) sum += inputs(draw);
    return {{first < broken_below ? std::nan("") : sum, static_cast<double>(draws)}};
  }
};

// Expects that all results are equal, each number to the bit.
void expect_same(const ExperimentResult& together, const ExperimentResult& by_one) {
  ASSERT_EQ(together.points.size(), by_one.points.size());
  for (std::size_t p = 0; p < by_one.points.size(); ++p) {
    const PointResult &a = together.points[p], &b = by_one.points[p];
    EXPECT_EQ(a.digest, b.digest) << "point " << p;
    EXPECT_EQ(a.replications, b.replications) << "point " << p;
    EXPECT_EQ(a.stopped_by, b.stopped_by) << "point " << p;
    ASSERT_EQ(a.responses.size(), b.responses.size());
    for (std::size_t r = 0; r < b.responses.size(); ++r) {
      const ResponseEstimate &x = a.responses[r], &y = b.responses[r];
      EXPECT_EQ(x.name, y.name);
      EXPECT_EQ(x.observations, y.observations);
      const auto bits = [](const ResponseEstimate& e) {
        using math::impl::to_bits;
        return std::tuple(to_bits(e.mean), to_bits(e.variance), to_bits(e.half_width), to_bits(e.deviation));
      };
      EXPECT_EQ(bits(x), bits(y)) << "point " << p << ", " << x.name;
    }
    EXPECT_EQ(a.covariances, b.covariances) << "point " << p;
    EXPECT_EQ(b.covariances.size(), b.responses.size() * b.responses.size());
  }
}

template <class Space, class Model>
void expect_same_together(Processes& processes, const std::vector<Model>& models, const Plan& plan) {
  const std::span<const Model> design(models);
  expect_same(simulate(Space(), design, plan, {}, {}, processes), simulate(Space(), design, plan));
}

Plan plan_of(std::int64_t replications) {
  Plan plan;
  plan.replications = replications;
  plan.covariances = true;
  return plan;
}

template <class Space>
class DistributedExperiment : public ::testing::Test {
 protected:
  MpiProcesses processes{MPI_COMM_WORLD};
};
TYPED_TEST_SUITE(DistributedExperiment, test::Backends, test::BackendName);

TYPED_TEST(DistributedExperiment, OfAnyNumberOfReplicationsIsTheSameAsAlone) {
  for (const std::int64_t replications : {1, 2, 3, 6, 64, 1000, 4097, 100003}) {
    SCOPED_TRACE(replications);
    expect_same_together<TypeParam>(this->processes, std::vector{Uneven{40}}, plan_of(replications));
  }
}

// All points and responses in the order in which a recorder receives them.
template <class Space>
std::vector<double> recorded(Processes& processes, const Plan& plan) {
  const std::vector<Uneven> models{{20}, {7}, {30}};
  std::vector<double> numbers;
  const Recorder recorder = [&](const ReplicationRows& rows) {
    for (std::int64_t row = 0; row < rows.count; ++row) {
      for (std::size_t place = 0; place < rows.points.size(); ++place) {
        if (row >= rows.counts[place]) continue;
        numbers.push_back(static_cast<double>(rows.points[place]));
        for (std::size_t response = 0; response < 2; ++response) numbers.push_back(rows(place, row, response));
      }
    }
  };
  simulate(Space(), std::span<const Uneven>(models), plan, {}, {}, processes, {}, recorder);
  return numbers;
}

TYPED_TEST(DistributedExperiment, ShowsARecorderTheSameRowsInTheSameOrder) {
  Plan sequential = plan_of(20000);
  sequential.precision.half_width = 0.1;
  for (const Plan& plan : {plan_of(1), plan_of(1000), plan_of(4097), sequential}) {
    EXPECT_EQ(recorded<TypeParam>(this->processes, plan), recorded<TypeParam>(single_process, plan))
        << plan.replications;
  }
}

TYPED_TEST(DistributedExperiment, OfFailedDesignPointsIsTheSameAsAlone) {
  const std::vector<Uneven> models{{20}, {20, 0.001}, {30}, {7, 0.2}};
  Plan sequential = plan_of(20000);
  sequential.precision.half_width = 0.1;
  for (const Plan& plan : {plan_of(1000), plan_of(4097), sequential}) {
    const auto together = simulate(TypeParam(), models, plan, {}, {}, this->processes);
    const auto by_one = simulate(TypeParam(), models, plan);
    expect_same(together, by_one);
    EXPECT_TRUE(by_one.points[3].failure);
    for (std::size_t point = 0; point < models.size(); ++point) {
      ASSERT_EQ(together.points[point].failure.has_value(), by_one.points[point].failure.has_value());
      if (!by_one.points[point].failure) continue;
      EXPECT_EQ(together.points[point].failure->failures, by_one.points[point].failure->failures);
      EXPECT_EQ(together.points[point].failure->reason, by_one.points[point].failure->reason);
    }
  }
}

TYPED_TEST(DistributedExperiment, OfSeveralDesignPointsIsTheSameAsAlone) {
  std::vector<MM1> queues;
  for (int i = 0; i < 23; ++i) queues.push_back({0.02 * (i + 1), 1.0, 50, 0});
  for (const std::int64_t replications : {1, 5, 700}) {
    for (const bool common : {true, false}) {
      Plan plan = plan_of(replications);
      plan.common_random_numbers = common;
      expect_same_together<TypeParam>(this->processes, queues, plan);
    }
  }
}

TYPED_TEST(DistributedExperiment, StopsAtTheSameReplication) {
  std::vector<MM1> queues;
  for (int i = 0; i < 5; ++i) queues.push_back({0.1 * (i + 1), 1.0, 50, 0});
  for (const std::int64_t batch : {1, 64, 100, 1000}) {
    Plan plan = plan_of(20000);
    plan.precision.relative_half_width = 0.04;
    plan.batch = batch;
    expect_same_together<TypeParam>(this->processes, queues, plan);
  }
}

TYPED_TEST(DistributedExperiment, OfRunsThatShareASampleIsTheSameAsAlone) {
  Plan plan = plan_of(3000);
  plan.source.sampling = Sampling::antithetic;
  expect_same_together<TypeParam>(this->processes, std::vector{Pi{10}}, plan);
  plan.source.sampling = Sampling::refined_descriptive;
  plan.source.run_length = 30;
  expect_same_together<TypeParam>(this->processes, std::vector{Pi{10}, Pi{7}}, plan);
  plan.precision.half_width = 0.01;
  plan.batch = 60;
  expect_same_together<TypeParam>(this->processes, std::vector{Pi{10}, Pi{7}}, plan);
}

using Observed = std::vector<std::tuple<std::size_t, std::size_t, double>>;

template <class Space>
Observed observed(Processes& processes, const Plan& plan) {
  Observed list;
  const std::vector models{Pi{10}, Pi{7}};
  simulate(
      Space(), std::span<const Pi>(models), plan, {},
      [&](std::size_t point, std::size_t response, double value) { list.emplace_back(point, response, value); },
      processes);
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return std::pair(std::get<0>(a), std::get<1>(a)) < std::pair(std::get<0>(b), std::get<1>(b));
  });
  return list;
}

TYPED_TEST(DistributedExperiment, ShowsEveryProcessEveryObservationInOrder) {
  Plan plan = plan_of(1001);
  EXPECT_EQ(observed<TypeParam>(this->processes, plan), observed<TypeParam>(single_process, plan));
  plan = plan_of(1020);
  plan.source.sampling = Sampling::refined_descriptive;
  plan.source.run_length = 30;
  EXPECT_EQ(observed<TypeParam>(this->processes, plan), observed<TypeParam>(single_process, plan));
}

template <class Space, class Model>
std::string failure_of(Processes& processes, const Model& model, const Plan& plan, const Watcher& watcher = {}) {
  try {
    simulate(Space(), model, plan, watcher, {}, processes);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "none";
}

TYPED_TEST(DistributedExperiment, FailsEverywhereWhereItFailsOnOne) {
  // One replication in 3000 is not a number. Any process may report it, so only the start of the message is known.
  const std::string text = failure_of<TypeParam>(this->processes, Uneven{3, 1.0 / 3000}, plan_of(100000));
  EXPECT_EQ(text.substr(0, 29), "response 'sum' of replication") << text;
  // The processes can continue together.
  expect_same_together<TypeParam>(this->processes, std::vector{Uneven{3}}, plan_of(100));
}

TYPED_TEST(DistributedExperiment, RefusesPlansThatDiffer) {
  if (this->processes.count() == 1) GTEST_SKIP() << "one process has one plan";
  Plan plan = plan_of(100);
  if (this->processes.rank() == 1) plan.seed = 2;
  EXPECT_EQ(failure_of<TypeParam>(this->processes, Uneven{3}, plan),
            "seed is 2 on process 1, expected 1 as on process 0");
  plan = plan_of(this->processes.rank() == 1 ? -1 : 100);
  EXPECT_EQ(failure_of<TypeParam>(this->processes, Uneven{3}, plan), "replications is -1, expected at least 1");
}

TYPED_TEST(DistributedExperiment, StopsWhereOneProcessWantsTo) {
  const bool stops = this->processes.rank() == this->processes.count() - 1;
  const auto result = simulate(
      TypeParam(), Uneven{3}, plan_of(std::int64_t{1} << 40), [&](const Progress&) { return !stops; }, {},
      this->processes);
  EXPECT_EQ(result.stopped_by, StopReason::interrupted);
  EXPECT_EQ(simulate(TypeParam(), Uneven{3}, plan_of(result.replications)).digest, result.digest);
}

// One process stops within a round, as after a signal. This round is not completed; earlier results are kept.
TYPED_TEST(DistributedExperiment, LeavesARoundWhereOneProcessWantsTo) {
  if (this->processes.count() == 1) GTEST_SKIP() << "a round is one launch";
  const bool stops = this->processes.rank() == this->processes.count() - 1;
  std::int64_t done = 0;  // before the round under way
  const auto watcher = [&](const Progress& progress) {
    const bool is_within = progress.replications == std::exchange(done, progress.replications);
    return !(stops && is_within);
  };
  const auto result = simulate(TypeParam(), Uneven{3}, plan_of(std::int64_t{1} << 40), watcher, {}, this->processes);
  EXPECT_EQ(result.stopped_by, StopReason::interrupted);
  EXPECT_EQ(result.replications, done);
  EXPECT_EQ(simulate(TypeParam(), Uneven{3}, plan_of(result.replications)).digest, result.digest);
}

// The traffic depends on the number of rounds, and thus on the time that replications take, not on their number.
TYPED_TEST(DistributedExperiment, SaysLittle) {
  const MpiTraffic before = this->processes.traffic();
  std::int64_t rounds = 0;
  const auto watcher = [&](const Progress&) { return ++rounds > 0; };
  simulate(TypeParam(), Uneven{40}, plan_of(100000), watcher, {}, this->processes);
  const MpiTraffic& after = this->processes.traffic();
  EXPECT_LE(after.collectives - before.collectives, 14 * rounds + 60);
  EXPECT_LE(after.bytes - before.bytes, 20000 * rounds + 2000);
}

// --- sharing ------------------------------------------------------------------------------------------------------

TEST(MpiProcesses, ShareEveryPartOnce) {
  MpiProcesses processes(MPI_COMM_WORLD);
  for (const std::int64_t parts : {0, 1, 5, 1000}) {
    std::vector<std::int64_t> mine;
    processes.share(parts, [&](std::int64_t part) { mine.push_back(part); });
    EXPECT_TRUE(std::is_sorted(mine.begin(), mine.end()));
    auto all = gather(processes, std::span<const std::int64_t>(mine));
    std::sort(all.begin(), all.end());
    ASSERT_EQ(static_cast<std::int64_t>(all.size()), parts);
    for (std::int64_t part = 0; part < parts; ++part) EXPECT_EQ(all[static_cast<std::size_t>(part)], part);
  }
}

TEST(MpiProcesses, TalkInACommunicatorOfTheirOwn) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm halves;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &halves);
  {
    MpiProcesses of_half(halves);
    const auto ranks = gather(of_half, rank);
    for (std::size_t i = 0; i < ranks.size(); ++i) EXPECT_EQ(ranks[i], static_cast<int>(2 * i) + rank % 2);
  }
  MPI_Comm_free(&halves);
}

TEST(PartEnds, CoverAllInFewPartsThatAreNodesOfATree) {
  for (const std::int64_t first : {0, 64, 100}) {
    for (const std::int64_t units : {1, 2, 7, 64, 1000, 1000000}) {
      for (const std::int64_t processes : {2, 3, 7}) {
        for (const std::int64_t least : {0, 5, 100}) {
          const auto ends = sporos::impl::part_ends(first, first + units, processes, least, units);
          EXPECT_EQ(ends.back(), first + units);
          EXPECT_LE(static_cast<double>(ends.size()), 2.0 * static_cast<double>(processes) * (2 + std::log2(units)));
          for (std::size_t i = 1; i + 1 < ends.size(); ++i) {
            const std::int64_t size = ends[i] - ends[i - 1];
            EXPECT_TRUE(size > 0 && (size & (size - 1)) == 0 && ends[i] % size == 0)
                << ends[i - 1] << " to " << ends[i];
          }
        }
      }
    }
  }
}

TEST(PartEnds, LeaveNoPartLargerThanTheMost) {
  for (const std::int64_t most : {0, 1, 100, 4096}) {
    std::int64_t begin = 100;
    for (const std::int64_t end : sporos::impl::part_ends(100, 100100, 2, 500, most)) {
      EXPECT_GT(end, begin);
      EXPECT_LE(end - begin, std::max<std::int64_t>(most, 1));
      begin = end;
    }
    EXPECT_EQ(begin, 100100);
  }
}

// Control: the comparison of bits above can fail. Means and deviations that each process sums up alone have other bits.
TEST(MomentsTree, OfPiecesCutAnywhereHasOtherBits) {
  MomentsTree whole, left, right(333);
  for (int i = 0; i < 1000; ++i) {
    const double x = std::sin(i * i);
    whole.add(x);
    (i < 333 ? left : right).add(x);
  }
  EXPECT_NE(combine(left.total(), right.total()).squared_deviation, whole.total().squared_deviation);
  for (const Moments& node : right.nodes()) left.add(node);
  EXPECT_EQ(left.total().squared_deviation, whole.total().squared_deviation);
  EXPECT_EQ(left.total().mean, whole.total().mean);
}

}  // namespace experiment_tests
