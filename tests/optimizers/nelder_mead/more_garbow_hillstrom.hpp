// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// The 35 test problems of J. J. Moré, B. S. Garbow, K. E. Hillstrom: Testing unconstrained optimization software, ACM
// Trans. Math. Software 7, 1981. They minimize f(x) = Σ_i r_i(x)²; numbers, indices from 1, starts and minima are as
// printed there.
namespace sporos::test::mgh {

// A point whose indices begin at 1.
struct Point {
  const double* x;
  int n;
  KOKKOS_FUNCTION double operator()(int j) const { return x[j - 1]; }
};

KOKKOS_INLINE_FUNCTION double square(double x) { return x * x; }
KOKKOS_INLINE_FUNCTION double cube(double x) { return x * x * x; }

KOKKOS_INLINE_FUNCTION double rosenbrock(int i, Point x) {
  const int j = (i + 1) / 2;
  return i % 2 == 1 ? 10 * (x(2 * j) - square(x(2 * j - 1))) : 1 - x(2 * j - 1);
}
KOKKOS_INLINE_FUNCTION double freudenstein_roth(int i, Point x) {
  return i == 1 ? -13 + x(1) + ((5 - x(2)) * x(2) - 2) * x(2) : -29 + x(1) + ((x(2) + 1) * x(2) - 14) * x(2);
}
KOKKOS_INLINE_FUNCTION double powell_badly_scaled(int i, Point x) {
  return i == 1 ? 1e4 * x(1) * x(2) - 1 : ::exp(-x(1)) + ::exp(-x(2)) - 1.0001;
}
KOKKOS_INLINE_FUNCTION double brown_badly_scaled(int i, Point x) {
  return i == 1 ? x(1) - 1e6 : i == 2 ? x(2) - 2e-6 : x(1) * x(2) - 2;
}
KOKKOS_INLINE_FUNCTION double beale(int i, Point x) {
  constexpr double y[] = {1.5, 2.25, 2.625};
  return y[i - 1] - x(1) * (1 - ::pow(x(2), i));
}
KOKKOS_INLINE_FUNCTION double jennrich_sampson(int i, Point x) {
  return 2 + 2 * i - (::exp(i * x(1)) + ::exp(i * x(2)));
}
KOKKOS_INLINE_FUNCTION double helical_valley(int i, Point x) {
  constexpr double two_pi = 6.283185307179586;
  const double quarter = x(2) < 0 ? -0.25 : 0.25;
  const double theta = x(1) == 0 ? quarter : ::atan(x(2) / x(1)) / two_pi + (x(1) < 0 ? 0.5 : 0.0);
  return i == 1 ? 10 * (x(3) - 10 * theta) : i == 2 ? 10 * (::sqrt(square(x(1)) + square(x(2))) - 1) : x(3);
}
KOKKOS_INLINE_FUNCTION double bard(int i, Point x) {
  constexpr double y[] = {0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39};
  const double u = i, v = 16 - i, w = u < v ? u : v;
  return y[i - 1] - (x(1) + u / (v * x(2) + w * x(3)));
}
KOKKOS_INLINE_FUNCTION double gaussian(int i, Point x) {
  constexpr double y[] = {0.0009, 0.0044, 0.0175, 0.0540, 0.1295, 0.2420, 0.3521, 0.3989};
  return x(1) * ::exp(-x(2) * square(0.5 * (8 - i) - x(3)) / 2) - y[(i <= 8 ? i : 16 - i) - 1];
}
KOKKOS_INLINE_FUNCTION double meyer(int i, Point x) {
  constexpr double y[] = {34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744,
                          8261,  7030,  6005,  5147,  4427,  3820,  3307,  2872};
  return x(1) * ::exp(x(2) / (45 + 5 * i + x(3))) - y[i - 1];
}
KOKKOS_INLINE_FUNCTION double gulf(int i, Point x) {
  const double t = i / 100.0, y = 25 + ::pow(-50 * ::log(t), 2.0 / 3);
  return ::exp(-::pow(::fabs(y - x(2)), x(3)) / x(1)) - t;
}
KOKKOS_INLINE_FUNCTION double box(int i, Point x) {
  const double t = 0.1 * i;
  return ::exp(-t * x(1)) - ::exp(-t * x(2)) - x(3) * (::exp(-t) - ::exp(-10 * t));
}
KOKKOS_INLINE_FUNCTION double powell_singular(int i, Point x) {
  const int j = (i - 1) / 4 * 4;
  switch (i - j) {
    case 1:
      return x(j + 1) + 10 * x(j + 2);
    case 2:
      return ::sqrt(5.0) * (x(j + 3) - x(j + 4));
    case 3:
      return square(x(j + 2) - 2 * x(j + 3));
    default:
      return ::sqrt(10.0) * square(x(j + 1) - x(j + 4));
  }
}
KOKKOS_INLINE_FUNCTION double wood(int i, Point x) {
  switch (i) {
    case 1:
      return 10 * (x(2) - square(x(1)));
    case 2:
      return 1 - x(1);
    case 3:
      return ::sqrt(90.0) * (x(4) - square(x(3)));
    case 4:
      return 1 - x(3);
    case 5:
      return ::sqrt(10.0) * (x(2) + x(4) - 2);
    default:
      return (x(2) - x(4)) / ::sqrt(10.0);
  }
}
KOKKOS_INLINE_FUNCTION double kowalik_osborne(int i, Point x) {
  constexpr double y[] = {.1957, .1947, .1735, .1600, .0844, .0627, .0456, .0342, .0323, .0235, .0246};
  constexpr double us[] = {4, 2, 1, .5, .25, .167, .125, .1, .0833, .0714, .0625};
  const double u = us[i - 1];
  return y[i - 1] - x(1) * (u * u + u * x(2)) / (u * u + u * x(3) + x(4));
}
KOKKOS_INLINE_FUNCTION double brown_dennis(int i, Point x) {
  const double t = i / 5.0;
  return square(x(1) + t * x(2) - ::exp(t)) + square(x(3) + x(4) * ::sin(t) - ::cos(t));
}
KOKKOS_INLINE_FUNCTION double osborne_1(int i, Point x) {
  constexpr double y[] = {.844, .908, .932, .936, .925, .908, .881, .850, .818, .784, .751,
                          .718, .685, .658, .628, .603, .580, .558, .538, .522, .506, .490,
                          .478, .467, .457, .448, .438, .431, .424, .420, .414, .411, .406};
  const double t = 10 * (i - 1);
  return y[i - 1] - (x(1) + x(2) * ::exp(-t * x(4)) + x(3) * ::exp(-t * x(5)));
}
KOKKOS_INLINE_FUNCTION double biggs(int i, Point x) {
  const double t = 0.1 * i, y = ::exp(-t) - 5 * ::exp(-10 * t) + 3 * ::exp(-4 * t);
  return x(3) * ::exp(-t * x(1)) - x(4) * ::exp(-t * x(2)) + x(6) * ::exp(-t * x(5)) - y;
}
KOKKOS_INLINE_FUNCTION double osborne_2(int i, Point x) {
  constexpr double y[] = {1.366, 1.191, 1.112, 1.013, .991, .885, .831, .847, .786, .725, .746, .679, .608,
                          .655,  .616,  .606,  .602,  .626, .651, .724, .649, .649, .694, .644, .624, .661,
                          .612,  .558,  .533,  .495,  .500, .423, .395, .375, .372, .391, .396, .405, .428,
                          .429,  .523,  .562,  .607,  .653, .672, .708, .633, .668, .645, .632, .591, .559,
                          .597,  .625,  .739,  .710,  .729, .720, .636, .581, .428, .292, .162, .098, .054};
  const double t = (i - 1) / 10.0;
  double sum = x(1) * ::exp(-t * x(5));
  for (int j = 2; j <= 4; ++j) sum += x(j) * ::exp(-square(t - x(j + 7)) * x(j + 4));
  return y[i - 1] - sum;
}
KOKKOS_INLINE_FUNCTION double watson(int i, Point x) {
  if (i == 30) return x(1);
  if (i == 31) return x(2) - square(x(1)) - 1;
  const double t = i / 29.0;
  double slope = 0, sum = 0, power = 1;
  for (int j = 1; j <= x.n; ++j, power *= t) {
    if (j < x.n) slope += j * x(j + 1) * power;
    sum += x(j) * power;
  }
  return slope - square(sum) - 1;
}
KOKKOS_INLINE_FUNCTION double penalty_1(int i, Point x) {
  if (i <= x.n) return ::sqrt(1e-5) * (x(i) - 1);
  double sum = -0.25;
  for (int j = 1; j <= x.n; ++j) sum += square(x(j));
  return sum;
}
KOKKOS_INLINE_FUNCTION double penalty_2(int i, Point x) {
  if (i == 1) return x(1) - 0.2;
  if (i <= x.n) {
    const double y = ::exp(i / 10.0) + ::exp((i - 1) / 10.0);
    return ::sqrt(1e-5) * (::exp(x(i) / 10) + ::exp(x(i - 1) / 10) - y);
  }
  if (i < 2 * x.n) return ::sqrt(1e-5) * (::exp(x(i - x.n + 1) / 10) - ::exp(-0.1));
  double sum = -1;
  for (int j = 1; j <= x.n; ++j) sum += (x.n - j + 1) * square(x(j));
  return sum;
}
KOKKOS_INLINE_FUNCTION double variably_dimensioned(int i, Point x) {
  if (i <= x.n) return x(i) - 1;
  double sum = 0;
  for (int j = 1; j <= x.n; ++j) sum += j * (x(j) - 1);
  return i == x.n + 1 ? sum : square(sum);
}
KOKKOS_INLINE_FUNCTION double trigonometric(int i, Point x) {
  double sum = x.n;
  for (int j = 1; j <= x.n; ++j) sum -= ::cos(x(j));
  return sum + i * (1 - ::cos(x(i))) - ::sin(x(i));
}
KOKKOS_INLINE_FUNCTION double brown_almost_linear(int i, Point x) {
  double sum = -(x.n + 1), product = 1;
  for (int j = 1; j <= x.n; ++j) {
    sum += x(j);
    product *= x(j);
  }
  return i < x.n ? x(i) + sum : product - 1;
}
KOKKOS_INLINE_FUNCTION double boundary_value(int i, Point x) {
  const double h = 1.0 / (x.n + 1), before = i > 1 ? x(i - 1) : 0.0, after = i < x.n ? x(i + 1) : 0.0;
  return 2 * x(i) - before - after + h * h * cube(x(i) + i * h + 1) / 2;
}
KOKKOS_INLINE_FUNCTION double integral_equation(int i, Point x) {
  const double h = 1.0 / (x.n + 1), t = i * h;
  double sum = 0;
  for (int j = 1; j <= x.n; ++j) sum += (j <= i ? (1 - t) * j * h : t * (1 - j * h)) * cube(x(j) + j * h + 1);
  return x(i) + h * sum / 2;
}
KOKKOS_INLINE_FUNCTION double broyden_tridiagonal(int i, Point x) {
  return (3 - 2 * x(i)) * x(i) - (i > 1 ? x(i - 1) : 0.0) - (i < x.n ? 2 * x(i + 1) : 0.0) + 1;
}
KOKKOS_INLINE_FUNCTION double broyden_banded(int i, Point x) {
  double sum = x(i) * (2 + 5 * square(x(i))) + 1;
  for (int j = i > 5 ? i - 5 : 1; j <= x.n && j <= i + 1; ++j) sum -= j != i ? x(j) * (1 + x(j)) : 0.0;
  return sum;
}
constexpr int linear_rows = 20;
KOKKOS_INLINE_FUNCTION double linear_full_rank(int i, Point x) {
  double sum = 0;
  for (int j = 1; j <= x.n; ++j) sum += x(j);
  return (i <= x.n ? x(i) : 0.0) - 2 * sum / linear_rows - 1;
}
KOKKOS_INLINE_FUNCTION double linear_rank_1(int i, Point x) {
  double sum = 0;
  for (int j = 1; j <= x.n; ++j) sum += j * x(j);
  return i * sum - 1;
}
KOKKOS_INLINE_FUNCTION double linear_rank_1_with_zeros(int i, Point x) {
  double sum = 0;
  for (int j = 2; j < x.n; ++j) sum += j * x(j);
  return i == 1 || i == linear_rows ? -1.0 : (i - 1) * sum - 1;
}
KOKKOS_INLINE_FUNCTION double chebyquad(int i, Point x) {
  double sum = 0;
  for (int j = 1; j <= x.n; ++j) {
    const double y = 2 * x(j) - 1;
    double before = 1, now = y;
    for (int k = 2; k <= i; ++k) {
      const double next = 2 * y * now - before;
      before = now;
      now = next;
    }
    sum += now;
  }
  return sum / x.n + (i % 2 == 0 ? 1.0 / (i * i - 1) : 0.0);
}

// Residual r_i of a problem.
KOKKOS_INLINE_FUNCTION double residual(int problem, int i, Point x) {
  switch (problem) {
    case 1:
      return rosenbrock(i, x);
    case 2:
      return freudenstein_roth(i, x);
    case 3:
      return powell_badly_scaled(i, x);
    case 4:
      return brown_badly_scaled(i, x);
    case 5:
      return beale(i, x);
    case 6:
      return jennrich_sampson(i, x);
    case 7:
      return helical_valley(i, x);
    case 8:
      return bard(i, x);
    case 9:
      return gaussian(i, x);
    case 10:
      return meyer(i, x);
    case 11:
      return gulf(i, x);
    case 12:
      return box(i, x);
    case 13:
      return powell_singular(i, x);
    case 14:
      return wood(i, x);
    case 15:
      return kowalik_osborne(i, x);
    case 16:
      return brown_dennis(i, x);
    case 17:
      return osborne_1(i, x);
    case 18:
      return biggs(i, x);
    case 19:
      return osborne_2(i, x);
    case 20:
      return watson(i, x);
    case 21:
      return rosenbrock(i, x);
    case 22:
      return powell_singular(i, x);
    case 23:
      return penalty_1(i, x);
    case 24:
      return penalty_2(i, x);
    case 25:
      return variably_dimensioned(i, x);
    case 26:
      return trigonometric(i, x);
    case 27:
      return brown_almost_linear(i, x);
    case 28:
      return boundary_value(i, x);
    case 29:
      return integral_equation(i, x);
    case 30:
      return broyden_tridiagonal(i, x);
    case 31:
      return broyden_banded(i, x);
    case 32:
      return linear_full_rank(i, x);
    case 33:
      return linear_rank_1(i, x);
    case 34:
      return linear_rank_1_with_zeros(i, x);
    default:
      return chebyquad(i, x);
  }
}

// Number of residuals of a problem of n dimensions.
KOKKOS_INLINE_FUNCTION int residual_count(int problem, int n) {
  constexpr int fixed[] = {0, 2, 2, 2, 3, 3, 10, 3, 15, 15, 16, 99, 10, 4, 6, 11, 20, 33, 13, 65, 31};
  if (problem <= 20) return fixed[problem];
  if (problem >= 32 && problem <= 34) return linear_rows;
  return problem == 23 ? n + 1 : problem == 24 ? 2 * n : problem == 25 ? n + 2 : n;
}

// Objective f of a problem.
KOKKOS_INLINE_FUNCTION double value(int problem, const double* x, int n) {
  double sum = 0;
  for (int i = 1; i <= residual_count(problem, n); ++i) sum += square(residual(problem, i, {x, n}));
  return sum;
}

struct Problem {
  const char* name;
  std::vector<double> start;
  double minimum;
  std::vector<double> others = {};  // other values at which descent methods end
};

// Vector of length n whose j-th element is f(j), with j from 1.
template <class F>
std::vector<double> points(int n, const F& f) {
  std::vector<double> x;
  for (int j = 1; j <= n; ++j) x.push_back(f(j));
  return x;
}
inline std::vector<double> rosenbrock_start(int n) {
  return points(n, [](int j) { return j % 2 == 1 ? -1.2 : 1.0; });
}
inline std::vector<double> powell_start(int n) {
  constexpr double x[] = {3, -1, 0, 1};
  return points(n, [&](int j) { return x[(j - 1) % 4]; });
}

// All problems: number p is element p − 1.
inline std::vector<Problem> problems() {
  const auto all = [](int n, double x) { return std::vector<double>(static_cast<std::size_t>(n), x); };
  const auto on_parabola = [](int j) { return j / 11.0 * (j / 11.0 - 1); };
  constexpr double m = linear_rows;
  return {{"Rosenbrock", {-1.2, 1}, 0},
          {"Freudenstein and Roth", {0.5, -2}, 0, {48.9842}},
          {"Powell badly scaled", {0, 1}, 0},
          {"Brown badly scaled", {1, 1}, 0},
          {"Beale", {1, 1}, 0},
          {"Jennrich and Sampson", {0.3, 0.4}, 124.362},
          {"helical valley", {-1, 0, 0}, 0},
          {"Bard", {1, 1, 1}, 8.21487e-3, {17.4286}},
          {"Gaussian", {0.4, 1, 0}, 1.12793e-8},
          {"Meyer", {0.02, 4000, 250}, 87.9458},
          {"Gulf research and development", {5, 2.5, 0.15}, 0},
          {"Box three-dimensional", {0, 10, 20}, 0, {0.0755887}},
          {"Powell singular", {3, -1, 0, 1}, 0},
          {"Wood", {-3, -1, -3, -1}, 0},
          {"Kowalik and Osborne", {0.25, 0.39, 0.415, 0.39}, 3.07505e-4, {1.02734e-3}},
          {"Brown and Dennis", {25, 5, -5, -1}, 85822.2},
          {"Osborne 1", {0.5, 1.5, -1, 0.01, 0.02}, 5.46489e-5},
          {"Biggs EXP6", {1, 2, 1, 1, 1, 1}, 0, {5.65565e-3}},
          {"Osborne 2", {1.3, 0.65, 0.65, 0.7, 0.6, 3, 5, 7, 2, 4.5, 5.5}, 4.01377e-2},
          {"Watson", all(6, 0), 2.28767e-3},
          {"extended Rosenbrock", rosenbrock_start(8), 0},
          {"extended Powell", powell_start(8), 0},
          {"penalty I", points(4, [](int j) { return 1.0 * j; }), 2.24997e-5},
          {"penalty II", all(4, 0.5), 9.37629e-6},
          {"variably dimensioned", points(8, [](int j) { return 1 - j / 8.0; }), 0},
          {"trigonometric", all(10, 0.1), 0, {2.79506e-5}},
          {"Brown almost-linear", all(7, 0.5), 0, {1}},
          {"discrete boundary value", points(10, on_parabola), 0},
          {"discrete integral equation", points(10, on_parabola), 0},
          {"Broyden tridiagonal", all(8, -1), 0},
          {"Broyden banded", all(8, -1), 0},
          {"linear, full rank", all(5, 1), m - 5},
          {"linear, rank 1", all(5, 1), m * (m - 1) / (2 * (2 * m + 1))},
          {"linear, rank 1, zeros", all(5, 1), (m * m + 3 * m - 6) / (2 * (2 * m - 3))},
          {"Chebyquad", points(8, [](int j) { return j / 9.0; }), 3.51687e-3}};
}

// Evaluates all problems at once, with one simplex for each problem: simplex s has problem s % 35 + 1.
struct Values {
  KOKKOS_FUNCTION double operator()(const double* x, std::int64_t n, std::int32_t simplex, std::int64_t) const {
    return value(simplex % 35 + 1, x, static_cast<int>(n));
  }
};

}  // namespace sporos::test::mgh
