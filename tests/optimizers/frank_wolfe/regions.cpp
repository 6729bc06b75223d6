// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares oracles with the best of all vertices, or with the closed form if there are too many.
#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/optimizers/frank_wolfe/region.hpp>
#include <sporos/optimizers/frank_wolfe/regions/balls.hpp>
#include <sporos/optimizers/frank_wolfe/regions/bounded_simplex.hpp>
#include <sporos/optimizers/frank_wolfe/regions/box.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>
#include <sporos/optimizers/frank_wolfe/regions/product.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace regions_tests {

using namespace sporos;
using Point = std::vector<double>;

template <class Space, class Region>
Point vertex(Region& region, const Point& g) {
  const auto found = region.minimize(Space(), to_device<Space>(g));
  Point point(g.size());
  for (const VertexEntry& entry : impl::entries_of(Space(), found)) {
    EXPECT_NE(entry.value, 0);
    point[static_cast<std::size_t>(entry.index)] = entry.value;
  }
  return point;
}

template <class Space, class Region>
double violation(Region& region, const Point& x) {
  return region.violation(Space(), to_device<Space>(x));
}

double product(const Point& a, const Point& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Visits every point whose coordinates are from `values`.
void for_each_point(std::size_t size, const Point& values, const std::function<void(const Point&)>& visit) {
  Point point(size, values[0]);
  std::vector<std::size_t> digits(size);
  for (;;) {
    visit(point);
    std::size_t i = 0;
    while (i < size && ++digits[i] == values.size()) digits[i] = 0, point[i] = values[0], ++i;
    if (i == size) return;
    point[i] = values[digits[i]];
  }
}

// The vertex found for random g is as good as the best of `vertices` and lies in the region, so it is one of them.
template <class Space, class Region>
void expect_best_of(Region region, const std::vector<Point>& vertices) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    Point g(vertices[0].size());
    for (double& value : g) value = normal(generator);
    double best = std::numeric_limits<double>::infinity();
    for (const Point& v : vertices) best = std::min(best, product(g, v));
    const Point found = vertex<Space>(region, g);
    EXPECT_NEAR(product(g, found), best, 1e-13);
    EXPECT_LE(violation<Space>(region, found), 1e-14);
  }
}

template <class Space>
struct Regions : testing::Test {};
TYPED_TEST_SUITE(Regions, test::Backends, test::BackendName);

TYPED_TEST(Regions, Budget) {
  const Point costs = {1, 2, 0.5, 4, 3};
  std::vector<Point> vertices(5, Point(5));
  for (std::size_t j = 0; j < 5; ++j) vertices[j][j] = 6 / costs[j];
  expect_best_of<TypeParam>(Budget<TypeParam>(costs, 6, true), vertices);
  vertices.push_back(Point(5));
  Budget<TypeParam> region(costs, 6);
  expect_best_of<TypeParam>(region, vertices);
  EXPECT_EQ(vertex<TypeParam>(region, {1, 1, 1, 0, 1}), Point(5)) << "0 where nothing is gained";
  EXPECT_EQ(vertex<TypeParam>(region, {-1, -2, -0.5, -4, -3}), (Point{6, 0, 0, 0, 0})) << "the first of equal ones";
  EXPECT_EQ(vertex<TypeParam>(region, {0, -2, -0.5, -4, -3}), (Point{0, 3, 0, 0, 0}));
  EXPECT_EQ(violation<TypeParam>(region, {0, 0, 0, 2, 0}), 2.0 / 6);
  EXPECT_EQ(violation<TypeParam>(region, {0, -1, 0, 0, 0}), 2.0 / 6);
  EXPECT_EQ(violation<TypeParam>(region, {1, 1, 1, 0.5, 0}), 0);
}

TYPED_TEST(Regions, Simplices) {
  auto unit = unit_simplex<TypeParam>(4);
  auto probability = probability_simplex<TypeParam>(4);
  EXPECT_EQ(vertex<TypeParam>(unit, {0, 0, 0, 0}), Point(4));
  EXPECT_EQ(vertex<TypeParam>(probability, {0, 0, 0, 0}), (Point{1, 0, 0, 0}));
  EXPECT_EQ(vertex<TypeParam>(unit, {3, -1, 2, -1}), (Point{0, 1, 0, 0}));
  EXPECT_EQ(vertex<TypeParam>(probability, {3, 1, 2, 1}), (Point{0, 1, 0, 0}));
  EXPECT_EQ(violation<TypeParam>(unit, {0.25, 0.25, 0, 0}), 0);
  EXPECT_EQ(violation<TypeParam>(probability, {0.25, 0.25, 0, 0}), 0.5);
  EXPECT_EQ(unit.costs().extent(0), 0u);
  EXPECT_FALSE(unit.must_be_met());
  EXPECT_TRUE(probability.must_be_met());
}

TYPED_TEST(Regions, Box) {
  const Point low = {-1, 0, 2}, high = {1, 0.5, 2};
  std::vector<Point> vertices;
  for_each_point(3, {0, 1}, [&](const Point& choice) {
    Point point;
    for (std::size_t i = 0; i < 3; ++i) point.push_back(choice[i] == 0 ? low[i] : high[i]);
    vertices.push_back(point);
  });
  sporos::Box<TypeParam> region(low, high);
  expect_best_of<TypeParam>(region, vertices);
  EXPECT_EQ(vertex<TypeParam>(region, {0, 0, 0}), low);
  EXPECT_EQ(violation<TypeParam>(region, {1, 0.5, 2}), 0);
  EXPECT_EQ(violation<TypeParam>(region, {1, 0.75, 2}), 0.25);
  EXPECT_EQ(violation<TypeParam>(region, {1, 0.5, 1}), 0.5);
}

// All vertices of {low <= x <= high, Σx = total}: all coordinates but one are at a bound.
std::vector<Point> bounded_vertices(const Point& low, const Point& high, double total) {
  std::vector<Point> vertices;
  for (std::size_t free = 0; free < low.size(); ++free) {
    for_each_point(low.size(), {0, 1}, [&](const Point& choice) {
      Point point(low.size());
      double sum = 0;
      for (std::size_t i = 0; i < low.size(); ++i) {
        point[i] = choice[i] == 0 ? low[i] : high[i];
        if (i != free) sum += point[i];
      }
      point[free] = total - sum;
      if (point[free] >= low[free] - 1e-14 && point[free] <= high[free] + 1e-14) vertices.push_back(point);
    });
  }
  return vertices;
}

TYPED_TEST(Regions, BoundedSimplex) {
  using Simplex = sporos::BoundedSimplex<TypeParam>;
  const Point low = {-0.25, 0, 0.1, 0, 0.2}, high = {0.5, 0.3, 0.4, 0, 1};
  expect_best_of<TypeParam>(Simplex(low, high, 1), bounded_vertices(low, high, 1));
  Simplex region(Point(4), Point(4, 0.5), 1);
  EXPECT_EQ(vertex<TypeParam>(region, {3, -1, 2, -1}), (Point{0, 0.5, 0, 0.5}));
  EXPECT_EQ(vertex<TypeParam>(region, {0, 0, 0, 0}), (Point{0.5, 0.5, 0, 0})) << "the first of equal ones";
  EXPECT_EQ(vertex<TypeParam>(region, {1, 0, -1, 0}), (Point{0, 0.5, 0.5, 0}));
  EXPECT_EQ(violation<TypeParam>(region, {0.25, 0.25, 0.25, 0.25}), 0);
  EXPECT_EQ(violation<TypeParam>(region, {0.75, 0.25, 0, 0}), 0.25);
  EXPECT_EQ(violation<TypeParam>(region, {0.25, 0.25, 0.25, 0}), 0.25);
}

// Ten tenths are not exactly 1 in doubles; what rounding leaves must not go to an eleventh asset.
TYPED_TEST(Regions, BoundedSimplexWithoutRoom) {
  using Simplex = sporos::BoundedSimplex<TypeParam>;
  Simplex tenths(Point(11), Point(11, 0.1), 1);
  const Point found = vertex<TypeParam>(tenths, Point(11, 1.0));
  EXPECT_EQ(found.back(), 0);
  EXPECT_EQ(std::count(found.begin(), found.end(), 0.1), 10);
  Simplex exactly(Point(10), Point(10, 0.1), 1), at_low(Point(10, 0.1), Point(10, 1.0), 1);
  EXPECT_EQ(vertex<TypeParam>(exactly, Point(10, 1.0)), Point(10, 0.1));
  EXPECT_EQ(vertex<TypeParam>(at_low, Point(10, 1.0)), Point(10, 0.1));
}

TYPED_TEST(Regions, L1Ball) {
  std::vector<Point> vertices;
  for (std::size_t i = 0; i < 4; ++i) {
    for (const double r : {-1.5, 1.5}) vertices.emplace_back(4)[i] = r;
  }
  sporos::L1Ball<TypeParam> region(4, 1.5);
  expect_best_of<TypeParam>(region, vertices);
  EXPECT_EQ(vertex<TypeParam>(region, {1, -2, 2, -2}), (Point{0, 1.5, 0, 0}));
  EXPECT_EQ(vertex<TypeParam>(region, {0, 0, 0, 0}), (Point{-1.5, 0, 0, 0}));
  EXPECT_EQ(violation<TypeParam>(region, {1, -2, 0, 0}), 1);
  EXPECT_EQ(violation<TypeParam>(region, {0.5, -1, 0, 0}), 0);
}

TYPED_TEST(Regions, L2Ball) {
  sporos::L2Ball<TypeParam> region(3, 5);
  const Point found = vertex<TypeParam>(region, {3, 0, -4});
  EXPECT_NEAR(found[0], -3, 1e-15);
  EXPECT_EQ(found[1], 0);
  EXPECT_NEAR(found[2], 4, 1e-15);
  EXPECT_EQ(vertex<TypeParam>(region, {0, 0, 0}), (Point{-5, 0, 0}));
  EXPECT_EQ(violation<TypeParam>(region, {6, 0, 8}), 1);
  EXPECT_EQ(violation<TypeParam>(region, {1, 1, 1}), 0);
}

TYPED_TEST(Regions, KSparse) {
  for (const int k : {1, 2, 5}) {
    std::vector<Point> vertices;
    for_each_point(5, {0, -2, 2}, [&](const Point& point) {
      int nonzero = 0;
      for (const double value : point) nonzero += value != 0;
      if (nonzero == k) vertices.push_back(point);
    });
    expect_best_of<TypeParam>(sporos::KSparse<TypeParam>(5, k, 2), vertices);
  }
  sporos::KSparse<TypeParam> region(5, 2, 2);
  EXPECT_EQ(vertex<TypeParam>(region, {1, -3, 3, 3, 0}), (Point{0, 2, -2, 0, 0}));
  EXPECT_EQ(vertex<TypeParam>(region, {0, 0, 0, 0, 0}), (Point{-2, -2, 0, 0, 0}));
  EXPECT_EQ(violation<TypeParam>(region, {2, 2, 2, 2, 0}), 1);
  EXPECT_EQ(violation<TypeParam>(region, {3, 0, 0, 0, 0}), 0.5);
  EXPECT_EQ(violation<TypeParam>(region, {1, 1, 1, 1, 0}), 0);
}

TYPED_TEST(Regions, ProductOfBlocks) {
  using Space = TypeParam;
  using Sparse = Product<Space, Budget<Space>, sporos::L1Ball<Space>>;
  Sparse sparse({unit_simplex<Space>(2), sporos::L1Ball<Space>(2, 3.0), probability_simplex<Space>(2)});
  EXPECT_EQ(sparse.dimension(), 6);
  EXPECT_EQ(vertex<Space>(sparse, {1, -1, 4, 5, 2, 1}), (Point{0, 1, 0, -3, 0, 1}));
  EXPECT_EQ(violation<Space>(sparse, {0, 1, 0, -3, 0, 1}), 0);
  EXPECT_EQ(violation<Space>(sparse, {0, 1, 0, -6, 0, 1}), 1);
  using Dense = Product<Space, Budget<Space>, sporos::Box<Space>>;
  Dense dense({sporos::Box<Space>({-1, -2}, {1, 2}), unit_simplex<Space>(2)});
  EXPECT_EQ(vertex<Space>(dense, {1, -1, -4, -5}), (Point{-1, 2, 0, 1}));
  EXPECT_EQ(vertex<Space>(dense, {-1, 1, -4, 5}), (Point{1, -2, 1, 0})) << "nothing is left of the last";
}

// The vectors are long enough for every thread and block to have ties.
TYPED_TEST(Regions, TheFirstOfManyEqualOnes) {
  constexpr std::int64_t size = 100'000;
  auto simplex = unit_simplex<TypeParam>(size);
  sporos::L1Ball<TypeParam> ball(size, 1.0);
  Point g(size, 0.5);
  for (std::size_t i = 777; i < g.size(); i += 1000) g[i] = -1;
  const auto device = to_device<TypeParam>(g);
  EXPECT_EQ(simplex.minimize(TypeParam(), device).entries, (std::vector<VertexEntry>{{777, 1.0}}));
  EXPECT_EQ(ball.minimize(TypeParam(), device).entries, (std::vector<VertexEntry>{{777, 1.0}}));
}

TEST(BadRegions, AreRefused) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  const double nan = std::nan("");
  EXPECT_EQ(test::refusal([] { unit_simplex<Space>(0); }), "dimension of the region is 0, expected at least 1");
  EXPECT_EQ(test::refusal([] { Budget<Space>(std::int64_t{3}, -1); }),
            "limit of the budget is -1, expected a finite number of at least 0");
  EXPECT_EQ(test::refusal([&] {
              Budget<Space>(Point{1, 1}, nan);
            }),
            "limit of the budget is nan, expected a finite number of at least 0");
  EXPECT_EQ(
      test::refusal([] {
        Budget<Space>(Point{1, 0}, 1);
      }),
      "cost of the budget in coordinate 1 is 0, expected a positive finite number; otherwise the region is unbounded");
  using Simplex = sporos::BoundedSimplex<Space>;
  EXPECT_EQ(test::refusal([] { Simplex(Point(4, 0.3), Point(4, 1.0), 1); }),
            "sum of the lower bounds is 1.2, expected at most the total, 1");
  EXPECT_EQ(test::refusal([] { Simplex(Point(4), Point(4, 0.2), 1); }),
            "sum of the upper bounds is 0.8, expected at least the total, 1");
  EXPECT_EQ(test::refusal([] {
              Simplex(Point{0, 0.5}, Point{1, 0.4}, 1);
            }),
            "upper bound in coordinate 1 is 0.4, expected a finite number of at least the lower bound, 0.5");
  EXPECT_EQ(test::refusal([&] { Simplex(Point(2), Point(2, 1.0), nan); }), "total is nan, expected a finite number");
  EXPECT_EQ(test::refusal([] {
              sporos::Box<Space>({0, 1}, {1, 0});
            }),
            "upper bound in coordinate 1 is 0, expected a finite number of at least the lower bound, 1");
  EXPECT_EQ(test::refusal([] {
              sporos::Box<Space>({0, 1}, {1});
            }),
            "number of upper bounds is 1, expected that of lower bounds, 2");
  EXPECT_EQ(test::refusal([&] { sporos::Box<Space>({nan}, {1}); }),
            "lower bound in coordinate 0 is nan, expected a finite number");
  EXPECT_EQ(test::refusal([] { sporos::L1Ball<Space>(3, -2); }),
            "radius is -2, expected a finite number of at least 0");
  EXPECT_EQ(test::refusal([&] { sporos::L2Ball<Space>(3, nan); }),
            "radius is nan, expected a finite number of at least 0");
  EXPECT_EQ(test::refusal([] { sporos::KSparse<Space>(3, 0, 1); }),
            "number of nonzero coordinates is 0, expected a number from 1 to the dimension, 3");
  EXPECT_EQ(test::refusal([] { sporos::KSparse<Space>(3, 4, 1); }),
            "number of nonzero coordinates is 4, expected a number from 1 to the dimension, 3");
  EXPECT_EQ(test::refusal([] { Product<Space, Budget<Space>>({}); }),
            "dimension of the region is 0, expected at least 1");
}

}  // namespace regions_tests
