// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks how evenly each sampling's points fill the cube: their centred discrepancy must be that of SciPy's points.
#include "harness/serial_or_host.hpp"
#include "sampled_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace discrepancy_tests {

using namespace sporos;
using test::Columns;
using test::SerialOrHost;

/// Square of the centred L2 discrepancy (Hickernell, A generalized discrepancy and quadrature error bound, Math. Comp.
/// 67, 1998, equation 5.1c), as SciPy's qmc.discrepancy(points, method='CD') computes it.
double squared_discrepancy(const Columns& columns) {
  const std::size_t n = columns.front().size();
  double single = 0, pairs = 0;
  std::vector<double> row(n);
  for (std::size_t i = 0; i < n; ++i) {
    double product = 1;
    std::fill(row.begin(), row.end(), 1.0);
    for (const auto& column : columns) {
      const double x = std::abs(column[i] - 0.5);
      product *= 1 + x / 2 - x * x / 2;
      for (std::size_t j = 0; j < n; ++j) {
        row[j] *= 1 + (x + std::abs(column[j] - 0.5) - std::abs(column[i] - column[j])) / 2;
      }
    }
    single += product;
    for (const double value : row) pairs += value;
  }
  const auto points = static_cast<double>(n);
  return std::pow(13.0 / 12, static_cast<double>(columns.size())) - 2 * single / points + pairs / (points * points);
}

TEST(Discrepancy, IsThatOfSciPy) {
  EXPECT_NEAR(squared_discrepancy({{0.1, 0.2, 0.8}, {0.5, 0.4, 0.7}}), 0.0826388888888887, 1e-15);
  EXPECT_NEAR(squared_discrepancy({{0.9, 0.3}, {0.25, 0.0625}, {0.5, 0.7}}), 0.3164901620370366, 1e-15);
}

/// Mean and standard deviation of squared discrepancies.
struct Observed {
  double mean, deviation;
};

/// Sets of `points` points in `dimensions` dimensions.
struct Shape {
  std::int64_t points;
  int dimensions;
};

/// Discrepancies of SciPy's points over 200 seeds.
struct Reference {
  const char* name;
  Shape shape;
  Observed observed;
};

void PrintTo(const Reference& reference, std::ostream* stream) {
  *stream << reference.name << ", " << reference.shape.points << " x " << reference.shape.dimensions;
}

// SciPy 1.17.1, NumPy 2.4.6:
//
//   from scipy.stats import qmc
//   from numpy.random import default_rng
//   makers = {'random': lambda n, d, s: default_rng(s).random((n, d)),
//             'latin-hypercube': lambda n, d, s: qmc.LatinHypercube(d, rng=s).random(n),
//             'latin-hypercube-centred': lambda n, d, s: qmc.LatinHypercube(d, scramble=False, rng=s).random(n),
//             'sobol': lambda n, d, s: qmc.Sobol(d, rng=s).random(n),
//             'halton': lambda n, d, s: qmc.Halton(d, rng=s).random(n)}
//   for name, make in makers.items():
//     for n in (64, 256):
//       for d in (2, 5, 10):
//         v = numpy.array([qmc.discrepancy(make(n, d, s), method='CD') for s in range(200)])
//         print(name, n, d, v.mean(), v.std(ddof=1))
//
// SciPy has no Faure points. NumPy makes them, with the generator matrices of Faure's paper and linearly scrambled
// digits:
//
//   def faure(n, d, s):
//     rng, p = default_rng(s), next(p for p in itertools.count(max(d, 2)) if all(p % q for q in range(2, p)))
//     m = math.ceil(32 / math.log2(p))
//     y = numpy.array([[j // p**c % p for c in range(m)] for j in range(n)]).T
//     pascal = numpy.array([[math.comb(c, r) % p for c in range(m)] for r in range(m)])
//     points = numpy.empty((n, d))
//     for k in range(d):
//       z = (rng.integers(1, p, (m, 1)) * y + rng.integers(0, p, (m, 1))) % p
//       points[:, k] = sum(z[r] / float(p)**(r + 1) for r in range(m)) + rng.random(n) / float(p)**m
//       y = pascal @ y % p
//     return points
//
// For the lattice, z is the published generating vector:
//
//   def lattice(n, d, s):
//     phi = numpy.array([int(f'{j:032b}'[::-1], 2) for j in range(n)]) / 2.0**32
//     return (numpy.outer(phi, z[:d]) + default_rng(s).random(d)) % 1
constexpr int scipy_sets = 200;
const std::vector<Reference> references{{"random", {64, 2}, {0.00584516, 0.00334239}},
                                        {"random", {64, 5}, {0.0238356, 0.00761748}},
                                        {"random", {64, 10}, {0.10942, 0.0175678}},
                                        {"random", {256, 2}, {0.00145391, 0.000951578}},
                                        {"random", {256, 5}, {0.00608116, 0.00180422}},
                                        {"random", {256, 10}, {0.0276118, 0.00387271}},
                                        {"latin-hypercube", {64, 2}, {0.000511542, 0.000228072}},
                                        {"latin-hypercube", {64, 5}, {0.00684023, 0.00104062}},
                                        {"latin-hypercube", {64, 10}, {0.0590409, 0.00326357}},
                                        {"latin-hypercube", {256, 2}, {0.000121424, 7.89076e-05}},
                                        {"latin-hypercube", {256, 5}, {0.00163043, 0.00023868}},
                                        {"latin-hypercube", {256, 10}, {0.0143395, 0.000749783}},
                                        {"latin-hypercube-centred", {64, 2}, {0.000509246, 0.000260339}},
                                        {"latin-hypercube-centred", {64, 5}, {0.00661181, 0.00102044}},
                                        {"latin-hypercube-centred", {64, 10}, {0.0578981, 0.00321956}},
                                        {"latin-hypercube-centred", {256, 2}, {0.000107202, 5.79062e-05}},
                                        {"latin-hypercube-centred", {256, 5}, {0.00158458, 0.000229164}},
                                        {"latin-hypercube-centred", {256, 10}, {0.0142406, 0.000756534}},
                                        {"sobol", {64, 2}, {0.000156098, 4.90717e-06}},
                                        {"sobol", {64, 5}, {0.00280386, 4.81248e-05}},
                                        {"sobol", {64, 10}, {0.037952, 0.000708678}},
                                        {"sobol", {256, 2}, {1.10012e-05, 1.82098e-07}},
                                        {"sobol", {256, 5}, {0.000242273, 2.10828e-06}},
                                        {"sobol", {256, 10}, {0.00612576, 4.90232e-05}},
                                        {"halton", {64, 2}, {0.000275047, 9.01419e-05}},
                                        {"halton", {64, 5}, {0.00363087, 0.000319474}},
                                        {"halton", {64, 10}, {0.0478774, 0.00220824}},
                                        {"halton", {256, 2}, {2.29974e-05, 6.54895e-06}},
                                        {"halton", {256, 5}, {0.000402642, 2.82967e-05}},
                                        {"halton", {256, 10}, {0.00753869, 0.000249458}},
                                        {"faure", {64, 2}, {0.00015644, 2.71951e-05}},
                                        {"faure", {64, 5}, {0.00412064, 0.000355127}},
                                        {"faure", {64, 10}, {0.0493381, 0.00337929}},
                                        {"faure", {256, 2}, {1.1015e-05, 1.62825e-06}},
                                        {"lattice", {64, 2}, {0.000202424, 4.10725e-05}},
                                        {"lattice", {64, 5}, {0.0115467, 0.00189801}},
                                        {"lattice", {64, 10}, {0.0796306, 0.0069567}},
                                        {"lattice", {256, 2}, {1.6343e-05, 4.31413e-06}},
                                        {"lattice", {256, 5}, {0.000557805, 3.50703e-05}},
                                        {"lattice", {256, 10}, {0.00907447, 0.000485126}}};

constexpr int own_sets = 100;

const Observed& own(Sampling sampling, const Shape& shape) {
  static std::map<std::tuple<Sampling, std::int64_t, int>, Observed> known;
  const auto [place, is_new] = known.try_emplace({sampling, shape.points, shape.dimensions});
  if (!is_new) return place->second;
  double sum = 0, squares = 0;
  for (int set = 0; set < own_sets; ++set) {
    const double value = squared_discrepancy(test::sampled_columns<test::SerialOrHost>(
        {.sampling = sampling, .count = shape.points, .dimensions = shape.dimensions, .set = set}));
    sum += value;
    squares += value * value;
  }
  const double mean = sum / own_sets;
  place->second = {mean, std::sqrt((squares / own_sets - mean * mean) * own_sets / (own_sets - 1))};
  return place->second;
}

/// Difference of the means in standard errors.
double distance(const Reference& reference, Sampling sampling) {
  const auto& ours = own(sampling, reference.shape);
  const double variance =
      std::pow(ours.deviation, 2) / own_sets + std::pow(reference.observed.deviation, 2) / scipy_sets;
  return std::abs(ours.mean - reference.observed.mean) / std::sqrt(variance);
}

// Means of this many observations are close to normal. The probability that any of the 46 comparisons fails is 3e-5.
constexpr double most = 5;

class OwnDiscrepancy : public ::testing::TestWithParam<Reference> {};

TEST_P(OwnDiscrepancy, IsThatOfSciPysPoints) {
  const std::string name = GetParam().name;
  EXPECT_LT(distance(GetParam(), parse_choice<Sampling>(name)), most);
  // A run of descriptive sampling is a centred Latin hypercube, made by another algorithm.
  if (name == "latin-hypercube-centred") {
    EXPECT_LT(distance(GetParam(), Sampling::descriptive), most);
  }
  if (name != "random") {
    EXPECT_GT(distance(GetParam(), Sampling::random), most) << "control";
  }
  if (name == "sobol") {
    EXPECT_GT(distance(GetParam(), Sampling::latin_hypercube), most) << "control";
    EXPECT_GT(distance(GetParam(), Sampling::halton), most) << "control";
  }
}

INSTANTIATE_TEST_SUITE_P(SciPy, OwnDiscrepancy, ::testing::ValuesIn(references));

}  // namespace discrepancy_tests
