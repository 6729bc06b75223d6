// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks whether classes are separable: against all relevant directions in the plane, and on planted data.
#include <sporos/procedures/class_separation.hpp>

#include "harness/refusal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace sporos {
namespace class_separation_tests {

using Row = std::vector<double>;

struct Data {
  std::vector<Row> rows;
  std::vector<double> labels;
};

ClassSeparation found(const Data& data, const Row& coefficients) {
  std::vector<double> margins;
  for (const Row& row : data.rows) {
    double margin = 0;
    for (std::size_t j = 0; j < row.size(); ++j) margin += row[j] * coefficients[j];
    margins.push_back(margin);
  }
  const auto read = [&](std::int64_t i, std::span<double> out) {
    const Row& row = data.rows[static_cast<std::size_t>(i)];
    std::copy(row.begin(), row.end(), out.begin());
  };
  return class_separation({static_cast<std::int64_t>(coefficients.size()), data.labels, read}, coefficients, margins);
}

// Rows times the sign of their label, ±x.
std::vector<Row> signed_rows(const Data& data) {
  std::vector<Row> rows = data.rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (double& number : rows[i]) number *= data.labels[i] > 0 ? 1 : -1;
  }
  return rows;
}

// Classifies a direction in the plane: all products are positive, or all are at least 0 and not all are 0, or neither.
SeparationKind kind_of(const std::vector<Row>& rows, double x, double y) {
  bool is_strict = true, is_any = false;
  for (const Row& z : rows) {
    const double product = z[0] * x + z[1] * y;
    if (product < 0) return SeparationKind::none;
    is_strict = is_strict && product > 0;
    is_any = is_any || product > 0;
  }
  return is_strict ? SeparationKind::complete : is_any ? SeparationKind::quasi : SeparationKind::none;
}

// Tries the rays at which a product becomes 0, and the directions between any two of them; integers avoid rounding.
SeparationKind kind_by_all_directions(const Data& data) {
  const std::vector<Row> rows = signed_rows(data);
  std::vector<std::array<double, 2>> rays = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (const Row& z : rows) {
    rays.push_back({-z[1], z[0]});
    rays.push_back({z[1], -z[0]});
  }
  SeparationKind best = SeparationKind::none;
  for (const auto& a : rays) {
    for (const auto& b : rays) best = std::max(best, kind_of(rows, a[0] + b[0], a[1] + b[1]));
  }
  return best;
}

// Checks that the claims of a result hold for all rows.
bool is_proved(const Data& data, const ClassSeparation& separation) {
  constexpr double rounding = 1e-8;
  double least = 1e300, largest = 0;
  for (const Row& z : signed_rows(data)) {
    double product = 0;
    for (std::size_t j = 0; j < z.size(); ++j) product += z[j] * separation.direction[j];
    least = std::min(least, product);
    largest = std::max(largest, product);
  }
  return largest > rounding && (separation.kind == SeparationKind::complete ? least > 0 : least >= -rounding);
}

TEST(ClassSeparation, IsThatOfAllDirectionsOfThePlane) {
  std::mt19937_64 bits(3);
  const auto whole = [&](std::uint64_t values) { return static_cast<double>(bits() % values); };
  std::map<SeparationKind, int> counts;
  for (int number = 0; number < 600; ++number) {
    Data data;
    const std::size_t rows = 2 + bits() % 9;
    for (std::size_t i = 0; i < rows; ++i) {
      data.rows.push_back({whole(5) - 2, whole(5) - 2});
      data.labels.push_back(whole(3) * (data.rows.back()[0] + 3) > 4 ? 1 : 0);
    }
    const SeparationKind expected = kind_by_all_directions(data);
    ++counts[expected];
    const ClassSeparation separation = found(data, {whole(3) - 1, whole(3) - 1});
    ASSERT_EQ(name_of(separation.kind), name_of(expected)) << "data set " << number;
    EXPECT_EQ(separation.direction.empty(), expected == SeparationKind::none);
    EXPECT_TRUE(separation.direction.empty() || is_proved(data, separation)) << "data set " << number;
  }
  for (const SeparationKind kind : {SeparationKind::none, SeparationKind::quasi, SeparationKind::complete}) {
    EXPECT_GT(counts[kind], 50) << name_of(kind);
  }
}

enum class Planted { overlap, quasi, complete };

// Many rows with many features. Labels follow the first features, as a fit finds them, with noise (overlap) or without
// noise (complete). For `quasi` they have noise except where feature 3 is 1, as in one row of 50.
Data planted(Planted kind, std::size_t rows, std::size_t features) {
  std::mt19937_64 bits(7);
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    Row row;
    for (std::size_t j = 0; j < features; ++j) row.push_back(uniform() - 0.5);
    row[3] = i % 50 == 0 ? 1 : 0;
    row.push_back(1);  // the constant term
    const double noise = kind == Planted::complete ? 0 : uniform() - 0.5;
    const bool is_forced = kind == Planted::quasi && row[3] == 1;
    data.labels.push_back(is_forced || 2 * row[0] - row[1] + noise > 0.1 ? 1 : 0);
    data.rows.push_back(std::move(row));
  }
  return data;
}

TEST(ClassSeparation, IsFoundAmongManyRows) {
  constexpr std::size_t rows = 20'000, features = 12;
  Row fit(features + 1);
  fit[0] = 2;
  fit[1] = -1;
  fit.back() = -0.1;
  const auto none = found(planted(Planted::overlap, rows, features), fit);
  EXPECT_EQ(none.kind, SeparationKind::none);
  EXPECT_EQ(none.evidence, SeparationEvidence::linear_program);

  const Data with_quasi = planted(Planted::quasi, rows, features);
  const auto quasi = found(with_quasi, fit);
  EXPECT_EQ(quasi.kind, SeparationKind::quasi);
  EXPECT_TRUE(is_proved(with_quasi, quasi));
  for (std::size_t j = 0; j < quasi.direction.size(); ++j) EXPECT_NEAR(quasi.direction[j], j == 3 ? 1 : 0, 1e-9);

  const Data complete = planted(Planted::complete, rows, features);
  const auto by_margins = found(complete, fit);
  EXPECT_EQ(by_margins.kind, SeparationKind::complete);
  EXPECT_EQ(by_margins.evidence, SeparationEvidence::margins);
  fit[1] = 0;  // like the fit of a run that was stopped early
  const auto by_program = found(complete, fit);
  EXPECT_EQ(by_program.kind, SeparationKind::complete);
  EXPECT_EQ(by_program.evidence, SeparationEvidence::linear_program);
  EXPECT_TRUE(is_proved(complete, by_program));
}

// Features depend on each other, like those of a category with a feature for each level, next to a constant.
TEST(ClassSeparation, IsFoundWhereFeaturesDependOnEachOther) {
  Data data;
  for (int i = 0; i < 60; ++i) {
    const int level = i % 3;
    data.rows.push_back({level == 0 ? 1.0 : 0.0, level == 1 ? 1.0 : 0.0, level == 2 ? 1.0 : 0.0, 1});
    data.labels.push_back(level == 2 || i % 2 == 0 ? 1 : 0);  // label 1 for all of level 2
  }
  EXPECT_EQ(found(data, {0, 0, 1, 0}).kind, SeparationKind::quasi);
  data.labels[2] = 0;
  EXPECT_EQ(found(data, {0, 0, 1, 0}).kind, SeparationKind::none);
}

TEST(ClassSeparation, IsLeftOpenForVeryManyCoefficients) {
  Data data;
  const std::size_t features = max_separation_coefficients + 1;
  for (int i = 0; i < 4; ++i) {
    data.rows.emplace_back(features, 0.0);
    data.rows.back()[0] = i;
    data.labels.push_back(i % 2);
  }
  Row fit(features);
  fit[0] = 1;
  EXPECT_EQ(found(data, fit).kind, SeparationKind::unknown);
  data.rows[1][0] = -1;  // with the next two lines, margins −2, −1, 2 and 3 of labels 0, 0, 1 and 1
  data.labels = {0, 0, 1, 1};
  data.rows[0][0] = -2;
  EXPECT_EQ(found(data, fit).kind, SeparationKind::complete);  // no linear program is needed
}

TEST(ClassSeparation, ChecksSizes) {
  const std::vector<double> labels = {0, 1};
  const ClassRows rows{2, labels, [](std::int64_t, std::span<double>) {}};
  EXPECT_EQ(test::refusal([&] {
              class_separation(rows, {1}, {0, 0});
            }),
            "dimension of the coefficients is 1, expected that of the problem, 2");
}

}  // namespace class_separation_tests
}  // namespace sporos
