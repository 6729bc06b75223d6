// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define BOOST_UBLAS_NDEBUG  // its checks throw for matrices that are nearly singular, where NDEBUG is not defined
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

// The factors L and U without exchanges, in one matrix: the diagonal, of U, has the pivots.
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

// Of the factors without exchanges the pivots are what the others leave of the diagonal.
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
