// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/linear_algebra/square_matrix.hpp>

#include <boost/numeric/ublas/lu.hpp>
#include <boost/numeric/ublas/matrix.hpp>

namespace sporos {

// Of the factors without pivoting the pivots are what the others leave of the diagonal.
std::optional<SquareMatrix> inverse_of_definite(const SquareMatrix& matrix) {
  using boost::numeric::ublas::inplace_solve;
  using boost::numeric::ublas::row_major;
  using Matrix = boost::numeric::ublas::matrix<double, row_major, std::vector<double>>;
  constexpr double least_left = 1e-8;
  const std::size_t size = matrix.size();
  Matrix factors(size, size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) factors(i, j) = matrix(i, j);
  }
  boost::numeric::ublas::lu_factorize(factors);
  for (std::size_t i = 0; i < size; ++i) {
    if (!(matrix(i, i) > 0 && factors(i, i) > least_left * matrix(i, i))) return {};
  }
  Matrix solution = boost::numeric::ublas::identity_matrix<double>(size);
  inplace_solve(factors, solution, boost::numeric::ublas::unit_lower_tag());
  inplace_solve(factors, solution, boost::numeric::ublas::upper_tag());
  SquareMatrix inverse(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) inverse(i, j) = solution(i, j);
  }
  return inverse;
}

}  // namespace sporos
