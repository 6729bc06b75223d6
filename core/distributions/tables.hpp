// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

/// Distributions that are tables, by inverse CDF; see continuous.hpp for what `draw` may be. A table's numbers are
/// owned by an object of the host (`DiscreteTable`, `EmpiricalTable`); a model carries its handle, which is trivially
/// copyable and good for kernels that can reach the table's memory space, as long as the table or a copy of it lives.
namespace sporos {

/// The numbers behind `discrete`, not owned.
struct DiscreteHandle {
  const double* values;       ///< increasing
  const double* cumulative;   ///< P(X <= values[i]); the last is 1
  const std::int64_t* guide;  ///< guide[j]: where to begin the search for j/size <= u < (j+1)/size
  std::int64_t size;          ///< of each of values, cumulative and guide
};

/// The value x of the table with P(X < x) < u <= P(X <= x). A guide table (H.-C. Chen, Y. Asau, 1974) makes the search
/// two steps long on average, whatever the table's size. The variate never falls as u grows.
template <class Draw>
KOKKOS_FUNCTION UniformOf<Draw> discrete(Draw&& draw, const DiscreteHandle& table) {
  return of_uniform(static_cast<Draw&&>(draw), [&](double u) {
    std::int64_t i = table.guide[static_cast<std::int64_t>(u * static_cast<double>(table.size))];
    while (table.cumulative[i] < u) ++i;
    return table.values[i];
  });
}

/// The numbers behind `empirical` and `empirical_step`, not owned.
struct EmpiricalHandle {
  const double* sorted;  ///< the observations x₁ <= … <= xₙ
  std::int64_t size;     ///< n
};

/// The CDF that rises in straight lines through (xᵢ, (i − 1)/(n − 1)), from the smallest observation to the largest.
/// The variate never falls as u grows.
template <class Draw>
KOKKOS_FUNCTION UniformOf<Draw> empirical(Draw&& draw, const EmpiricalHandle& table) {
  return of_uniform(static_cast<Draw&&>(draw), [&](double u) {
    if (table.size == 1) return table.sorted[0];
    const double position = u * static_cast<double>(table.size - 1);
    const std::int64_t i = static_cast<std::int64_t>(position);
    const double below = table.sorted[i], above = table.sorted[i + 1];
    const double x = below + (position - static_cast<double>(i)) * (above - below);
    return x < above ? x : above;
  });
}

/// One of the observations, each with probability 1/n: the smallest with F(x) >= u for the CDF F that steps up there.
/// The variate never falls as u grows.
template <class Draw>
KOKKOS_FUNCTION UniformOf<Draw> empirical_step(Draw&& draw, const EmpiricalHandle& table) {
  return of_uniform(static_cast<Draw&&>(draw), [&](double u) {
    const double position = u * static_cast<double>(table.size);
    const std::int64_t i = static_cast<std::int64_t>(position);
    return table.sorted[static_cast<double>(i) == position ? i - 1 : i];
  });
}

namespace impl {

/// A copy of `numbers` in `MemorySpace`.
template <class MemorySpace, class T>
Kokkos::View<const T*, MemorySpace> table_view(const std::string& label, const std::vector<T>& numbers) {
  Kokkos::View<T*, MemorySpace> view(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), numbers.size());
  copy_elements(view, numbers);
  return view;
}

inline std::string element_name(const char* name, std::size_t i) {
  return std::string(name).append("[").append(std::to_string(i)).append("]");
}

inline void check_discrete_table(std::span<const double> values, std::span<const double> probabilities);
inline void check_observations(std::span<const double> observations);
inline std::vector<double> cumulative_probabilities(std::span<const double> probabilities);
inline std::vector<std::int64_t> guide_table(const std::vector<double>& cumulative);

}  // namespace impl

/// How far from 1 the probabilities of a table may sum up; they are divided by their sum.
inline constexpr double probability_sum_tolerance = 1e-9;

/// A finite table of values and their probabilities, in `MemorySpace`. Copies share the numbers.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class DiscreteTable {
 public:
  /// @throws std::invalid_argument where there is no value, values and probabilities differ in number, a value is not
  /// finite or not above the one before, or the probabilities are negative, not finite or do not sum to 1.
  DiscreteTable(std::span<const double> values, std::span<const double> probabilities) {
    impl::check_discrete_table(values, probabilities);
    const std::vector<double> cumulative = impl::cumulative_probabilities(probabilities);
    m_values = impl::table_view<MemorySpace>("sporos::discrete_table::values",
                                             std::vector<double>(values.begin(), values.end()));
    m_cumulative = impl::table_view<MemorySpace>("sporos::discrete_table::cumulative", cumulative);
    m_guide = impl::table_view<MemorySpace>("sporos::discrete_table::guide", impl::guide_table(cumulative));
  }

  /// The values 0, 1, 2, ….
  explicit DiscreteTable(std::span<const double> probabilities)
      : DiscreteTable(indices(probabilities.size()), probabilities) {}

  /// For `discrete`, as long as this table or a copy of it lives.
  DiscreteHandle handle() const {
    return {m_values.data(), m_cumulative.data(), m_guide.data(), static_cast<std::int64_t>(m_values.extent(0))};
  }

 private:
  static std::vector<double> indices(std::size_t size) {
    std::vector<double> values(size);
    std::iota(values.begin(), values.end(), 0.0);
    return values;
  }

  Kokkos::View<const double*, MemorySpace> m_values, m_cumulative;
  Kokkos::View<const std::int64_t*, MemorySpace> m_guide;
};

/// Observations, sorted, in `MemorySpace`. Copies share the numbers.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class EmpiricalTable {
 public:
  /// Observations in any order.
  /// @throws std::invalid_argument where there is none, or one is not finite.
  explicit EmpiricalTable(std::span<const double> observations) {
    impl::check_observations(observations);
    std::vector<double> sorted(observations.begin(), observations.end());
    std::sort(sorted.begin(), sorted.end());
    m_sorted = impl::table_view<MemorySpace>("sporos::empirical_table::sorted", sorted);
  }

  /// For `empirical` and `empirical_step`, as long as this table or a copy of it lives.
  EmpiricalHandle handle() const { return {m_sorted.data(), static_cast<std::int64_t>(m_sorted.extent(0))}; }

 private:
  Kokkos::View<const double*, MemorySpace> m_sorted;
};

namespace impl {

inline void check_discrete_table(std::span<const double> values, std::span<const double> probabilities) {
  if (values.empty()) refuse_parameter("number of values", "0", "at least 1");
  if (values.size() != probabilities.size()) {
    refuse_parameter("number of probabilities", std::to_string(probabilities.size()),
                     "one for each value, " + std::to_string(values.size()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    check_finite(element_name("values", i), values[i]);
    if (i > 0) check_below(element_name("values", i - 1), values[i - 1], element_name("values", i), values[i]);
    check_non_negative(element_name("probabilities", i), probabilities[i]);
  }
  const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  check_parameter(std::abs(sum - 1.0) <= probability_sum_tolerance, "sum of the probabilities", sum,
                  "1 to within " + number_text(probability_sum_tolerance));
}

inline void check_observations(std::span<const double> observations) {
  if (observations.empty()) refuse_parameter("number of observations", "0", "at least 1");
  for (std::size_t i = 0; i < observations.size(); ++i) check_finite(element_name("observations", i), observations[i]);
}

inline std::vector<double> cumulative_probabilities(std::span<const double> probabilities) {
  std::vector<double> cumulative(probabilities.size());
  std::partial_sum(probabilities.begin(), probabilities.end(), cumulative.begin());
  const double sum = cumulative.back();
  for (double& c : cumulative) c /= sum;
  return cumulative;
}

/// guide[j]: the first i that a u with ⌊u size⌋ = j may need, and so the first with cumulative[i] >= j / size, where
/// the bound lies low enough for the rounding of u · size.
inline std::vector<std::int64_t> guide_table(const std::vector<double>& cumulative) {
  std::vector<std::int64_t> guide(cumulative.size());
  const double size = static_cast<double>(cumulative.size());
  std::int64_t i = 0;
  for (std::size_t j = 0; j < guide.size(); ++j) {
    const double bound = static_cast<double>(j) / size * (1.0 - 0x1p-50);
    while (cumulative[static_cast<std::size_t>(i)] < bound) ++i;
    guide[j] = i;
  }
  return guide;
}

// Families of distributions, as in continuous.hpp, that are tables.

struct DiscreteFamily {
  static constexpr bool has_probabilities = true;
  static void check(std::span<const double> values, std::span<const double> probabilities) {
    check_discrete_table(values, probabilities);
  }
  static double mean(std::span<const double> values, std::span<const double> probabilities) {
    double sum = 0, total = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += values[i] * probabilities[i];
      total += probabilities[i];
    }
    return sum / total;
  }
  KOKKOS_FUNCTION static double variate(double u, const DiscreteHandle& table) { return discrete(u, table); }
};

struct EmpiricalFamily {
  static constexpr bool has_probabilities = false;
  static void check(std::span<const double> values, std::span<const double>) { check_observations(values); }
  // Straight lines between neighbours: the mean of the midpoints.
  static double mean(std::span<const double> values, std::span<const double>) {
    if (values.size() == 1) return values[0];
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return (sum - (*least + *most) / 2) / static_cast<double>(values.size() - 1);
  }
  KOKKOS_FUNCTION static double variate(double u, const DiscreteHandle& table) {
    return empirical(u, EmpiricalHandle{table.values, table.size});
  }
};

}  // namespace impl

}  // namespace sporos
