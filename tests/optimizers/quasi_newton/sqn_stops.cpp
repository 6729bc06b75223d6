// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks where runs of sqn start and stop, and that resumed runs yield the same bits.
#include "harness/serial_or_host.hpp"
#include "sampled_rows.hpp"
#include "sqn_runs.hpp"

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <sporos/optimizers/quasi_newton/sqn.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sqn_stops_tests {

using namespace sporos;
using test::SerialOrHost;

using Values = std::vector<double>;

constexpr std::size_t dimension = 12;

template <class Space>
test::SampledRows<Space> problem() {
  Values scales, best;
  for (std::size_t j = 0; j < dimension; ++j) {
    scales.push_back(1 + 0.25 * static_cast<double>(j % 5));
    best.push_back(std::cos(static_cast<double>(j)));
  }
  return {test::Loss::squares, scales, best, 0.5};
}

SqnOptions options_of(SqnStepRule rule, bool limit_steps) {
  SqnOptions options;
  options.step_rule = rule;
  options.step = rule == SqnStepRule::harmonic ? 2 : 0.2;
  options.limit_steps = limit_steps;
  options.longest_move = 1.5;
  options.iterations = 40;
  options.pair_interval = 4;
  options.batch_size = 6;
  options.hessian_batch_size = 9;
  options.pairs.memory = 3;
  options.record_interval = 7;
  return options;
}

template <class Check>
void for_every_choice(const Check& check) {
  for (const auto& [name, rule] : ChoiceNames<SqnStepRule>::values) {
    for (const bool limit_steps : {false, true}) {
      if (limit_steps && rule == SqnStepRule::line_search) continue;  // limits do not concern line searches
      SCOPED_TRACE(std::string(name).append(limit_steps ? " with limited steps" : ""));
      check(options_of(rule, limit_steps));
    }
  }
}

template <class Space, class Start>
QuasiNewtonResult run_from(const Start& start, const SqnOptions& options, const QuasiNewtonCallback& callback = {}) {
  auto sampled = problem<Space>();
  return sqn(sampled, start, options, callback);
}

template <class Space>
QuasiNewtonResult run(const SqnOptions& options, const QuasiNewtonCallback& callback = {}) {
  return run_from<Space>(Values(dimension), options, callback);
}

void expect_same_end(const QuasiNewtonResult& a, const QuasiNewtonResult& b) {
  EXPECT_EQ(a.solution, b.solution);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.state.step, b.state.step);
  EXPECT_EQ(a.state.sum, b.state.sum);
  EXPECT_EQ(a.state.average, b.state.average);
  ASSERT_EQ(a.state.pairs.size(), b.state.pairs.size());
  for (std::size_t i = 0; i < a.state.pairs.size(); ++i) EXPECT_EQ(a.state.pairs[i].y, b.state.pairs[i].y);
  test::expect_same_counts(a.counts, b.counts);
}

template <class Space>
struct SqnStops : testing::Test {};
TYPED_TEST_SUITE(SqnStops, test::Backends, test::BackendName);

TYPED_TEST(SqnStops, TheSameBitsFromRunToRun) {
  for_every_choice([](const SqnOptions& options) {
    const QuasiNewtonResult result = run<TypeParam>(options);
    EXPECT_EQ(result.stopped_by, StoppedBy::iterations);
    EXPECT_EQ(result.trajectory.size(), 7u) << "0, 7, … 35 and 40";
    expect_same_end(result, run<TypeParam>(options));
  });
}

// Callbacks stop in the first phase, in the middle of an interval and at its end.
TYPED_TEST(SqnStops, ByACallbackAndGoesOnWithTheSameBits) {
  for_every_choice([](SqnOptions options) {
    const QuasiNewtonResult whole = run<TypeParam>(options);
    for (const std::int64_t last : {3, 18, 20}) {
      options.record_interval = 1;
      const QuasiNewtonResult part = run<TypeParam>(options, [last](const QuasiNewtonProgress& progress) {
        return progress.iteration == last ? Continuation::stop : Continuation::go_on;
      });
      EXPECT_EQ(part.stopped_by, StoppedBy::callback);
      EXPECT_EQ(part.iterations, last);
      options.record_interval = 0;
      expect_same_end(run_from<TypeParam>(part.state, options), whole);
    }
  });
}

// Recording changes nothing but what is reported.
TYPED_TEST(SqnStops, AtTheSamePointWhateverIsRecorded) {
  for_every_choice([](SqnOptions options) {
    const QuasiNewtonResult whole = run<TypeParam>(options);
    options.record_interval = 3;
    options.evaluation_size = 20;
    expect_same_end(run<TypeParam>(options), whole);
    options.record_interval = 0;
    const QuasiNewtonResult silent = run<TypeParam>(options);
    expect_same_end(silent, whole);
    EXPECT_TRUE(silent.trajectory.empty());
  });
}

TYPED_TEST(SqnStops, ByTheGradient) {
  SqnOptions options = options_of(SqnStepRule::harmonic, true);
  options.iterations = 1000;
  options.evaluation_size = 1000;
  options.gradient_tolerance = 0.2;
  const QuasiNewtonResult result = run<TypeParam>(options);
  EXPECT_EQ(result.stopped_by, StoppedBy::gradient);
  EXPECT_EQ(result.iterations % 7, 0);
  EXPECT_LE(result.trajectory.back().gradient_norm, 0.2);
}

TYPED_TEST(SqnStops, ByTime) {
  SqnOptions options = options_of(SqnStepRule::harmonic, true);
  options.time_limit = 1e-9;
  const QuasiNewtonResult result = run<TypeParam>(options);
  EXPECT_EQ(result.stopped_by, StoppedBy::time_limit);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.trajectory.size(), 1u);
}

// Gradients 1 to 22 are finite; x_20 is the last iterate that is checked.
TYPED_TEST(SqnStops, WhereAGradientIsNotFinite) {
  for_every_choice([](SqnOptions options) {
    options.record_interval = 0;
    auto broken = problem<TypeParam>();
    broken.broken_from = 22;
    const QuasiNewtonResult result = sqn(broken, Values(dimension), options);
    EXPECT_EQ(result.stopped_by, StoppedBy::not_finite);
    options.iterations = 20;
    expect_same_end(result, run<TypeParam>(options));
  });
}

TYPED_TEST(SqnStops, WhereTheFirstGradientIsNotFinite) {
  auto broken = problem<TypeParam>();
  broken.broken_from = 0;
  const QuasiNewtonResult result = sqn(broken, Values(dimension));
  EXPECT_EQ(result.stopped_by, StoppedBy::not_finite);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.solution, Values(dimension));
  EXPECT_TRUE(result.trajectory.empty());
}

// Compares every backend with the serial one.
TYPED_TEST(SqnStops, AtTheSamePointOnEveryBackend) {
  for_every_choice([](const SqnOptions& options) {
    const auto here = run<TypeParam>(options), there = run<SerialOrHost>(options);
    for (std::size_t i = 0; i < dimension; ++i) {
      EXPECT_NEAR(here.solution[i], there.solution[i], 1e-10 * (1 + std::abs(there.solution[i])));
    }
    test::expect_same_counts(here.counts, there.counts);
  });
}

TYPED_TEST(SqnStops, BeforeItStartsFromABadPoint) {
  const auto refusal_of = [](const QuasiNewtonState& state) {
    return test::refusal([&] { run_from<TypeParam>(state, SqnOptions()); });
  };
  QuasiNewtonState state;
  EXPECT_EQ(refusal_of(state), "dimension of the start is 0, expected that of the problem, 12");
  state.solution = Values(dimension);
  state.solution[3] = std::nan("");
  EXPECT_EQ(refusal_of(state), "coordinate 3 of the start is nan, expected a finite number");
  state.solution[3] = 0;
  state.iteration = -1;
  EXPECT_EQ(refusal_of(state), "iteration of the start is -1, expected at least 0");
  state.iteration = 0;
  state.average = {1};
  EXPECT_EQ(refusal_of(state), "dimension of the average of iterates is 1, expected that of the problem, 12");
  state.average = {};
  state.pairs = {{{1}, {1}}};
  EXPECT_EQ(refusal_of(state), "dimension of the correction pair is 1, expected that of the problem, 12");
}

TEST(SqnOptions, AreRefusedWhereTheyCannotBeCarriedOut) {
  const auto with = [](const std::function<void(SqnOptions&)>& change) {
    SqnOptions options;
    change(options);
    return test::refusal([&] { check(options); });
  };
  EXPECT_EQ(with([](auto&) {}), "none");
  EXPECT_EQ(with([](auto& options) { options.step = 0; }), "step is 0, expected a positive finite number");
  EXPECT_EQ(with([](auto& options) { options.iterations = -1; }), "number of iterations is -1, expected at least 0");
  EXPECT_EQ(with([](auto& options) { options.batch_size = 0; }), "batch size is 0, expected at least 1");
  EXPECT_EQ(with([](auto& options) { options.pair_interval = 0; }),
            "pair interval is 0, expected at least 1 iteration");
  EXPECT_EQ(with([](auto& options) { options.hessian_batch_size = 0; }),
            "Hessian batch size is 0, expected at least 1");
  EXPECT_EQ(with([](auto& options) { options.pairs.memory = 0; }), "memory is 0, expected from 1 to 10000 pairs");
  EXPECT_EQ(with([](auto& options) { options.longest_move = 0; }), "longest move is 0, expected a positive number");
  EXPECT_EQ(with([](auto& options) { options.time_limit = 0; }),
            "time limit is 0, expected a positive number of seconds");
  EXPECT_EQ(with([](auto& options) { options.gradient_tolerance = std::nan(""); }),
            "gradient tolerance is nan, expected a number of at least 0");
  EXPECT_EQ(with([](auto& options) { options.record_interval = -1; }),
            "record interval is -1, expected a number of iterations, or 0 for no trajectory");
  EXPECT_EQ(with([](auto& options) { options.evaluation_size = -1; }),
            "evaluation size is -1, expected a number of replications, or 0 for those of the next iteration");
  EXPECT_EQ(with([](auto& options) {
              options.gradient_tolerance = 1;
              options.record_interval = 0;
            }),
            "record interval is 0, expected at least 1, because the gradient norm is checked on the trajectory");
}

}  // namespace sqn_stops_tests
