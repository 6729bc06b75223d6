// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/optimizers/nelder_mead/rules.hpp>
#include <sporos/optimizers/nelder_mead/simplex_gradient.hpp>
#include <sporos/optimizers/nelder_mead/simplices.hpp>
#include <sporos/optimizers/nelder_mead/team_simplex.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// Moves one simplex by a team. All threads of the team make the same decisions from numbers that all of them read.
/// Each thread moves its own coordinates, always the same ones, and a single thread writes the numbers that all read.
template <class ExecutionSpace>
class SimplexMove : public TeamSimplex<ExecutionSpace> {
  using Base = TeamSimplex<ExecutionSpace>;

 public:
  using typename Base::Team;

  /// Loads the simplex (see TeamSimplex).
  KOKKOS_FUNCTION SimplexMove(const Team& team, const Simplices<ExecutionSpace>& all, const NelderMeadRules& rules,
                              std::int32_t simplex, void* scratch)
      : Base(team, all, simplex, scratch),
        m_all(all),
        m_rules(rules),
        m_simplex(simplex),
        m_status(all.statuses(simplex)) {}

  KOKKOS_FUNCTION const NelderMeadStatus& status() const { return m_status; }
  KOKKOS_FUNCTION std::int32_t dimension() const { return m_size; }

  /// Takes the value at the requested point and requests the next point. Work that may follow several kinds of points
  /// appears only once, because it is inlined and a device's instruction cache is small.
  KOKKOS_FUNCTION void tell(double value) {
    ++m_status.evaluations;
    if (!(math::impl::absolute(value) < math::impl::infinity)) value = math::impl::infinity;
    NelderMeadPoint accepted = m_status.wanted;
    Task task = Task::none;
    switch (m_status.wanted) {
      case NelderMeadPoint::vertex:
        task = has_all_vertices(value) ? Task::go_on : Task::none;
        break;
      case NelderMeadPoint::reflection:
        task = is_good_reflection(value) ? Task::accept : Task::none;
        break;
      case NelderMeadPoint::expansion:
        if (!(value < m_status.reflected)) {
          accepted = NelderMeadPoint::reflection;
          value = m_status.reflected;
        }
        task = Task::accept;
        break;
      case NelderMeadPoint::outside_contraction:
        task = value <= m_status.reflected ? Task::accept : Task::shrink;
        break;
      case NelderMeadPoint::inside_contraction:
        task = value < value_at(m_size) ? Task::accept : Task::shrink;
        break;
      case NelderMeadPoint::best_again:
        tell_best_again(value);
        task = Task::begin;
        break;
      case NelderMeadPoint::none:
        break;
    }
    if (task == Task::accept) accept(accepted, value);
    if (task == Task::shrink) return shrink();
    if ((task == Task::accept || task == Task::go_on) && is_time_to_reevaluate()) {
      m_status.wanted = NelderMeadPoint::best_again;
    } else if (task != Task::none) {
      begin();
    }
  }

  /// Starts an iteration, unless the simplex has to stop or to be replaced. A call for a simplex that has stopped here
  /// repeats the same decision.
  KOKKOS_FUNCTION void begin() {
    const double best = value_at(0), worst = value_at(m_size);
    if (best == math::impl::infinity) return stop(StoppedBy::not_finite);
    const bool may_iterate = m_status.iterations < m_rules.iterations;
    const bool may_go_on = may_iterate && m_status.evaluations < m_rules.evaluations;
    if (has_converged(best, worst)) {
      const bool may_restart =
          may_go_on && m_status.restarts < m_rules.restarts && m_status.converged - best > m_rules.min_gain;
      return may_restart ? restart(best) : stop(StoppedBy::simplex);
    }
    if (!may_go_on) return stop(may_iterate ? StoppedBy::evaluations : StoppedBy::iterations);
    if (m_status.oriented_restarts < m_rules.oriented_restarts && worst < math::impl::infinity && stagnates()) {
      return orient();
    }
    set_to_centroid();
    m_status.wanted = NelderMeadPoint::reflection;
  }

  /// Writes the requested point, or the best vertex if none is requested, to `row`, which has one number per
  /// coordinate. Returns the address at which the team's threads read it fastest, after a barrier.
  KOKKOS_FUNCTION const double* write_wanted(double* row) const {
    const bool is_trial = m_status.wanted != NelderMeadPoint::none && m_status.wanted != NelderMeadPoint::vertex &&
                          m_status.wanted != NelderMeadPoint::best_again;
    const double t = is_trial ? coefficient(m_rules.coefficients, m_size, m_status.wanted) : 0.0;
    const std::int32_t position = m_status.wanted == NelderMeadPoint::vertex ? m_status.position : 0;
    return write_point(row, [&](std::int32_t i) { return is_trial ? trial(t, i) : coordinate_at(position, i); });
  }

  /// Stores the status and all data that are only in scratch memory.
  KOKKOS_FUNCTION void finish() const {
    on_one_lane([&]() { m_all.statuses(m_simplex) = m_status; });
    this->write_back();
  }

 private:
  using Base::on_one_lane, Base::coordinate_at, Base::for_coordinates, Base::m_order, Base::m_size, Base::m_team,
      Base::set_coordinate, Base::set_to_centroid, Base::size, Base::trial, Base::value_at, Base::vertex,
      Base::write_point;

  enum class Task { none, accept, shrink, go_on, begin };

  KOKKOS_FUNCTION void stop(StoppedBy reason) {
    m_status.wanted = NelderMeadPoint::none;
    m_status.stopped_by = reason;
  }

  /// Stores a vertex's value. Returns whether it was the last of the vertices' values.
  KOKKOS_FUNCTION bool has_all_vertices(double value) {
    on_one_lane([&]() { m_order.set_value(m_status.position, value); });
    if (m_status.position++ < m_size) return false;
    m_status.position = 0;
    on_one_lane([&]() {
      SPOROS_NOT_UNROLLED
      for (std::int32_t p = 1; p <= m_size; ++p) m_order.settle(p);
    });
    return true;
  }
  /// Whether to accept the reflected point; otherwise requests another point.
  KOKKOS_FUNCTION bool is_good_reflection(double value) {
    m_status.reflected = value;
    if (value < value_at(0)) {
      m_status.wanted = NelderMeadPoint::expansion;
    } else if (value < value_at(m_size - 1)) {
      return true;
    } else {
      m_status.wanted =
          value < value_at(m_size) ? NelderMeadPoint::outside_contraction : NelderMeadPoint::inside_contraction;
    }
    return false;
  }
  KOKKOS_FUNCTION void tell_best_again(double value) {
    on_one_lane([&]() {
      std::int64_t& count = m_order.value_evaluations[vertex(0)];
      value_at(0) = (value_at(0) * static_cast<double>(count) + value) / static_cast<double>(count + 1);
      ++count;
      SPOROS_NOT_UNROLLED
      for (std::int32_t p = 0; p < m_size && value_at(p + 1) < value_at(p); ++p) m_order.exchange(p, p + 1);
    });
  }

  /// Replaces the worst vertex by this point.
  KOKKOS_FUNCTION void accept(NelderMeadPoint point, double value) {
    const double t = coefficient(m_rules.coefficients, m_size, point);
    for_coordinates([&](std::int32_t i) { set_coordinate(m_size, i, trial(t, i)); });
    m_order.settle_last(m_team, m_size, value);
    ++m_status.iterations;
  }
  KOKKOS_FUNCTION bool is_time_to_reevaluate() const {
    const std::int64_t interval = m_rules.reevaluation_interval;
    return interval > 0 && m_status.iterations % interval == 0;
  }

  /// Replaces all vertices but the best by `moved(position, coordinate)` and requests their values.
  template <class Moved>
  KOKKOS_FUNCTION void replace_vertices(const Moved& moved) {
    SPOROS_NOT_UNROLLED
    for (std::int32_t p = 1; p <= m_size; ++p) {
      for_coordinates([&](std::int32_t i) { set_coordinate(p, i, moved(p, i)); });
    }
    on_one_lane([&]() {
      SPOROS_NOT_UNROLLED
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
  /// Replaces the simplex by one oriented along the negative gradient.
  KOKKOS_FUNCTION void orient() {
    ++m_status.oriented_restarts;
    const SimplexGradient gradient = simplex_gradient();
    const double step = gradient.nearest() / 2;
    replace_vertices([&](std::int32_t p, std::int32_t i) {
      const double signed_step = gradient.component(i) < 0 ? step : -step;
      return coordinate_at(0, i) + (p == i + 1 ? signed_step : 0.0);
    });
  }

  KOKKOS_FUNCTION bool has_converged(double best, double worst) const {
    if (m_status.is_collapsed) return true;
    const double least = Base::rounding * math::impl::absolute(best);
    const double most = m_rules.value_tolerance > least ? m_rules.value_tolerance : least;
    return !(worst - best > most) && !(size() > m_rules.size_tolerance);
  }
  KOKKOS_FUNCTION SimplexGradient simplex_gradient() const {
    const auto stride = static_cast<std::int32_t>(m_all.equations.extent(2));
    return {{&m_all.equations(m_simplex, 0, 0), m_size, stride}, &m_all.equations(m_simplex, m_size, 0)};
  }
  /// Whether the last iteration decreased the mean value by less than the previous gradient predicted.
  KOKKOS_FUNCTION bool stagnates() {
    const SimplexGradient gradient = simplex_gradient();
    on_one_lane([&]() {
      gradient.form([&](std::int32_t row, std::int32_t i) {
        return i < m_size ? coordinate_at(row + 1, i) - coordinate_at(0, i) : value_at(row + 1) - value_at(0);
      });
    });
    double mean = 0;
    for (std::int32_t p = 0; p <= m_size; ++p) mean += value_at(p) / (m_size + 1);
    const double slope = gradient.squared_norm(), fall = m_status.mean - mean;
    const bool is_flat = !(slope < math::impl::infinity);  // a simplex with little or no volume
    if (is_flat || (m_status.has_mean && fall > 0 && fall < m_status.decrease * m_status.squared_slope)) return true;
    if (!(m_status.decrease > 0) && slope > 0) m_status.decrease = 1e-4 * gradient.farthest() / ::sqrt(slope);
    m_status.mean = mean;
    m_status.squared_slope = slope;
    m_status.has_mean = true;
    return false;
  }

  const Simplices<ExecutionSpace>& m_all;
  const NelderMeadRules& m_rules;
  std::int32_t m_simplex;
  NelderMeadStatus m_status;
};

}  // namespace sporos::impl
