// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <string>

/// Brownian motion at given times, forward and as a bridge (Glasserman, 2004, Monte Carlo methods in financial
/// engineering, sections 3.1 and 6.4). See continuous.hpp for the types of `draw`. Parameters may be duals.
namespace sporos {

/// Value of a Brownian motion a time `elapsed` > 0 after it was at `from`:
/// from + drift · elapsed + deviation √elapsed z, where `deviation` is the standard deviation over a time of 1.
template <class Draw, class From, class Drift, class Deviation>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, From, Drift, Deviation> brownian_step(Draw&& draw, const From& from,
                                                                                const Drift& drift,
                                                                                const Deviation& deviation,
                                                                                double elapsed) {
  return from + drift * elapsed +
         deviation * (::sqrt(elapsed) * standard_variate<StandardNormal>(static_cast<Draw&&>(draw)));
}

/// Value of a Brownian motion between two known values: a time `elapsed` > 0 after it was at `from` and `remaining` > 0
/// before it is at `to`. The drift has no influence.
template <class Draw, class From, class To, class Deviation>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, From, To, Deviation> brownian_bridge(Draw&& draw, const From& from,
                                                                               const To& to, const Deviation& deviation,
                                                                               double elapsed, double remaining) {
  const double whole = elapsed + remaining;
  return from * (remaining / whole) + to * (elapsed / whole) +
         deviation *
             (::sqrt(elapsed * (remaining / whole)) * standard_variate<StandardNormal>(static_cast<Draw&&>(draw)));
}

/// Maximum of a Brownian motion that goes from `from` to `to` in the time `elapsed`, by inverse CDF:
/// (from + to + √((to − from)² − 2 deviation² elapsed ln(1 − u))) / 2. It grows with u.
template <class Draw, class From, class To, class Deviation>
KOKKOS_FUNCTION NumberOf<UniformOf<Draw>, From, To, Deviation> brownian_maximum(Draw&& draw, const From& from,
                                                                                const To& to,
                                                                                const Deviation& deviation,
                                                                                double elapsed) {
  using Number = NumberOf<UniformOf<Draw>, From, To, Deviation>;
  const UniformOf<Draw> u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  const NumberOf<From, To> difference = NumberOf<To>(to) - from;
  const NumberOf<Deviation> variance = deviation * deviation * elapsed;
  const Number root = math::sqrt(difference * difference - 2.0 * (variance * math::log1p(-u)));
  return 0.5 * (NumberOf<To>(to) + from + root);
}

/// Order in which a path at n times is filled, for kernels: first the last value, then each time the middle of the
/// longest run of missing values. So the first draws determine most of the path, which helps quasi-random numbers.
/// Trivially copyable.
template <int n>
class BrownianBridge {
 public:
  /// Takes the increasing `times` above 0; the motion starts at time 0. @throws std::invalid_argument if times are not
  /// finite, not above 0 or not increasing.
  explicit BrownianBridge(const Kokkos::Array<double, n>& times) {
    for (int i = 0; i < n; ++i) {
      const double before = i > 0 ? times[i - 1] : 0.0;
      impl::check_parameter(std::isfinite(times[i]) && times[i] > before, "times[" + std::to_string(i) + "]", times[i],
                            "a finite number above " + impl::number_text(before));
    }
    m_steps[0] = {n - 1, -1, -1, 0.0, 0.0, std::sqrt(times[n - 1])};
    bool known[n] = {};
    known[n - 1] = true;
    for (int k = 1; k < n; ++k) {
      int first = 0, length = 0;
      for (int i = 0; i < n; ++i) {  // runs of missing values
        int j = i;
        while (!known[j]) ++j;
        if (j - i > length) {
          first = i;
          length = j - i;
        }
        i = j;
      }
      const int left = first - 1, right = first + length, middle = left + (length + 1) / 2;
      const double from = left < 0 ? 0.0 : times[left], whole = times[right] - from, elapsed = times[middle] - from;
      m_steps[k] = {middle,          left,
                    right,           (times[right] - times[middle]) / whole,
                    elapsed / whole, std::sqrt(elapsed * ((times[right] - times[middle]) / whole))};
      known[middle] = true;
    }
  }

  /// Values at the given times of a standard Brownian motion, with drift 0 and deviation 1. The standard normal numbers
  /// z are in the order of filling.
  KOKKOS_FUNCTION Kokkos::Array<double, n> of(const Kokkos::Array<double, n>& z) const {
    Kokkos::Array<double, n> path{};
    for (int k = 0; k < n; ++k) {
      const Step& step = m_steps[k];
      const double from = step.left < 0 ? 0.0 : path[step.left], to = step.right < 0 ? 0.0 : path[step.right];
      path[step.index] = step.of_left * from + step.of_right * to + step.deviation * z[k];
    }
    return path;
  }

  /// Values from the next n draws of input variable `variable`.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, n> operator()(Inputs& inputs, int variable) const {
    Kokkos::Array<double, n> z{};
    for (int k = 0; k < n; ++k) z[k] = standard_variate<StandardNormal>(inputs(variable));
    return of(z);
  }

 private:
  struct Step {
    int index, left, right;  // −1: time 0, or no neighbour
    double of_left, of_right, deviation;
  };
  Kokkos::Array<Step, n> m_steps;
};

}  // namespace sporos
