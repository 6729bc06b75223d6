// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/nelder_mead/nelder_mead.hpp>
#include <sporos/optimizers/nelder_mead/pointwise_objective.hpp>

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace simplex_stops_tests {

using namespace sporos;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Σ x_i² if x_0 is at least `wall`, otherwise `bad`.
struct Halfspace {
  double wall, bad;
  KOKKOS_FUNCTION double operator()(const double* x, std::int64_t n) const {
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += x[i] * x[i];
    return x[0] < wall ? bad : sum;
  }
};

template <class Space>
NelderMeadResult minimize_halfspace(const Halfspace& function, const std::vector<double>& point,
                                    const NelderMeadOptions& options = {}, const NelderMeadCallback& callback = {}) {
  PointwiseObjective<Space, Halfspace> objective{function};
  const std::vector<SimplexStart> starts = {{point, std::vector<double>(point.size(), 1)}};
  return nelder_mead(objective, starts, options, callback)[0];
}

template <class Space>
struct NelderMeadStops : testing::Test {};
TYPED_TEST_SUITE(NelderMeadStops, test::Backends, test::BackendName);

TYPED_TEST(NelderMeadStops, TurnsBackFromWhereTheObjectiveIsNotFinite) {
  NelderMeadOptions options;
  options.restarts = 10;
  for (const double bad : {nan, HUGE_VAL, -HUGE_VAL}) {
    // The objective is finite at the first start but not at the second. The minimum lies on the wall.
    for (const double first : {0.5, -0.5}) {
      const auto found = minimize_halfspace<TypeParam>({0.25, bad}, {first, 2, 1}, options);
      EXPECT_EQ(found.stopped_by, StoppedBy::simplex);
      EXPECT_NEAR(found.value, 0.0625, 1e-3);
      EXPECT_GE(found.point[0], 0.25);
    }
  }
}

TYPED_TEST(NelderMeadStops, WhereNothingIsFinite) {
  const auto found = minimize_halfspace<TypeParam>({10, nan}, {0, 1});
  EXPECT_EQ(found.stopped_by, StoppedBy::not_finite);
  EXPECT_EQ(found.evaluations, 3);
  EXPECT_EQ(found.value, HUGE_VAL);
}

TYPED_TEST(NelderMeadStops, ByEitherTolerance) {
  const double infinity = HUGE_VAL;
  const auto with = [&](double size, double value) {
    NelderMeadOptions options;
    options.size_tolerance = size;
    options.value_tolerance = value;
    return minimize_halfspace<TypeParam>({-10, 0}, {1, 1}, options);
  };
  const NelderMeadResult size = with(1e-3, infinity), value = with(infinity, 1e-3), both = with(1e-3, 1e-3);
  EXPECT_LE(size.size, 1e-3);
  EXPECT_LE(value.spread, 1e-3);
  EXPECT_GT(value.size, 1e-3);
  EXPECT_TRUE(both.size <= 1e-3 && both.spread <= 1e-3);
  EXPECT_LT(value.evaluations, both.evaluations);
  EXPECT_EQ(with(infinity, infinity).evaluations, 3);
  // Even if both tolerances are 0, the run converges when only rounding errors separate the vertices.
  const NelderMeadResult least = with(0, 0);
  EXPECT_EQ(least.stopped_by, StoppedBy::simplex);
  EXPECT_LT(least.value, 1e-30);
}

TYPED_TEST(NelderMeadStops, ByEvaluationsTimeAndCallback) {
  NelderMeadOptions options;
  options.evaluations = 20;
  const auto few = minimize_halfspace<TypeParam>({-10, 0}, {1, 1}, options);
  EXPECT_EQ(few.stopped_by, StoppedBy::evaluations);
  EXPECT_GE(few.evaluations, 20);
  EXPECT_LE(few.evaluations, 23);

  options = {};
  options.iterations = 7;
  const auto short_run = minimize_halfspace<TypeParam>({-10, 0}, {1, 1}, options);
  EXPECT_EQ(short_run.stopped_by, StoppedBy::iterations);
  EXPECT_EQ(short_run.iterations, 7);

  options = {};
  options.time_limit = 1e-12;
  EXPECT_EQ(minimize_halfspace<TypeParam>({-10, 0}, {1, 1}, options).stopped_by, StoppedBy::time_limit);

  std::vector<NelderMeadProgress> seen;
  const auto stopped = minimize_halfspace<TypeParam>({-10, 0}, {1, 1}, {}, [&](const NelderMeadProgress& progress) {
    seen.push_back(progress);
    return seen.size() == 2 ? Continuation::stop : Continuation::go_on;
  });
  EXPECT_EQ(stopped.stopped_by, StoppedBy::callback);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[1].evaluations, stopped.evaluations);
  EXPECT_EQ(seen[1].steps, stopped.evaluations) << "of the only simplex";
  EXPECT_EQ(seen[1].value, stopped.value);
  EXPECT_LE(seen[1].value, seen[0].value);
  EXPECT_EQ(seen[1].open, 1);
}

TYPED_TEST(NelderMeadStops, AtOnceWithoutStarts) {
  PointwiseObjective<TypeParam, Halfspace> objective{Halfspace{0, 0}};
  EXPECT_TRUE(nelder_mead(objective, std::vector<SimplexStart>()).empty());
}

TEST(SimplexStart, HasTheUsualStepsWhereThereAreNone) {
  const NelderMeadState state = impl::started({{2, 0}}, 0);
  EXPECT_EQ(state.vertices, (std::vector<std::vector<double>>{{2, 0}, {2.1, 0}, {2, 0.00025}}));
}

TEST(SimplexStart, IsRefusedWhereItIsNoSimplex) {
  const auto with = [](const SimplexStart& start) { return test::refusal([&] { impl::started(start, 3); }); };
  EXPECT_EQ(with({{1, 1}, {1, 1}}), "none");
  EXPECT_EQ(with({}), "dimension of the point of start 3 is 0, expected at least 1");
  EXPECT_EQ(with({{1, nan}}), "coordinate 1 of the point of start 3 is nan, expected a finite number");
  EXPECT_EQ(with({{1, 1}, {1}}), "dimension of the steps of start 3 is 1, expected 2");
  EXPECT_EQ(with({{1, 1}, {1, 0}}), "step 1 of start 3 is 0, expected a number other than 0");
  EXPECT_EQ(with({{}, {}, {{0, 0}, {1, 0}, {0, 1}}}), "none");
  EXPECT_EQ(with({{}, {}, {{0, 0}, {1, 0}}}), "dimension of vertex 0 of start 3 is 2, expected 1");
  EXPECT_EQ(with({{}, {}, {{0, 0}, {1, 0}, {2, 0}}}),
            "volume of the simplex of start 3 is 0, expected vertices that do not lie in one plane");
  EXPECT_EQ(with({{1, 1}, {}, {{0, 0}, {1, 0}, {0, 1}}}),
            "number of coordinates and steps given with the vertices of start 3 is 2, expected 0");
}

TEST(NelderMeadState, IsRefusedWhereItDoesNotFit) {
  const auto with = [](const std::function<void(NelderMeadState&)>& change) {
    NelderMeadState state = impl::started({{2, 0}}, 0);
    change(state);
    return test::refusal([&] { impl::check_state(state, 1); });
  };
  EXPECT_EQ(with([](auto&) {}), "none");
  EXPECT_EQ(with([](auto& state) { state.values.pop_back(); }), "number of values of state 1 is 2, expected 3");
  EXPECT_EQ(with([](auto& state) { state.vertices[1][0] = nan; }),
            "coordinate 0 of a vertex of state 1 is nan, expected a finite number");
  EXPECT_EQ(with([](auto& state) { state.status.position = 3; }),
            "position of the requested vertex of state 1 is 3, expected from 0 to 2");
}

TEST(NelderMeadOptions, AreRefusedWhereTheyCannotBeCarriedOut) {
  const auto with = [](const std::function<void(NelderMeadOptions&)>& change) {
    NelderMeadOptions options;
    change(options);
    return test::refusal([&] { check(options); });
  };
  EXPECT_EQ(with([](auto&) {}), "none");
  EXPECT_EQ(with([](auto& options) { options.size_tolerance = -1; }),
            "size tolerance is -1, expected a number of at least 0");
  EXPECT_EQ(with([](auto& options) { options.value_tolerance = nan; }),
            "value tolerance is nan, expected a number of at least 0");
  EXPECT_EQ(with([](auto& options) { options.evaluations = 0; }), "number of evaluations is 0, expected at least 1");
  EXPECT_EQ(with([](auto& options) { options.restarts = -1; }), "number of restarts is -1, expected at least 0");
  EXPECT_EQ(with([](auto& options) { options.oriented_restarts = -1; }),
            "number of oriented restarts is -1, expected at least 0");
  EXPECT_EQ(with([](auto& options) { options.min_gain = -1; }),
            "minimum gain of a restart is -1, expected a number of at least 0");
  EXPECT_EQ(with([](auto& options) { options.reevaluation_interval = -1; }),
            "re-evaluation interval is -1, expected a number of iterations, or 0 for never");
  EXPECT_EQ(with([](auto& options) { options.time_limit = 0; }),
            "time limit is 0, expected a positive number of seconds");
}

}  // namespace simplex_stops_tests
