// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/class_separation.hpp>

#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/linear_programs/host_program.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

namespace sporos {

namespace {

using Row = std::vector<double>;

constexpr double min_product = 1e-9;  // for xᵀd, if the largest entries of x and d have size 1

double inner(const Row& x, const Row& y) { return std::inner_product(x.begin(), x.end(), y.begin(), 0.0); }

void scale_to_one(Row& numbers) {
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, std::abs(number));
  if (largest == 0) return;
  for (double& number : numbers) number /= largest;
}

// Searches for a direction d with zᵀd >= 0, or zᵀd > 0 if strict, for all signed rows z.
class Separator {
 public:
  Separator(const ClassRows& rows, const std::vector<double>& margins)
      : m_rows(rows), m_dimension(static_cast<std::size_t>(rows.dimension)), m_is_taken(rows.labels.size()) {
    std::vector<double> distances(margins.size());
    for (std::size_t i = 0; i < margins.size(); ++i) distances[i] = rows.labels[i] > 0 ? margins[i] : -margins[i];
    take_lowest(distances, std::max<std::size_t>(10 * m_dimension, 200));
    m_mean.resize(m_dimension);
    for (std::size_t i = 0; i < m_is_taken.size(); ++i) {
      const Row z = signed_row(i);
      for (std::size_t j = 0; j < m_dimension; ++j) m_mean[j] += z[j] / static_cast<double>(m_is_taken.size());
    }
  }

  // Returns no value if there is no direction, and an empty direction if this is undecided.
  std::optional<Row> direction(bool is_strict) {
    constexpr int max_rounds = 100;
    for (int round = 0; round < max_rounds; ++round) {
      std::optional<Row> found = direction_of_taken(is_strict);
      if (!found) return std::nullopt;
      std::vector<double> products(m_is_taken.size());
      bool is_violated = false, is_new = false;
      for (std::size_t i = 0; i < products.size(); ++i) {
        products[i] = inner(signed_row(i), *found);
        const bool is_wrong = is_strict ? products[i] <= min_product : products[i] < -min_product;
        is_violated = is_violated || is_wrong;
        is_new = is_new || (is_wrong && !m_is_taken[i]);
      }
      if (!is_violated) return found;
      if (!is_new) return Row{};  // rounding
      take_lowest(products, std::max<std::size_t>(2 * m_dimension, 50));
    }
    return Row{};
  }

 private:
  Row signed_row(std::size_t i) const {
    Row z(m_dimension);
    m_rows.read(static_cast<std::int64_t>(i), z);
    scale_to_one(z);
    if (!(m_rows.labels[i] > 0)) {
      for (double& number : z) number = -number;
    }
    return z;
  }

  // Adds the rows with the smallest numbers that are not in the program yet.
  void take_lowest(const std::vector<double>& numbers, std::size_t count) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (!m_is_taken[i]) places.push_back(i);
    }
    const std::size_t kept = std::min(count, places.size());
    std::partial_sort(
        places.begin(), places.begin() + static_cast<std::ptrdiff_t>(kept), places.end(),
        [&](std::size_t a, std::size_t b) { return std::pair(numbers[a], a) < std::pair(numbers[b], b); });
    places.resize(kept);
    for (const std::size_t i : places) {
      m_is_taken[i] = true;
      m_taken.push_back(signed_row(i));
    }
  }

  // There is a direction if and only if this program is infeasible: μ >= 0 with Σ μ z = −mean, or if strict Σ μ z = 0
  // and Σ μ = 1. Each equation is written as two inequalities.
  std::optional<Row> direction_of_taken(bool is_strict) const {
    const std::size_t equations = m_dimension + (is_strict ? 1 : 0);
    std::vector<double> limits(2 * equations);
    for (std::size_t j = 0; j < equations; ++j) {
      const double right = !is_strict ? -m_mean[j] : j == m_dimension ? 1 : 0;
      limits[2 * j] = right;
      limits[2 * j + 1] = -right;
    }
    std::vector<Row> columns;
    for (const Row& z : m_taken) {
      Row& column = columns.emplace_back(2 * equations);
      for (std::size_t j = 0; j < equations; ++j) {
        const double entry = j == m_dimension ? 1 : z[j];
        column[2 * j] = entry;
        column[2 * j + 1] = -entry;
      }
    }
    const LinearProgramSolution solution = HostProgram(columns, limits).minimize(Row(columns.size()));
    if (solution.status != LinearProgramStatus::infeasible) return std::nullopt;
    Row found(m_dimension);  // by Farkas' lemma
    for (std::size_t j = 0; j < m_dimension; ++j) found[j] = solution.prices[2 * j + 1] - solution.prices[2 * j];
    scale_to_one(found);
    return found;
  }

  const ClassRows& m_rows;
  std::size_t m_dimension;
  std::vector<bool> m_is_taken;
  std::vector<Row> m_taken;  // signed rows
  Row m_mean;                // mean of all signed rows
};

// Whether all margins have the sign of their label, beyond rounding.
bool are_all_right(const ClassRows& rows, const std::vector<double>& margins) {
  double largest = 0;
  for (const double margin : margins) largest = std::max(largest, std::abs(margin));
  for (std::size_t i = 0; i < margins.size(); ++i) {
    if (!((rows.labels[i] > 0 ? margins[i] : -margins[i]) > min_product * largest)) return false;
  }
  return true;
}

}  // namespace

std::string_view name_of(SeparationKind kind) {
  switch (kind) {
    case SeparationKind::none:
      return "none";
    case SeparationKind::quasi:
      return "quasi-complete";
    case SeparationKind::complete:
      return "complete";
    default:
      return "unknown";
  }
}

ClassSeparation class_separation(const ClassRows& rows, const std::vector<double>& coefficients,
                                 const std::vector<double>& margins) {
  impl::check_dimension("coefficients", static_cast<std::int64_t>(coefficients.size()), rows.dimension);
  impl::check_dimension("margins", static_cast<std::int64_t>(margins.size()),
                        static_cast<std::int64_t>(rows.labels.size()));
  if (are_all_right(rows, margins)) {
    ClassSeparation found{SeparationKind::complete, SeparationEvidence::margins, coefficients};
    scale_to_one(found.direction);
    return found;
  }
  if (rows.dimension > max_separation_coefficients) return {};
  Separator separator(rows, margins);
  std::optional<Row> direction = separator.direction(false);
  if (!direction) return {SeparationKind::none, SeparationEvidence::linear_program};
  if (direction->empty()) return {};
  if (auto strict = separator.direction(true); strict && !strict->empty()) {
    return {SeparationKind::complete, SeparationEvidence::linear_program, std::move(*strict)};
  }
  return {SeparationKind::quasi, SeparationEvidence::linear_program, std::move(*direction)};
}

}  // namespace sporos
