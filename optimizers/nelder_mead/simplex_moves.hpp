// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/optimizers/nelder_mead/rules.hpp>
#include <sporos/optimizers/nelder_mead/simplex_gradient.hpp>
#include <sporos/optimizers/nelder_mead/simplices.hpp>
#include <sporos/optimizers/nelder_mead/vertex_order.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// One simplex, moved by a team. All threads of the team decide alike, from numbers that all of them read; each moves
/// its own coordinates, always the same ones; and one alone writes what all of them read.
template <class ExecutionSpace>
class SimplexMove {
 public:
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  KOKKOS_FUNCTION SimplexMove(const Team& team, const Simplices<ExecutionSpace>& all, const NelderMeadRules& rules,
                              std::int32_t simplex)
      : m_team(team),
        m_all(all),
        m_rules(rules),
        m_order{all, simplex},
        m_simplex(simplex),
        m_size(all.dimensions(simplex)),
        m_status(all.statuses(simplex)) {}

  KOKKOS_FUNCTION const NelderMeadStatus& status() const { return m_status; }
  KOKKOS_FUNCTION std::int32_t dimension() const { return m_size; }

  /// Takes the value at the wanted point, and then wants another one.
  KOKKOS_FUNCTION void tell(double value) {
    ++m_status.evaluations;
    if (!(math::impl::absolute(value) < math::impl::infinity)) value = math::impl::infinity;
    switch (m_status.wanted) {
      case NelderMeadPoint::vertex:
        return tell_vertex(value);
      case NelderMeadPoint::reflection:
        return tell_reflection(value);
      case NelderMeadPoint::expansion:
        return value < m_status.reflected ? accept(NelderMeadPoint::expansion, value)
                                          : accept(NelderMeadPoint::reflection, m_status.reflected);
      case NelderMeadPoint::outside_contraction:
        return value <= m_status.reflected ? accept(m_status.wanted, value) : shrink();
      case NelderMeadPoint::inside_contraction:
        return value < value_at(m_size) ? accept(m_status.wanted, value) : shrink();
      case NelderMeadPoint::best_again:
        return tell_best_again(value);
      case NelderMeadPoint::none:
        return;
    }
  }

  /// Begins an iteration, unless the simplex is to stop or to be replaced. Does the same again for one that has stopped
  /// here.
  KOKKOS_FUNCTION void begin() {
    const double best = value_at(0), worst = value_at(m_size);
    if (best == math::impl::infinity) return stop(StoppedBy::not_finite);
    const bool may_go_on = m_status.evaluations < m_rules.evaluations;
    if (has_converged(best, worst)) {
      const bool may_restart =
          may_go_on && m_status.restarts < m_rules.restarts && m_status.converged - best > m_rules.least_gain;
      return may_restart ? restart(best) : stop(StoppedBy::simplex);
    }
    if (!may_go_on) return stop(StoppedBy::evaluations);
    if (m_status.oriented_restarts < m_rules.oriented_restarts && worst < math::impl::infinity && stagnates()) {
      return orient();
    }
    set_centroid();
    m_status.wanted = NelderMeadPoint::reflection;
  }

  /// Writes the wanted point to `row(i)`; the best vertex where none is wanted.
  template <class Row>
  KOKKOS_FUNCTION void write_wanted(const Row& row) const {
    const bool is_trial = m_status.wanted != NelderMeadPoint::none && m_status.wanted != NelderMeadPoint::vertex &&
                          m_status.wanted != NelderMeadPoint::best_again;
    const double t = is_trial ? coefficient(m_rules.coefficients, m_size, m_status.wanted) : 0.0;
    const std::int32_t v = vertex(m_status.wanted == NelderMeadPoint::vertex ? m_status.position : 0);
    for_coordinates([&](std::int32_t i) { row(i) = is_trial ? trial(t, i) : m_all.vertices(m_simplex, v, i); });
  }

  /// Keeps the status.
  KOKKOS_FUNCTION void finish() const {
    alone([&]() { m_all.statuses(m_simplex) = m_status; });
  }

 private:
  template <class Body>
  KOKKOS_FUNCTION void for_coordinates(const Body& body) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(m_team, m_size), body);
  }
  template <class Body>
  KOKKOS_FUNCTION void alone(const Body& body) const {
    m_team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(m_team), body);
    m_team.team_barrier();
  }

  KOKKOS_FUNCTION std::int32_t vertex(std::int32_t position) const { return m_order.vertex(position); }
  KOKKOS_FUNCTION double& value_at(std::int32_t position) const { return m_order.value_at(position); }
  KOKKOS_FUNCTION double& coordinate_at(std::int32_t position, std::int32_t i) const {
    return m_order.coordinate_at(position, i);
  }

  KOKKOS_FUNCTION double trial(double t, std::int32_t i) const {
    const double center = m_all.centroids(m_simplex, i);
    return center + t * (center - coordinate_at(m_size, i));
  }

  KOKKOS_FUNCTION void stop(StoppedBy reason) {
    m_status.wanted = NelderMeadPoint::none;
    m_status.stopped_by = reason;
  }

  KOKKOS_FUNCTION void tell_vertex(double value) {
    alone([&]() { m_order.set_value(m_status.position, value); });
    if (m_status.position++ < m_size) return;
    m_status.position = 0;
    alone([&]() {
      for (std::int32_t p = 1; p <= m_size; ++p) m_order.settle(p);
    });
    go_on();
  }
  KOKKOS_FUNCTION void tell_reflection(double value) {
    m_status.reflected = value;
    if (value < value_at(0)) {
      m_status.wanted = NelderMeadPoint::expansion;
    } else if (value < value_at(m_size - 1)) {
      accept(NelderMeadPoint::reflection, value);
    } else {
      m_status.wanted =
          value < value_at(m_size) ? NelderMeadPoint::outside_contraction : NelderMeadPoint::inside_contraction;
    }
  }
  KOKKOS_FUNCTION void tell_best_again(double value) {
    alone([&]() {
      std::int64_t& count = m_all.value_evaluations(m_simplex, vertex(0));
      value_at(0) = (value_at(0) * static_cast<double>(count) + value) / static_cast<double>(count + 1);
      ++count;
      for (std::int32_t p = 0; p < m_size && value_at(p + 1) < value_at(p); ++p) m_order.exchange(p, p + 1);
    });
    begin();
  }

  /// The worst vertex becomes this point.
  KOKKOS_FUNCTION void accept(NelderMeadPoint point, double value) {
    const double t = coefficient(m_rules.coefficients, m_size, point);
    for_coordinates([&](std::int32_t i) { coordinate_at(m_size, i) = trial(t, i); });
    m_order.settle_last(m_team, m_size, value);
    ++m_status.iterations;
    go_on();
  }
  /// All vertices have values.
  KOKKOS_FUNCTION void go_on() {
    const std::int64_t interval = m_rules.reevaluation_interval;
    if (interval > 0 && m_status.iterations % interval == 0) {
      m_status.wanted = NelderMeadPoint::best_again;
    } else {
      begin();
    }
  }

  /// All vertices but the best one become `moved(position, coordinate)`, and wait for their values.
  template <class Moved>
  KOKKOS_FUNCTION void replace_vertices(const Moved& moved) {
    for (std::int32_t p = 1; p <= m_size; ++p) {
      for_coordinates([&](std::int32_t i) { coordinate_at(p, i) = moved(p, i); });
    }
    alone([&]() {
      for (std::int32_t p = 1; p <= m_size; ++p) value_at(p) = math::impl::infinity;
    });
    m_status.wanted = NelderMeadPoint::vertex;
    m_status.position = 1;
    m_status.has_mean = m_status.is_collapsed = false;
  }
  KOKKOS_FUNCTION void shrink() {
    const double by = shrinkage(m_rules.coefficients, m_size);
    replace_vertices([&](std::int32_t p, std::int32_t i) {
      return coordinate_at(0, i) + by * (coordinate_at(p, i) - coordinate_at(0, i));
    });
    ++m_status.iterations;
    ++m_status.shrinks;
    m_status.is_collapsed = !(size() > 0);
  }
  KOKKOS_FUNCTION void restart(double best) {
    m_status.converged = best;
    m_status.decrease = 0;
    const double sign = ++m_status.restarts % 2 == 0 ? 1 : -1;
    replace_vertices([&](std::int32_t p, std::int32_t i) {
      return coordinate_at(0, i) + (p == i + 1 ? sign * m_all.steps(m_simplex, i) : 0.0);
    });
  }
  /// Towards where the gradient falls.
  KOKKOS_FUNCTION void orient() {
    ++m_status.oriented_restarts;
    const SimplexGradient gradient = simplex_gradient();
    const double step = gradient.nearest() / 2;
    replace_vertices([&](std::int32_t p, std::int32_t i) {
      const double signed_step = gradient.component(i) < 0 ? step : -step;
      return coordinate_at(0, i) + (p == i + 1 ? signed_step : 0.0);
    });
  }

  static constexpr double rounding = 0x1p-50;  // of a number, relative

  KOKKOS_FUNCTION bool has_converged(double best, double worst) const {
    if (m_status.is_collapsed) return true;
    const double least = rounding * math::impl::absolute(best);
    const double most = m_rules.value_tolerance > least ? m_rules.value_tolerance : least;
    return !(worst - best > most) && !(size() > m_rules.size_tolerance);
  }
  /// The largest distance in a coordinate from the best vertex that is more than rounding.
  KOKKOS_FUNCTION double size() const {
    double found = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(m_team, m_size),
        [&](std::int32_t i, double& largest) {
          const double center = coordinate_at(0, i), least = rounding * math::impl::absolute(center);
          for (std::int32_t p = 1; p <= m_size; ++p) {
            const double distance = math::impl::absolute(coordinate_at(p, i) - center);
            if (distance > least && distance > largest) largest = distance;
          }
        },
        Kokkos::Max<double>(found));
    return found;
  }

  KOKKOS_FUNCTION void set_centroid() const {
    const double share = 1.0 / m_size;
    if constexpr (runs_on_host<ExecutionSpace>) {  // whole vertices, in vector registers
      for_coordinates([&](std::int32_t i) { m_all.centroids(m_simplex, i) = coordinate_at(0, i); });
      for (std::int32_t p = 1; p < m_size; ++p) {
        const std::int32_t v = vertex(p);
        for_coordinates([&](std::int32_t i) { m_all.centroids(m_simplex, i) += m_all.vertices(m_simplex, v, i); });
      }
      for_coordinates([&](std::int32_t i) { m_all.centroids(m_simplex, i) *= share; });
    } else {
      for_coordinates([&](std::int32_t i) {
        constexpr std::int32_t batch = 16;  // on their way at once: a device's memory is far away
        double sum = coordinate_at(0, i);
        for (std::int32_t first = 1; first < m_size; first += batch) {
          double x[batch];
          for (std::int32_t j = 0; j < batch; ++j) {
            x[j] = coordinate_at(first + j < m_size ? first + j : m_size - 1, i);
          }
          for (std::int32_t j = 0; j < batch; ++j) sum = first + j < m_size ? sum + x[j] : sum;
        }
        m_all.centroids(m_simplex, i) = sum * share;
      });
    }
  }

  KOKKOS_FUNCTION SimplexGradient simplex_gradient() const {
    const auto stride = static_cast<std::int32_t>(m_all.equations.extent(2));
    return {{&m_all.equations(m_simplex, 0, 0), m_size, stride}, &m_all.equations(m_simplex, m_size, 0)};
  }
  /// Whether the last iteration lowered the mean value by less than the gradient before it promised.
  KOKKOS_FUNCTION bool stagnates() {
    const SimplexGradient gradient = simplex_gradient();
    alone([&]() {
      gradient.form([&](std::int32_t row, std::int32_t i) {
        return i < m_size ? coordinate_at(row + 1, i) - coordinate_at(0, i) : value_at(row + 1) - value_at(0);
      });
    });
    double mean = 0;
    for (std::int32_t p = 0; p <= m_size; ++p) mean += value_at(p) / (m_size + 1);
    const double slope = gradient.squared_norm(), fall = m_status.mean - mean;
    const bool is_flat = !(slope < math::impl::infinity);  // a simplex without volume, or next to it
    if (is_flat || (m_status.has_mean && fall > 0 && fall < m_status.decrease * m_status.squared_slope)) return true;
    if (!(m_status.decrease > 0) && slope > 0) m_status.decrease = 1e-4 * gradient.farthest() / ::sqrt(slope);
    m_status.mean = mean;
    m_status.squared_slope = slope;
    m_status.has_mean = true;
    return false;
  }

  const Team& m_team;
  const Simplices<ExecutionSpace>& m_all;
  const NelderMeadRules& m_rules;
  VertexOrder<ExecutionSpace> m_order;
  std::int32_t m_simplex, m_size;
  NelderMeadStatus m_status;
};

}  // namespace sporos::impl
