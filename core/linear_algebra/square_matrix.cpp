// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define BOOST_UBLAS_NDEBUG  // without NDEBUG, the checks of uBLAS throw for nearly singular matrices
#include <sporos/core/linear_algebra/square_matrix.hpp>

#include <boost/numeric/ublas/lu.hpp>
#include <boost/numeric/ublas/matrix.hpp>
#include <boost/numeric/ublas/vector.hpp>

#include <algorithm>
#include <limits>

namespace sporos {

namespace {

namespace ublas = boost::numeric::ublas;
using Matrix = ublas::matrix<double, ublas::row_major, std::vector<double>>;

// The factors L and U, without row exchanges, in one matrix. The diagonal belongs to U and holds the pivots.
Matrix factors_of(const SquareMatrix& matrix) {
  Matrix factors(matrix.size(), matrix.size(), matrix.entries());
  ublas::lu_factorize(factors);
  return factors;
}

}  // namespace

std::vector<double> pivots_of(const SquareMatrix& matrix) {
  const Matrix factors = factors_of(matrix);
  std::vector<double> pivots;
  for (std::size_t i = 0; i < matrix.size(); ++i) pivots.push_back(factors(i, i));
  return pivots;
}

std::vector<double> solution_of(const SquareMatrix& matrix, std::vector<double> right) {
  Matrix factors(matrix.size(), matrix.size(), matrix.entries());
  ublas::permutation_matrix<std::size_t, std::vector<std::size_t>> exchanges(matrix.size());
  if (ublas::lu_factorize(factors, exchanges) != 0) {
    std::ranges::fill(right, std::numeric_limits<double>::quiet_NaN());
    return right;
  }
  ublas::vector<double, std::vector<double>> x(right.size(), right);
  ublas::lu_substitute(factors, exchanges, x);
  return x.data();
}

// Without row exchanges, each pivot is the part of its diagonal entry that the earlier directions leave unexplained.
std::optional<SquareMatrix> inverse_of_definite(const SquareMatrix& matrix) {
  constexpr double least_left = 1e-8;
  const std::size_t size = matrix.size();
  const Matrix factors = factors_of(matrix);
  for (std::size_t i = 0; i < size; ++i) {
    if (!(matrix(i, i) > 0 && factors(i, i) > least_left * matrix(i, i))) return {};
  }
  Matrix solution = ublas::identity_matrix<double>(size);
  ublas::inplace_solve(factors, solution, ublas::unit_lower_tag());
  ublas::inplace_solve(factors, solution, ublas::upper_tag());
  SquareMatrix inverse(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) inverse(i, j) = solution(i, j);
  }
  return inverse;
}

}  // namespace sporos
