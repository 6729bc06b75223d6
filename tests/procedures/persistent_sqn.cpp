// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares runs of sqn by persistent kernels with runs kernel by kernel.
#include "harness/backends.hpp"
#include "optimizers/quasi_newton/sqn_runs.hpp"

#include <sporos/models/classification/all_rows.hpp>
#include <sporos/models/classification/generalized_linear.hpp>
#include <sporos/models/classification/linear_in_teams.hpp>
#include <sporos/models/classification/losses.hpp>
#include <sporos/models/classification/packed_features.hpp>
#include <sporos/models/classification/paper_classification.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace persistent_sqn_tests {

template <class Space>
using Problem = models::LogisticClassification<Space, models::PackedFeatures<typename Space::memory_space>>;

// There is a single team for up to 64 coordinates, and always on a host.
struct Shape {
  std::int64_t columns;
  bool has_intercept;
};
const std::vector<Shape> shapes{{7, false}, {64, true}, {600, true}};

template <class Check>
void for_every_shape(const Check& check) {
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(
        std::to_string(shape.columns).append(shape.has_intercept ? " features and an intercept" : " features"));
    check(shape);
  }
}

template <class Space>
class PersistentKernels : public ::testing::Test {
 protected:
  static_assert(PersistentTeamProblem<Problem<Space>>);
  static_assert(!PersistentTeamProblem<models::AllRows<Problem<Space>>>, "which is not to draw");
  using Persistent = impl::PersistentSqn<Problem<Space>>;
  using Steps = impl::SqnSteps<Problem<Space>>;

  static Problem<Space> problem(const Shape& shape) {
    const auto data = models::paper_classification(shape.columns, 500, 0.1, 3);
    return {
        models::PackedFeatures<typename Space::memory_space>(data.features), data.labels, {0.01, shape.has_intercept}};
  }
  static SqnOptions options() { return short_sqn(); }
  static QuasiNewtonState start(const Shape& shape) {
    return impl::start_at(std::vector<double>(static_cast<std::size_t>(shape.columns + shape.has_intercept)));
  }
  template <class By>
  static QuasiNewtonResult run(const Shape& shape, const QuasiNewtonState& state, const SqnOptions& options,
                               const QuasiNewtonCallback& callback = {}) {
    Problem<Space> of = problem(shape);
    EXPECT_TRUE(Persistent::can(of, options));
    return impl::SqnRun<By>(of, state, options, callback).run();
  }
};
TYPED_TEST_SUITE(PersistentKernels, test::Backends, test::BackendName);

void expect_close(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], 1e-9 * (1 + std::abs(b[j]))) << j;
}

std::vector<SqnOptions> choices(const SqnOptions& options) {
  std::vector<SqnOptions> all(5, options);
  all[1].step_rule = SqnStepRule::square_root;
  all[1].longest_move = 0.3;
  all[2].step_rule = SqnStepRule::constant;
  all[2].step = 0.05;
  all[2].limit_steps = false;
  all[3].pairs.damp_below = 0.9;
  all[4].pairs.skip_up_to = 0.6;
  return all;
}

TYPED_TEST(PersistentKernels, ComeToThePointOfThoseKernelByKernel) {
  for_every_shape([&](const Shape& shape) {
    for (const SqnOptions& options : choices(this->options())) {
      const auto persistent = this->template run<typename TestFixture::Persistent>(shape, this->start(shape), options);
      const auto steps = this->template run<typename TestFixture::Steps>(shape, this->start(shape), options);
      EXPECT_EQ(persistent.stopped_by, StoppedBy::iterations);
      expect_close(persistent.solution, steps.solution);
      expect_close(persistent.state.average, steps.state.average);
      EXPECT_EQ(persistent.state.pairs.size(), steps.state.pairs.size());
      expect_same_counts(persistent.counts, steps.counts);
    }
  });
}

TYPED_TEST(PersistentKernels, HaveTheSameBitsFromRunToRun) {
  for_every_shape([&](const Shape& shape) {
    const auto run = [&] {
      return this->template run<typename TestFixture::Persistent>(shape, this->start(shape), this->options());
    };
    expect_same_end(run(), run());
  });
}

// Stops are in the first phase, in the middle of an interval, at its end, and after the oldest pairs are dropped.
TYPED_TEST(PersistentKernels, GoOnWithTheSameBits) {
  for_every_shape([&](const Shape& shape) {
    SqnOptions options = this->options();
    const auto whole = this->template run<typename TestFixture::Persistent>(shape, this->start(shape), options);
    for (const std::int64_t last : {3, 12, 25, 47}) {
      options.record_interval = 1;
      const auto part = this->template run<typename TestFixture::Persistent>(
          shape, this->start(shape), options, [last](const QuasiNewtonProgress& progress) {
            return progress.iteration == last ? Continuation::stop : Continuation::go_on;
          });
      EXPECT_EQ(part.iterations, last);
      options.record_interval = 0;
      expect_same_end(this->template run<typename TestFixture::Persistent>(shape, part.state, options), whole);
    }
  });
}

// The trajectory is identical to that of a run kernel by kernel.
TYPED_TEST(PersistentKernels, RecordWhatTheyDo) {
  const Shape shape{600, true};
  SqnOptions options = this->options();
  const auto silent = this->template run<typename TestFixture::Persistent>(shape, this->start(shape), options);
  options.record_interval = 7;
  options.evaluation_size = 200;
  options.time_limit = 1e9;  // ends kernels where a pair is due
  const auto persistent = this->template run<typename TestFixture::Persistent>(shape, this->start(shape), options);
  const auto steps = this->template run<typename TestFixture::Steps>(shape, this->start(shape), options);
  expect_same_end(persistent, silent);
  ASSERT_EQ(persistent.trajectory.size(), steps.trajectory.size());
  for (std::size_t i = 0; i < persistent.trajectory.size(); ++i) {
    EXPECT_EQ(persistent.trajectory[i].iteration, steps.trajectory[i].iteration);
    EXPECT_NEAR(persistent.trajectory[i].objective, steps.trajectory[i].objective, 1e-9);
    EXPECT_NEAR(persistent.trajectory[i].gradient_norm, steps.trajectory[i].gradient_norm, 1e-9);
    expect_same_counts(persistent.trajectory[i].counts, steps.trajectory[i].counts);
  }
}

// Huge steps overflow before a pair is due; the run returns to the last point at which one was due.
TYPED_TEST(PersistentKernels, StopWhereAPointIsNotFinite) {
  const Shape shape{600, true};
  SqnOptions options = this->options();
  options.iterations = 20;
  const auto good = this->template run<typename TestFixture::Persistent>(shape, this->start(shape), options);
  options.iterations = 60;
  options.step_rule = SqnStepRule::constant;
  options.step = 1e307;
  options.limit_steps = false;
  const auto result = this->template run<typename TestFixture::Persistent>(shape, good.state, options);
  EXPECT_EQ(result.stopped_by, StoppedBy::not_finite);
  QuasiNewtonResult expected = good;
  expected.stopped_by = StoppedBy::not_finite;
  expect_same_end(result, expected);
}

TYPED_TEST(PersistentKernels, AreNotAskedForWhatTheyDoNotKnow) {
  const auto of = this->problem({70, false});
  const auto can = [&](auto change) {
    SqnOptions options = this->options();
    change(options);
    return TestFixture::Persistent::can(of, options);
  };
  EXPECT_TRUE(can([](SqnOptions&) {}));
  EXPECT_FALSE(can([](SqnOptions& options) { options.pair_source = PairSource::gradient_differences; }));
  EXPECT_FALSE(can([](SqnOptions& options) { options.step_rule = SqnStepRule::line_search; }));
  EXPECT_FALSE(can([](SqnOptions& options) { options.pairs.memory = 1000; }));
  EXPECT_FALSE(can([](SqnOptions& options) { options.hessian_batch_size = 100'000; }));
}

// One of the ten teams does not take part in gradients.
struct DesertedInTeams : models::LinearInTeams<models::LogisticLoss> {
  using All = models::LinearInTeams<models::LogisticLoss>;
  DesertedInTeams() = default;
  explicit DesertedInTeams(const All& all) : All(all) {}

  template <class Team>
  KOKKOS_FUNCTION void gradient(Team& team, const SampleRange& sample, const double* x, double* g,
                                double* scratch) const {
    if (team.member().league_rank() == 1) return;
    All::gradient(team, sample, x, g, scratch);
  }
};

template <class Space>
struct DesertedProblem : Problem<Space> {
  explicit DesertedProblem(const Problem<Space>& problem) : Problem<Space>(problem) {}
  DesertedInTeams in_teams() const { return DesertedInTeams(Problem<Space>::in_teams()); }
};

// A team waits 30 s for another, so this test takes as long.
TYPED_TEST(PersistentKernels, ThrowWhereATeamDoesNotCome) {
  if (runs_on_host<TypeParam>) GTEST_SKIP() << "a host runs one team";
  DesertedProblem<TypeParam> of(this->problem({600, false}));
  ASSERT_TRUE(impl::PersistentSqn<decltype(of)>::can(of, this->options()));
  EXPECT_THROW(sqn(of, std::vector<double>(600), this->options()), std::runtime_error);
}

}  // namespace persistent_sqn_tests
}  // namespace sporos::test
