// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks where runs start and stop, and that resumed runs yield the same bits.
#include "harness/serial_or_host.hpp"
#include "quadratic.hpp"

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>
#include <sporos/optimizers/frank_wolfe/regions/balls.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace stops_tests {

using namespace sporos;
using test::SerialOrHost;

constexpr std::int64_t dimension = 30;

std::vector<double> start() {
  std::vector<double> x(dimension);
  x[3] = 1;
  return x;
}

template <class Space>
test::Quadratic<Space> problem() {
  std::vector<double> q, c;
  for (int i = 0; i < dimension; ++i) {
    q.push_back(1 + i % 4);
    c.push_back(0.1 * std::cos(5.0 * i));
  }
  return {q, c, 0.05};
}

FrankWolfeOptions options_of(FrankWolfeVariant variant, StepRule rule, bool momentum) {
  FrankWolfeOptions options;
  options.variant = variant;
  options.step_rule = rule;
  options.momentum = momentum;
  options.epochs = 5;
  options.iterations = 4;
  options.sample_size = 4;
  options.sample_growth = 1;
  return options;
}

template <class Space>
FrankWolfeResult run(const FrankWolfeOptions& options, const FrankWolfeCallback& callback = {}) {
  auto noisy = problem<Space>();
  auto region = unit_simplex<Space>(dimension);
  return frank_wolfe(noisy, region, start(), options, callback);
}

template <class Space>
FrankWolfeResult resume(const FrankWolfeState& state, const FrankWolfeOptions& options) {
  auto noisy = problem<Space>();
  auto region = unit_simplex<Space>(dimension);
  return frank_wolfe(noisy, region, state, options);
}

template <class Check>
void for_every_choice(const Check& check) {
  for (const auto variant : {FrankWolfeVariant::vanilla, FrankWolfeVariant::away_step, FrankWolfeVariant::pairwise}) {
    for (const StepRule rule :
         {StepRule::open_loop, StepRule::restarting, StepRule::exact, StepRule::short_step, StepRule::adaptive}) {
      for (const bool momentum : {false, true}) check(options_of(variant, rule, momentum));
    }
  }
}

std::string text_of(const FrankWolfeOptions& options) {
  return std::string(name_of(options.variant))
      .append(" ")
      .append(name_of(options.step_rule))
      .append(options.momentum ? " with momentum" : "");
}

void expect_same_end(const FrankWolfeResult& a, const FrankWolfeResult& b, const std::string& what) {
  EXPECT_EQ(a.solution, b.solution) << what;
  EXPECT_EQ(a.iterations, b.iterations) << what;
  EXPECT_EQ(a.trajectory.back().objective, b.trajectory.back().objective) << what;
  EXPECT_EQ(a.trajectory.back().gap, b.trajectory.back().gap) << what;
  EXPECT_EQ(a.state.replications, b.state.replications) << what;
  EXPECT_EQ(a.state.averaged_gradient, b.state.averaged_gradient) << what;
  EXPECT_EQ(a.state.smoothness, b.state.smoothness) << what;
}

template <class Space>
struct Stops : testing::Test {};
TYPED_TEST_SUITE(Stops, test::Backends, test::BackendName);

TYPED_TEST(Stops, TheSameBitsFromRunToRun) {
  for_every_choice([](const FrankWolfeOptions& options) {
    expect_same_end(run<TypeParam>(options), run<TypeParam>(options), text_of(options));
  });
}

TYPED_TEST(Stops, ByACallbackAndGoesOnWithTheSameBits) {
  for_every_choice([](const FrankWolfeOptions& options) {
    const auto third = [](const FrankWolfeProgress& progress) {
      return progress.epoch == 3 ? Continuation::stop : Continuation::go_on;
    };
    const FrankWolfeResult part = run<TypeParam>(options, third);
    EXPECT_EQ(part.stopped_by, StoppedBy::callback);
    EXPECT_EQ(part.iterations, 12);
    EXPECT_EQ(part.trajectory.size(), 4u);
    expect_same_end(resume<TypeParam>(part.state, options), run<TypeParam>(options), text_of(options));
  });
}

// Adding epochs after the end gives the same result as running all of them from the beginning.
TYPED_TEST(Stops, AtTheEndAndGoesOnWithTheSameBits) {
  for_every_choice([](FrankWolfeOptions options) {
    const FrankWolfeResult whole = run<TypeParam>(options);
    EXPECT_EQ(whole.stopped_by, StoppedBy::iterations);
    options.epochs = 2;
    const FrankWolfeResult part = run<TypeParam>(options);
    options.epochs = 5;
    expect_same_end(resume<TypeParam>(part.state, options), whole, text_of(options));
  });
}

TYPED_TEST(Stops, ByTheGapInTheMiddleOfAnEpochAndGoesOnWithTheSameBits) {
  for (const auto variant : {FrankWolfeVariant::vanilla, FrankWolfeVariant::away_step, FrankWolfeVariant::pairwise}) {
    FrankWolfeOptions options = options_of(variant, StepRule::adaptive, false);
    options.iterations = 20;
    const FrankWolfeResult whole = run<TypeParam>(options);
    options.gap_tolerance = 0.15;
    const FrankWolfeResult part = run<TypeParam>(options);
    EXPECT_EQ(part.stopped_by, StoppedBy::gap);
    EXPECT_GT(part.state.iteration, 0) << "in the middle of an epoch";
    EXPECT_LE(part.trajectory.back().gap, 0.15);
    options.gap_tolerance = 0;
    expect_same_end(resume<TypeParam>(part.state, options), whole, text_of(options));
  }
}

TYPED_TEST(Stops, ByTime) {
  FrankWolfeOptions options = options_of(FrankWolfeVariant::vanilla, StepRule::open_loop, false);
  options.time_limit = 1e-9;
  const FrankWolfeResult result = run<TypeParam>(options);
  EXPECT_EQ(result.stopped_by, StoppedBy::time_limit);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.solution, start());
  EXPECT_EQ(result.trajectory.size(), 1u);
  options.time_limit = 1e9;
  EXPECT_EQ(run<TypeParam>(options).stopped_by, StoppedBy::iterations);
}

TYPED_TEST(Stops, ByTheIndependentGap) {
  FrankWolfeOptions options = options_of(FrankWolfeVariant::away_step, StepRule::exact, false);
  options.epochs = 50;
  options.sample_size = 100;
  options.gap = {10, 200, 0.95, 1};
  options.gap_tolerance = 0.05;
  const FrankWolfeResult result = run<TypeParam>(options);
  EXPECT_EQ(result.stopped_by, StoppedBy::gap);
  EXPECT_LT(result.iterations, 50 * 4);
  ASSERT_TRUE(result.gap.has_value());
  EXPECT_LE(result.gap->bound(), 0.05);
  EXPECT_LE(result.gap->lower, result.gap->upper);
  for (const auto& point : result.trajectory) EXPECT_TRUE(point.independent_gap.has_value());
}

// Estimating the gap changes only what is reported.
TYPED_TEST(Stops, AfterTheSameIterationsWithAnIndependentGap) {
  FrankWolfeOptions options = options_of(FrankWolfeVariant::pairwise, StepRule::adaptive, true);
  const FrankWolfeResult without = run<TypeParam>(options);
  options.gap = {5, 10, 0.9, 2};
  const FrankWolfeResult with = run<TypeParam>(options);
  expect_same_end(with, without, "gap");
  ASSERT_TRUE(with.gap.has_value());
  EXPECT_EQ(with.gap->batches, 5);
  std::size_t estimated = 0;
  for (const auto& point : with.trajectory) estimated += point.independent_gap.has_value();
  EXPECT_EQ(estimated, 4u) << "epochs 0, 2, 4 and the end";
}

// A run that stops before the final estimate of the gap still yields the same gap when it resumes.
TYPED_TEST(Stops, ByARequestWhereOnlyTheGapIsMissing) {
  FrankWolfeOptions options = options_of(FrankWolfeVariant::vanilla, StepRule::open_loop, false);
  options.epochs = 1;
  options.gap.batches = 3;
  options.gap.interval = 0;
  const FrankWolfeResult whole = run<TypeParam>(options);
  EXPECT_EQ(whole.stopped_by, StoppedBy::iterations);
  FrankWolfeOptions stoppable = options;
  std::int64_t asked = 0;
  stoppable.stop_request = [&] { return ++asked > options.iterations; };  // once before each iteration
  const FrankWolfeResult part = run<TypeParam>(stoppable);
  EXPECT_EQ(part.stopped_by, StoppedBy::callback);
  EXPECT_EQ(part.iterations, options.iterations);
  EXPECT_FALSE(part.gap);
  const FrankWolfeResult resumed = resume<TypeParam>(part.state, options);
  EXPECT_EQ(resumed.stopped_by, StoppedBy::iterations);
  ASSERT_TRUE(whole.gap && resumed.gap);
  EXPECT_EQ(resumed.gap->upper, whole.gap->upper);
  EXPECT_EQ(resumed.solution, whole.solution);
}

// A simplex whose linear programs are interrupted, except for the first `left` ones.
template <class Space>
struct SlowSimplex {
  decltype(unit_simplex<Space>(1)) simplex = unit_simplex<Space>(stops_tests::dimension);
  int left;

  std::int64_t dimension() const { return simplex.dimension(); }
  Vertex<Space> minimize(const Space& space, const ConstVector<Space>& g) {
    if (left-- <= 0) request_launch_stop();
    check_launch_stop();
    return simplex.minimize(space, g);
  }
  double violation(const Space& space, const ConstVector<Space>& x) const { return simplex.violation(space, x); }
};

TYPED_TEST(Stops, InALinearProgramThatTakesTooLong) {
  FrankWolfeOptions options = options_of(FrankWolfeVariant::vanilla, StepRule::open_loop, false);
  options.epochs = 1;
  options.iterations = 10;
  for (const int programs : {0, 4}) {
    auto noisy = problem<TypeParam>();
    SlowSimplex<TypeParam> region{.left = programs};
    const FrankWolfeResult part = frank_wolfe(noisy, region, start(), options);
    withdraw_launch_stop();
    EXPECT_EQ(part.stopped_by, StoppedBy::time_limit);
    EXPECT_EQ(part.iterations, programs);
    EXPECT_TRUE(std::isinf(part.trajectory.back().gap));
    EXPECT_TRUE(std::isfinite(part.trajectory.back().objective));
    EXPECT_EQ(part.trajectory.back().iteration, programs);
    EXPECT_EQ(part.solution == start(), programs == 0);
    EXPECT_EQ(resume<TypeParam>(part.state, options).solution, run<TypeParam>(options).solution);
  }
}

// Gradients 1 to 10 are finite: those at x_0 to x_9.
TYPED_TEST(Stops, WhereAGradientIsNotFinite) {
  for_every_choice([](FrankWolfeOptions options) {
    options.epochs = 20;
    options.iterations = 1;
    options.record_interval = 20;
    auto broken = problem<TypeParam>();
    broken.broken_from = 10;
    auto region = unit_simplex<TypeParam>(dimension);
    const FrankWolfeResult result = frank_wolfe(broken, region, start(), options);
    EXPECT_EQ(result.stopped_by, StoppedBy::not_finite) << text_of(options);
    EXPECT_EQ(result.trajectory.size(), 1u);
    const std::int64_t good =
        options.step_rule == StepRule::adaptive ? 8 : 9;  // adaptive steps take one for their first estimate
    EXPECT_EQ(result.iterations, good) << text_of(options);
    EXPECT_EQ(result.state.epoch, good) << text_of(options);
    options.epochs = good;
    const FrankWolfeResult until = run<TypeParam>(options);
    EXPECT_EQ(result.solution, until.solution) << text_of(options);
    EXPECT_EQ(result.state.replications, until.state.replications) << text_of(options);
    EXPECT_EQ(result.state.active_set.size(), until.state.active_set.size()) << text_of(options);
  });
}

TYPED_TEST(Stops, WhereTheFirstGradientIsNotFinite) {
  auto broken = problem<TypeParam>();
  broken.broken_from = 0;
  auto region = unit_simplex<TypeParam>(dimension);
  const FrankWolfeResult result = frank_wolfe(broken, region, start());
  EXPECT_EQ(result.stopped_by, StoppedBy::not_finite);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.solution, start());
}

// Compares every backend with the serial one.
TYPED_TEST(Stops, AtTheSamePointOnEveryBackend) {
  for_every_choice([](const FrankWolfeOptions& options) {
    const auto here = run<TypeParam>(options), there = run<SerialOrHost>(options);
    for (std::size_t i = 0; i < here.solution.size(); ++i) {
      EXPECT_NEAR(here.solution[i], there.solution[i], 1e-10 * (1 + std::abs(there.solution[i]))) << text_of(options);
    }
    EXPECT_NEAR(here.trajectory.back().objective, there.trajectory.back().objective,
                1e-10 * std::abs(there.trajectory.back().objective));
  });
}

TYPED_TEST(Stops, FromAConvexCombination) {
  const std::vector<ActiveVertex> vertices = {{{{0, 1.0}}, 0.25}, {{{5, 1.0}}, 0.5}, {{{0, 1.0}}, 0.125}, {{}, 0.125}};
  const FrankWolfeState state = convex_combination(dimension, vertices);
  ASSERT_EQ(state.active_set.size(), 3u) << "equal vertices are one";
  EXPECT_EQ(state.solution[0], 0.375);
  EXPECT_EQ(state.solution[5], 0.5);
  FrankWolfeOptions options = options_of(FrankWolfeVariant::pairwise, StepRule::exact, false);
  options.epochs = 100;
  options.iterations = 1;
  options.sample_growth = 0;
  const FrankWolfeResult result = resume<TypeParam>(state, options);
  double weights = 0;
  for (const ActiveVertex& vertex : result.state.active_set) weights += vertex.weight;
  EXPECT_NEAR(weights, 1, 1e-12);
  for (std::size_t i = 0; i < result.solution.size(); ++i) {
    double combined = 0;
    for (const ActiveVertex& vertex : result.state.active_set) {
      for (const VertexEntry& entry : vertex.entries) {
        if (entry.index == static_cast<std::int64_t>(i)) combined += vertex.weight * entry.value;
      }
    }
    EXPECT_NEAR(result.solution[i], combined, 1e-13);
  }
}

template <class Space>
std::string refusal_of(const std::vector<double>& x, FrankWolfeOptions options = {}) {
  return test::refusal([&] {
    auto noisy = problem<Space>();
    auto region = unit_simplex<Space>(dimension);
    frank_wolfe(noisy, region, x, options);
  });
}

TYPED_TEST(Stops, BeforeItStartsFromABadPoint) {
  std::vector<double> outside = start();
  outside[4] = 0.5;
  EXPECT_EQ(refusal_of<TypeParam>(outside),
            "violation of a constraint by the start is 0.5, expected 0: the start lies outside the region");
  outside[4] = -0.25;
  EXPECT_EQ(refusal_of<TypeParam>(outside),
            "violation of a constraint by the start is 0.25, expected 0: the start lies outside the region");
  outside[4] = std::nan("");
  EXPECT_EQ(refusal_of<TypeParam>(outside), "coordinate 4 of the start is nan, expected a finite number");
  EXPECT_EQ(refusal_of<TypeParam>({1, 0}), "dimension of the start is 2, expected that of the problem, 30");
  EXPECT_EQ(test::refusal([] {
              auto noisy = problem<TypeParam>();
              auto region = unit_simplex<TypeParam>(7);
              frank_wolfe(noisy, region, start());
            }),
            "dimension of the region is 7, expected that of the problem, 30");
  FrankWolfeOptions options;
  options.variant = FrankWolfeVariant::pairwise;
  FrankWolfeState state;
  state.solution = start();
  EXPECT_EQ(test::refusal([&] { resume<TypeParam>(state, options); }),
            "active set of the start is empty, expected vertices whose convex combination is the point");
  state.active_set = {{{{7, 1.0}}, 1.0}};
  EXPECT_EQ(test::refusal([&] { resume<TypeParam>(state, options); }),
            "distance of the start from its active set is 1, expected 0");
  state.active_set = {{{{7, 1.0}}, 0.5}};
  EXPECT_EQ(test::refusal([&] { resume<TypeParam>(state, options); }),
            "sum of the active vertices' weights is 0.5, expected 1");
}

// A problem that provides only the objective and the gradient.
template <class Space>
struct Plain {
  using execution_space = Space;
  test::Quadratic<Space> inner = problem<Space>();
  const Space& execution() const { return inner.execution(); }
  std::int64_t dimension() const { return inner.dimension(); }
  void draw(const SampleRange& sample) { inner.draw(sample); }
  double objective(const ConstVector<Space>& x) { return inner.objective(x); }
  void gradient(const ConstVector<Space>& x, const Vector<Space>& g) { inner.gradient(x, g); }
};

TYPED_TEST(Stops, BeforeItStartsWithARuleThatTheProblemDoesNotServe) {
  const auto with_rule = [](StepRule rule) {
    return test::refusal([&] {
      Plain<TypeParam> plain;
      auto region = L1Ball<TypeParam>(dimension, 1.0);
      FrankWolfeOptions options;
      options.step_rule = rule;
      frank_wolfe(plain, region, start(), options);
    });
  };
  EXPECT_EQ(with_rule(StepRule::exact), "step rule is exact, expected another one: the problem is not quadratic");
  EXPECT_EQ(with_rule(StepRule::short_step),
            "step rule is short-step, expected another one: the problem has no Lipschitz constant of its gradient");
  EXPECT_EQ(with_rule(StepRule::adaptive), "none");
}

TEST(Options, AreRefusedWhereTheyCannotBeCarriedOut) {
  const auto with = [](const std::function<void(FrankWolfeOptions&)>& change) {
    FrankWolfeOptions options;
    change(options);
    return test::refusal([&] { check(options); });
  };
  EXPECT_EQ(with([](auto&) {}), "none");
  EXPECT_EQ(with([](auto& options) { options.epochs = -1; }), "number of epochs is -1, expected at least 0");
  EXPECT_EQ(with([](auto& options) { options.iterations = 0; }), "number of iterations is 0, expected at least 1");
  EXPECT_EQ(with([](auto& options) { options.sample_size = 0; }), "sample size is 0, expected at least 1");
  EXPECT_EQ(with([](auto& options) { options.sample_growth = -1; }),
            "sample growth is -1, expected a finite exponent of at least 0");
  EXPECT_EQ(with([](auto& options) { options.sample_growth = 60; }),
            "sample growth is 60, expected an exponent for which the last sample is at most 1e15");
  EXPECT_EQ(with([](auto& options) { options.time_limit = 0; }),
            "time limit is 0, expected a positive number of seconds");
  EXPECT_EQ(with([](auto& options) { options.gap_tolerance = std::nan(""); }),
            "gap tolerance is nan, expected a number of at least 0");
  EXPECT_EQ(with([](auto& options) { options.record_interval = -1; }),
            "record interval is -1, expected a number of epochs, or 0 for no trajectory");
  EXPECT_EQ(with([](auto& options) { options.gap.batches = 1; }),
            "number of gap batches is 1, expected at least 2, or 0 for no estimate");
  EXPECT_EQ(with([](auto& options) { options.gap.batch_size = 0; }), "size of a gap batch is 0, expected at least 1");
  EXPECT_EQ(with([](auto& options) { options.gap.confidence = 1; }),
            "confidence is 1, expected a number between 0 and 1, such as 0.95");
  EXPECT_EQ(with([](auto& options) { options.gap.interval = -1; }),
            "gap interval is -1, expected a number of epochs, or 0 for the end only");
}

}  // namespace stops_tests
