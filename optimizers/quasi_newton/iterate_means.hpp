// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sporos::impl {

/// Sets sum += x, x −= α d.
template <class Space>
void add_and_move(const Space& space, const Vector<Space>& sum, const Vector<Space>& x, double alpha,
                  const ConstVector<Space>& d) {
  for_each_index(
      "sporos::quasi_newton::add_and_move", space, x.extent_int(0), 2 * nanoseconds_of_element,
      KOKKOS_LAMBDA(std::int64_t i) {
        sum(i) += x(i);
        x(i) -= alpha * d(i);
      });
}

/// Sets s = sum / L − average, average = sum / L, sum = 0.
template <class Space>
void turn_interval(const Space& space, const Vector<Space>& sum, double interval, const Vector<Space>& average,
                   const Vector<Space>& s) {
  for_each_index(
      "sporos::quasi_newton::turn_interval", space, sum.extent_int(0), 2 * nanoseconds_of_element,
      KOKKOS_LAMBDA(std::int64_t i) {
        const double mean = sum(i) / interval;
        s(i) = mean - average(i);
        average(i) = mean;
        sum(i) = 0;
      });
}

/// Returns the saved values, or zeros if there are none.
template <class Space>
Vector<Space> saved_or_zero(const Space& space, const std::vector<double>& values, std::size_t size) {
  return to_device<Space>(space, values.empty() ? std::vector<double>(size) : values);
}

/// Means of L successive iterates, at which and between which correction pairs are formed.
template <class Space>
class IterateMeans {
 public:
  /// Restores the means of a saved run.
  IterateMeans(const Space& space, const QuasiNewtonState& state)
      : m_sum(saved_or_zero<Space>(space, state.sum, state.solution.size())),
        m_average(saved_or_zero<Space>(space, state.average, state.solution.size())),
        m_s(Kokkos::view_alloc(space, "sporos::quasi_newton::s"), state.solution.size()),
        m_good_sum(Kokkos::view_alloc(space, "sporos::quasi_newton::good_sum"), state.solution.size()),
        m_has_average(!state.average.empty()) {}

  /// Adds x to the sum and moves it by −α d.
  void move(const Space& space, const Vector<Space>& x, double alpha, const ConstVector<Space>& d) {
    add_and_move<Space>(space, m_sum, x, alpha, d);
  }

  /// Ends an interval of L iterates. Returns whether there was an earlier one, so that s exists.
  bool turn(const Space& space, std::int64_t interval) {
    turn_interval<Space>(space, m_sum, static_cast<double>(interval), m_average, m_s);
    return std::exchange(m_has_average, true);
  }

  /// Sum of the iterates since the last interval, to which iterations on a host add.
  const Vector<Space>& sum() const { return m_sum; }
  /// Mean of the last interval.
  ConstVector<Space> average() const { return m_average; }
  /// Change of the mean since the previous interval.
  ConstVector<Space> s() const { return m_s; }

  /// Stores the sum for take_back().
  void keep(const Space& space) { copy_elements(space, m_good_sum, m_sum); }
  /// Restores the stored sum.
  void take_back() { std::swap(m_sum, m_good_sum); }

  /// Saves the means into a state.
  void save(const Space& space, QuasiNewtonState& state) const {
    state.sum = to_host<Space>(space, m_sum);
    state.average = m_has_average ? to_host<Space>(space, m_average) : std::vector<double>();
  }

 private:
  Vector<Space> m_sum, m_average, m_s, m_good_sum;  // see QuasiNewtonState
  bool m_has_average;
};

}  // namespace sporos::impl
