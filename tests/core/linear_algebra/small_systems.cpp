// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/linear_algebra/cholesky.hpp>
#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/random/standard_normals.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {
namespace small_systems_tests {

SquareMatrix drawn(std::size_t n) {
  std::vector<double> numbers(n * n);
  fill_standard_normals(Stream{1, n, 1}, 0, static_cast<std::int64_t>(n * n), numbers.data());
  SquareMatrix matrix(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) matrix(i, j) = numbers[i * n + j];
  }
  return matrix;
}

// The product B Bᵀ over the first `rank` columns of B.
SquareMatrix squared(const SquareMatrix& b, std::size_t rank) {
  SquareMatrix product(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      for (std::size_t k = 0; k < rank; ++k) product(i, j) += b(i, k) * b(j, k);
    }
  }
  return product;
}

TEST(SmallSystems, AreSolved) {
  for (std::size_t n = 1; n <= 20; ++n) {
    const SquareMatrix matrix = drawn(n);
    std::vector<double> right(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) right[i] += matrix(i, j) * static_cast<double>(j + 1);
    }
    const auto x = solution_of(matrix, right);
    for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(x[j], static_cast<double>(j + 1), 1e-10) << n;
  }
}

TEST(SmallSystems, ExchangeRows) {
  SquareMatrix matrix(2);
  matrix(0, 1) = 2;
  matrix(1, 0) = 4;
  EXPECT_EQ(solution_of(matrix, {2, 8}), (std::vector<double>{2, 1}));
}

TEST(SmallSystems, GiveNothingWhereTheyAreSingular) {
  SquareMatrix matrix(2);
  matrix(0, 0) = matrix(0, 1) = matrix(1, 0) = matrix(1, 1) = 1;
  EXPECT_TRUE(std::isnan(solution_of(matrix, {1, 2})[0]));
  EXPECT_EQ(pivots_of(matrix), (std::vector<double>{1, 0}));
  EXPECT_FALSE(inverse_of_definite(matrix));
}

// The reference computes row by row, as in textbooks. Replications of normal vectors depend on these bits.
TEST(CholeskyFactors, HaveTheBitsOfATextbook) {
  for (std::size_t n = 1; n <= 20; ++n) {
    const SquareMatrix matrix = squared(drawn(n), n);
    SquareMatrix expected(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double rest = matrix(i, j);
        for (std::size_t k = 0; k < j; ++k) rest -= expected(i, k) * expected(j, k);
        expected(i, j) = i == j ? std::sqrt(rest) : rest / expected(j, j);
      }
    }
    const CholeskyFactor found = cholesky_factor(matrix.entries(), n, 1e-12, 1e-12);
    ASSERT_EQ(found.pivots.size(), n);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = j; i < n; ++i) EXPECT_EQ(found.columns[j * n + i], expected(i, j)) << n;
    }
  }
}

TEST(CholeskyFactors, LeaveOutWhatOthersExplain) {
  const SquareMatrix matrix = squared(drawn(6), 4);
  const CholeskyFactor found = cholesky_factor(matrix.entries(), 6, 1e-10, 1e-10);
  EXPECT_FALSE(found.unexplained);
  EXPECT_EQ(found.pivots, (std::vector<std::size_t>{0, 1, 2, 3}));
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double product = 0;
      for (std::size_t k = 0; k < 4; ++k) product += found.columns[k * 6 + i] * found.columns[k * 6 + j];
      EXPECT_NEAR(product, matrix(i, j), 1e-12);
    }
  }
}

TEST(CholeskyFactors, FindWhatIsNotSemidefinite) {
  SquareMatrix matrix(2);
  matrix(0, 0) = matrix(1, 1) = 1;
  matrix(0, 1) = matrix(1, 0) = 1.5;
  const auto unexplained = cholesky_factor(matrix.entries(), 2, 1e-12, 1e-12).unexplained;
  ASSERT_TRUE(unexplained);
  EXPECT_EQ(unexplained->row, 1u);
  EXPECT_EQ(unexplained->column, 0u);
}

}  // namespace small_systems_tests
}  // namespace sporos::test
