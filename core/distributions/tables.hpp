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
#include <string>
#include <vector>

/// Distributions given by tables, by inverse CDF. See continuous.hpp for the types of `draw`. A host object
/// (`DiscreteTable`, `EmpiricalTable`) owns a table's numbers. A model stores its handle, which is trivially copyable.
/// Kernels that can access the table's memory space can use the handle as long as the table or a copy of it lives.
namespace sporos {

/// View of a table for `discrete`; it does not own its numbers.
struct DiscreteHandle {
  const double* values;       ///< increasing values
  const double* cumulative;   ///< P(X <= values[i]); the last is 1
  const std::int64_t* guide;  ///< guide[j]: start of the search for j/size <= u < (j+1)/size
  std::int64_t size;          ///< size of each of values, cumulative and guide
};

/// Value x of the table with P(X < x) < u <= P(X <= x). With a guide table (Chen, Asau, 1974, On generating random
/// variates from an empirical distribution) the search takes two steps on average, for tables of any size. The variate
/// does not decrease as u grows.
template <class Draw>
KOKKOS_FUNCTION UniformOf<Draw> discrete(Draw&& draw, const DiscreteHandle& table) {
  return of_uniform(static_cast<Draw&&>(draw), [&](double u) {
    std::int64_t i = table.guide[static_cast<std::int64_t>(u * static_cast<double>(table.size))];
    while (table.cumulative[i] < u) ++i;
    return table.values[i];
  });
}

/// View of observations for `empirical` and `empirical_step`; it does not own its numbers.
struct EmpiricalHandle {
  const double* sorted;  ///< observations x₁ <= … <= xₙ
  std::int64_t size;     ///< number of observations n
};

/// Variate of the CDF that is linear between the points (xᵢ, (i − 1)/(n − 1)), from the smallest observation to the
/// largest. The variate does not decrease as u grows.
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

/// One of the observations, each with probability 1/n: the smallest with F(x) >= u for their step CDF F. The variate
/// does not decrease as u grows.
template <class Draw>
KOKKOS_FUNCTION UniformOf<Draw> empirical_step(Draw&& draw, const EmpiricalHandle& table) {
  return of_uniform(static_cast<Draw&&>(draw), [&](double u) {
    const double position = u * static_cast<double>(table.size);
    const std::int64_t i = static_cast<std::int64_t>(position);
    return table.sorted[static_cast<double>(i) == position ? i - 1 : i];
  });
}

namespace impl {

/// Copy of `numbers` in `MemorySpace`.
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

/// Largest deviation from 1 of the sum of a table's probabilities, which are divided by their sum.
inline constexpr double probability_sum_tolerance = 1e-9;

/// Finite table of values and their probabilities, in `MemorySpace`. Copies share the numbers.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class DiscreteTable {
 public:
  /// Takes increasing values and their probabilities. @throws std::invalid_argument if there is no value, values and
  /// probabilities differ in number, a value is not finite or not above the previous one, or the probabilities are
  /// negative, not finite or do not sum to 1.
  DiscreteTable(std::span<const double> values, std::span<const double> probabilities) {
    impl::check_discrete_table(values, probabilities);
    const std::vector<double> cumulative = impl::cumulative_probabilities(probabilities);
    m_values = impl::table_view<MemorySpace>("sporos::discrete_table::values",
                                             std::vector<double>(values.begin(), values.end()));
    m_cumulative = impl::table_view<MemorySpace>("sporos::discrete_table::cumulative", cumulative);
    m_guide = impl::table_view<MemorySpace>("sporos::discrete_table::guide", impl::guide_table(cumulative));
  }

  /// Table of the values 0, 1, 2, ….
  explicit DiscreteTable(std::span<const double> probabilities)
      : DiscreteTable(indices(probabilities.size()), probabilities) {}

  /// View for `discrete`, valid as long as this table or a copy of it lives.
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

/// Sorted observations, in `MemorySpace`. Copies share the numbers.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class EmpiricalTable {
 public:
  /// Takes observations in any order. @throws std::invalid_argument if there is no observation or one is not finite.
  explicit EmpiricalTable(std::span<const double> observations) {
    impl::check_observations(observations);
    std::vector<double> sorted(observations.begin(), observations.end());
    std::sort(sorted.begin(), sorted.end());
    m_sorted = impl::table_view<MemorySpace>("sporos::empirical_table::sorted", sorted);
  }

  /// View for `empirical` and `empirical_step`, valid as long as this table or a copy of it lives.
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

/// guide[j] is the first i that a u with ⌊u size⌋ = j may need: the first with cumulative[i] >= j / size, with a bound
/// that is low enough for the rounding of u · size.
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

// Families of distributions that are tables; see continuous.hpp.

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
  // The mean of the midpoints, since the CDF is linear between neighbours.
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
