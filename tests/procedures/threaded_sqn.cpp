// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On a host, one kernel evaluates a small sample and runs several iterations of sqn. Compares its bits with those of a
// kernel for each step.
#include "harness/serial_or_host.hpp"
#include "optimizers/quasi_newton/sqn_runs.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/classification/all_rows.hpp>
#include <sporos/models/classification/generalized_linear.hpp>
#include <sporos/models/classification/packed_features.hpp>
#include <sporos/models/classification/paper_classification.hpp>
#include <sporos/optimizers/quasi_newton/correction_pairs.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace threaded_sqn_tests {

using namespace sporos;

using PackedFeatures = models::PackedFeatures<Kokkos::HostSpace>;

// Packed features that the problem does not recognize, so that it runs a kernel for each step.
struct OtherFeatures : PackedFeatures {
  using PackedFeatures::PackedFeatures;
};

template <class Space, class Features>
using Problem = models::LogisticClassification<Space, Features>;

using Spaces = ::testing::Types<test::SerialOrHost, Kokkos::DefaultHostExecutionSpace>;

struct Shape {
  std::int64_t columns;
  bool has_intercept;
};
// Rows of one and two words, which are not divided, and of a part of a line, a whole line and several lines.
const std::vector<Shape> shapes{{7, false}, {100, true}, {129, true}, {512, false}, {600, true}, {1100, false}};

template <class Space, class Features>
Problem<Space, Features> problem(const Shape& shape) {
  const auto data = models::paper_classification(shape.columns, 700, 0.1, 3);
  return {Features(data.features), data.labels, {0.01, shape.has_intercept}};
}

std::size_t dimension(const Shape& shape) { return static_cast<std::size_t>(shape.columns + shape.has_intercept); }

std::vector<double> waves(std::size_t size, double frequency) {
  std::vector<double> values;
  for (std::size_t j = 0; j < size; ++j) values.push_back(0.3 * std::sin(frequency * static_cast<double>(j + 1)));
  return values;
}

// Gradient and Hessian product over a sample, one after the other.
template <class Space, class SomeProblem>
std::vector<double> derivatives(SomeProblem& of, const SampleRange& sample) {
  const auto size = static_cast<std::size_t>(of.dimension());
  const auto x = to_device<Space>(waves(size, 0.7)), v = to_device<Space>(waves(size, 1.3));
  const Vector<Space> g("test::gradient", size), product("test::product", size);
  of.draw(sample);
  of.gradient(x, g);
  of.hessian_product(x, v, product);
  std::vector<double> found = to_host<Space>(Space(), g);
  const std::vector<double> more = to_host<Space>(Space(), product);
  found.insert(found.end(), more.begin(), more.end());
  return found;
}

template <class Space>
class ThreadedSqn : public ::testing::Test {};
TYPED_TEST_SUITE(ThreadedSqn, Spaces);

TYPED_TEST(ThreadedSqn, HasTheSameDerivatives) {
  static_assert(HostTeamProblem<Problem<TypeParam, PackedFeatures>>);
  static_assert(!HostTeamProblem<Problem<TypeParam, OtherFeatures>>);
  static_assert(!HostTeamProblem<models::AllRows<Problem<TypeParam, PackedFeatures>>>, "which is not to draw");
  for (const Shape& shape : shapes) {
    auto threaded = problem<TypeParam, PackedFeatures>(shape);
    auto stepwise = problem<TypeParam, OtherFeatures>(shape);
    for (const std::int64_t size : {1, 16, 50, 256, 257, 512, 513}) {
      SCOPED_TRACE(std::to_string(shape.columns).append(" features, sample of ").append(std::to_string(size)));
      const SampleRange sample{5, 40, size};
      EXPECT_EQ(derivatives<TypeParam>(threaded, sample), derivatives<TypeParam>(stepwise, sample));
    }
    // The control: the replications before these differ.
    EXPECT_NE(derivatives<TypeParam>(threaded, {5, 40, 50}), derivatives<TypeParam>(stepwise, {5, 39, 50}));
  }
}

// A team of threads of the standard library, so that their number does not depend on Kokkos.
struct StandardTeam {
  int rank, size;
  std::barrier<>* barrier;

  int team_rank() const { return rank; }
  int team_size() const { return size; }
  void team_barrier() const { barrier->arrive_and_wait(); }
};

template <class Work>
void run_in_team(int size, const Work& work) {
  std::barrier barrier(size);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] { work(StandardTeam{rank, size, &barrier}); });
  }
}

TEST(ThreadedSqnTeams, HaveTheSameBitsWithAnyNumberOfThreads) {
  using Space = test::SerialOrHost;
  constexpr std::int64_t replications = 70;
  for (const Shape& shape : shapes) {
    auto threaded = problem<Space, PackedFeatures>(shape);
    auto stepwise = problem<Space, OtherFeatures>(shape);
    const SampleRange sample{5, 40, replications};
    auto expected = derivatives<Space>(stepwise, sample);
    expected.resize(dimension(shape));
    const auto x = waves(dimension(shape), 0.7);
    const auto in_threads = threaded.in_threads();
    for (const int threads : {1, 2, 3, 5}) {
      std::vector<double> g(dimension(shape)), scratch(static_cast<std::size_t>(in_threads.scratch(threads)));
      run_in_team(threads, [&](const StandardTeam& team) {
        in_threads.gradient(team, sample, x.data(), g.data(), scratch.data());
      });
      EXPECT_EQ(g, expected) << threads << " threads, " << shape.columns << " features";
    }
  }
}

TEST(ThreadedSqnTeams, MultiplyByPairsWithTheSameBits) {
  using Space = test::SerialOrHost;
  constexpr int memory = 5;
  for (const std::size_t size : {1, 20, 64, 500, 4100}) {
    CorrectionPairs<Space> pairs(static_cast<std::int64_t>(size), {memory});
    for (int pair = 0; pair < 8; ++pair) {
      const auto s = waves(size, 0.1 + pair);
      auto y = s;
      for (std::size_t j = 0; j < size; ++j) y[j] *= 1 + static_cast<double>(j % 7);
      EXPECT_TRUE(pairs.add(Space(), to_device<Space>(s), to_device<Space>(y)));
      const auto g = to_device<Space>(waves(size, 0.77));
      const Vector<Space> expected("test::expected", size);
      pairs.multiply(Space(), g, expected);
      for (const int threads : {1, 2, 3}) {
        const auto scratch_size = static_cast<std::size_t>(impl::TeamMultiplier::scratch(threads, memory));
        std::vector<double> found(size), scratch(scratch_size);
        const auto matrix = pairs.in_threads();
        run_in_team(threads,
                    [&](const StandardTeam& team) { matrix.multiply(team, g.data(), scratch.data(), found.data()); });
        EXPECT_EQ(found, to_host<Space>(Space(), expected)) << threads << " threads, " << size << " coordinates";
      }
    }
  }
}

std::vector<SqnOptions> choices() {
  std::vector<SqnOptions> all(7, test::short_sqn());
  all[1].step_rule = SqnStepRule::square_root;
  all[1].longest_move = 0.3;
  all[2].step_rule = SqnStepRule::constant;
  all[2].step = 0.05;
  all[2].limit_steps = false;
  all[3].pairs.damp_below = 0.9;
  all[4].record_interval = 3;
  all[5].pair_source = PairSource::gradient_differences;
  all[6].step_rule = SqnStepRule::line_search;
  return all;
}

TYPED_TEST(ThreadedSqn, HasTheSameIterations) {
  for (const Shape& shape : {Shape{50, false}, Shape{600, true}}) {
    const std::vector<double> start(dimension(shape));
    for (const SqnOptions& chosen : choices()) {
      auto threaded = problem<TypeParam, PackedFeatures>(shape);
      auto stepwise = problem<TypeParam, OtherFeatures>(shape);
      const auto a = sqn(threaded, start, chosen), b = sqn(stepwise, start, chosen);
      EXPECT_EQ(a.iterations, chosen.iterations);
      test::expect_same_end(a, b);
      ASSERT_EQ(a.trajectory.size(), b.trajectory.size());
      for (std::size_t i = 0; i < a.trajectory.size(); ++i) {
        EXPECT_EQ(a.trajectory[i].iteration, b.trajectory[i].iteration);
        EXPECT_EQ(a.trajectory[i].objective, b.trajectory[i].objective);
      }
    }
  }
}

// Iterations that end at any place of an interval continue with the same bits.
TYPED_TEST(ThreadedSqn, GoesOnWithTheSameBits) {
  const Shape shape{600, true};
  auto of = problem<TypeParam, PackedFeatures>(shape);
  const std::vector<double> start(dimension(shape));
  const auto whole = sqn(of, start, test::short_sqn());
  for (const std::int64_t last : {12, 25, 47}) {
    SqnOptions part = test::short_sqn();
    part.iterations = last;
    const auto first = sqn(of, start, part);
    EXPECT_EQ(sqn(of, first.state, test::short_sqn()).solution, whole.solution) << last;
  }
}

}  // namespace threaded_sqn_tests
