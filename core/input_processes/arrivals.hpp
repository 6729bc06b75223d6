// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/distributions/any_distribution.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Arrival times: non-homogeneous Poisson processes by inversion and by thinning, renewal processes, and batches. See
/// continuous.hpp for the types of `draw`. A process keeps no state: the next arrival is a function of the last one.
namespace sporos {

/// View of an arrival rate that is linear between given times and may jump at them; it does not own its numbers.
struct ArrivalRate {
  const double* times;       ///< t₁ <= … <= tₙ, starting at 0; the rate jumps where two times are equal
  const double* rates;       ///< rates at the times
  const double* cumulative;  ///< Λ(tᵢ), the expected number of arrivals from 0 to tᵢ
  std::int64_t size;         ///< number of times n
  bool is_periodic;          ///< whether the rate repeats with period tₙ; otherwise it is 0 from tₙ on

  /// λ(t), t >= 0; at a jump the rate after it.
  KOKKOS_FUNCTION double operator()(double t) const {
    const double at = is_periodic ? t - period() * periods_before(t / period()) : t;
    if (at >= period()) return is_periodic ? rates[0] : 0.0;
    const std::int64_t i = segment(times, at);
    return rates[i] + (at - times[i]) * slope(i);
  }

  /// Λ(t), the expected number of arrivals from 0 to t >= 0.
  KOKKOS_FUNCTION double expected(double t) const {
    const double before = is_periodic ? periods_before(t / period()) : 0.0, at = t - period() * before;
    if (at >= period()) return area() * (before + 1.0);
    const std::int64_t i = segment(times, at);
    const double elapsed = at - times[i];
    return area() * before + cumulative[i] + elapsed * (rates[i] + 0.5 * elapsed * slope(i));
  }

  /// Λ⁻¹(y), the first time by which y >= 0 arrivals are expected; infinity if fewer are expected over all time.
  KOKKOS_FUNCTION double time_of(double y) const {
    const double before = is_periodic ? periods_before(y / area()) : 0.0, rest = y - area() * before;
    if (rest >= area()) return is_periodic ? period() * (before + 1.0) : math::impl::infinity;
    const std::int64_t i = segment(cumulative, rest);
    const double missing = rest - cumulative[i];
    if (!(missing > 0.0)) return period() * before + times[i];
    // Solves s (rate + ½ slope s) = missing for s, without cancellation.
    const double square = rates[i] * rates[i] + 2.0 * slope(i) * missing;
    const double root = ::sqrt(square > 0.0 ? square : 0.0);
    const double elapsed = 2.0 * missing / (rates[i] + root), whole = times[i + 1] - times[i];
    return period() * before + times[i] + (elapsed < whole ? elapsed : whole);
  }

 private:
  KOKKOS_FUNCTION double period() const { return times[size - 1]; }
  KOKKOS_FUNCTION double area() const { return cumulative[size - 1]; }
  KOKKOS_FUNCTION static double periods_before(double x) { return ::floor(x); }
  KOKKOS_FUNCTION double slope(std::int64_t i) const {
    const double width = times[i + 1] - times[i];
    return width > 0.0 ? (rates[i + 1] - rates[i]) / width : 0.0;
  }
  // Finds the last i < n − 1 with numbers[i] <= x by bisection.
  KOKKOS_FUNCTION std::int64_t segment(const double* numbers, double x) const {
    std::int64_t low = 0, high = size - 1;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (numbers[middle] <= x ? low : high) = middle;
    }
    return low;
  }
};

/// Next arrival after `now` >= 0 of a Poisson process with the rate `factor` · λ(t), by inversion:
/// t = Λ⁻¹(Λ(now) + E / factor) with E = −ln u. It falls as u grows, and is infinite if there is no further arrival.
/// `now` and factor > 0 may be duals; the derivative of t is then that of Λ(now) + E / factor, divided by λ(t).
template <class Draw, class Now, class Factor = double>
KOKKOS_FUNCTION NumberOf<Now, Factor> next_arrival(Draw&& draw, const ArrivalRate& rate, const Now& now,
                                                   const Factor& factor = 1.0) {
  using Number = NumberOf<Now, Factor>;
  const double unit = standard_variate<StandardExponential>(static_cast<Draw&&>(draw));
  if constexpr (DualNumber<Number>) {
    const double start = value_of(now);
    const Number from = Number::of(rate.expected(start), rate(start), Number(now));
    const Number area = from + unit / Number(factor);
    const double time = rate.time_of(value_of(area));
    return time == math::impl::infinity ? Number(time) : Number::of(time, 1.0 / rate(time), area);
  } else {
    return rate.time_of(rate.expected(now) + unit / factor);
  }
}

/// Next arrival after `now` of a Poisson process with the rate λ(t) <= `most`, by thinning (Lewis, Shedler, 1979,
/// Simulation of nonhomogeneous Poisson processes by thinning). Candidates arrive at the rate `most` > 0, drawn from
/// input variable `gap`; each is kept with probability λ(t) / most, drawn from `keep`. Returns infinity if there is no
/// arrival up to `horizon`. If λ(t) exceeds `most`, arrivals are lost.
template <class Inputs, class Rate>
KOKKOS_FUNCTION double next_thinned_arrival(Inputs& inputs, int gap, int keep, const Rate& rate, double most,
                                            double now, double horizon) {
  for (double time = now;;) {
    time += exponential(inputs(gap), most);
    if (!(time <= horizon)) return math::impl::infinity;
    const double u = inputs(keep);
    if (u * most <= rate(time)) return time;
  }
}

/// Next arrival after `now` of a renewal process: `now` plus a gap with the given distribution, which must have no
/// values below 0 (check_gaps). For a delayed renewal process, use another distribution for the first gap.
template <class Draw>
KOKKOS_FUNCTION double next_renewal(Draw&& draw, const AnyDistribution& gap, double now) {
  return now + variate(static_cast<Draw&&>(draw), gap);
}

/// Number of entities that arrive together, from a distribution of whole numbers of at least 0 (check_batches).
template <class Draw>
KOKKOS_FUNCTION std::int64_t batch_size(Draw&& draw, const AnyDistribution& size) {
  return static_cast<std::int64_t>(variate(static_cast<Draw&&>(draw), size));
}

/// Throws std::invalid_argument if gaps may be negative or are always 0, in which case arrivals would never end.
inline void check_gaps(const DistributionChoice& gap) {
  gap.check();
  impl::check_parameter(gap.least() >= 0, "smallest gap between arrivals", gap.least(), "a number of at least 0");
  impl::check_parameter(gap.mean() > 0, "mean gap between arrivals", gap.mean(), "a positive number");
}

/// Throws std::invalid_argument if sizes are not whole numbers of at least 0.
inline void check_batches(const DistributionChoice& size) {
  size.check();
  impl::check_parameter(size.least() >= 0, "smallest size of a batch", size.least(), "a number of at least 0");
  const bool is_value = size.kind == DistributionKind::constant || size.kind == DistributionKind::discrete;
  const bool is_count = size.kind == DistributionKind::uniform_integer || size.kind == DistributionKind::geometric ||
                        size.kind == DistributionKind::poisson || size.kind == DistributionKind::binomial ||
                        size.kind == DistributionKind::negative_binomial ||
                        size.kind == DistributionKind::hypergeometric;
  if (!is_value && !is_count) {
    impl::refuse_parameter("distribution of batch sizes", name_of(size.kind),
                           "constant, discrete, uniform-integer, geometric, poisson, binomial, negative-binomial or "
                           "hypergeometric");
  }
  if (size.kind == DistributionKind::constant) impl::check_whole("size of a batch", size.parameters[0], 0, 0x1p52);
  for (std::size_t i = 0; i < size.values.size(); ++i) {
    impl::check_whole(impl::element_name("values", i), size.values[i], 0, 0x1p52);
  }
}

/// Owner of the numbers of an ArrivalRate, in `MemorySpace`. Copies share the numbers.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class ArrivalRateTable {
 public:
  /// Takes a rate that is linear between consecutive `times` and equals `rates` at them. Times start at 0 and do not
  /// decrease; where two are equal, the rate jumps. A periodic rate repeats after the last time; any other rate is 0
  /// after it. @throws std::invalid_argument if there are fewer than two times or not one rate for each, if times
  /// decrease, are not finite or do not start at 0, or if rates are negative or 0 everywhere.
  ArrivalRateTable(std::span<const double> times, std::span<const double> rates, bool is_periodic)
      : m_is_periodic(is_periodic) {
    check(times, rates);
    std::vector<double> cumulative(times.size());
    for (std::size_t i = 1; i < times.size(); ++i) {
      cumulative[i] = cumulative[i - 1] + (times[i] - times[i - 1]) * (0.5 * (rates[i - 1] + rates[i]));
    }
    impl::check_parameter(cumulative.back() > 0, "expected number of arrivals up to the last time", cumulative.back(),
                          "a positive number");
    m_times = impl::table_view<MemorySpace>("sporos::arrival_rate::times", std::vector(times.begin(), times.end()));
    m_rates = impl::table_view<MemorySpace>("sporos::arrival_rate::rates", std::vector(rates.begin(), rates.end()));
    m_cumulative = impl::table_view<MemorySpace>("sporos::arrival_rate::cumulative", cumulative);
  }

  /// View for `next_arrival`, valid as long as this table or a copy of it lives.
  ArrivalRate handle() const {
    return {m_times.data(), m_rates.data(), m_cumulative.data(), static_cast<std::int64_t>(m_times.extent(0)),
            m_is_periodic};
  }

 private:
  static void check(std::span<const double> times, std::span<const double> rates) {
    if (times.size() < 2) impl::refuse_parameter("number of times", std::to_string(times.size()), "at least 2");
    if (rates.size() != times.size()) {
      impl::refuse_parameter("number of rates", std::to_string(rates.size()),
                             "one for each time, " + std::to_string(times.size()));
    }
    impl::check_parameter(times[0] == 0, "times[0]", times[0], "0");
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (i > 0)
        check_not_above(impl::element_name("times", i - 1), times[i - 1], impl::element_name("times", i), times[i]);
      check_non_negative(impl::element_name("rates", i), rates[i]);
    }
  }

  Kokkos::View<const double*, MemorySpace> m_times, m_rates, m_cumulative;
  bool m_is_periodic;
};

}  // namespace sporos
