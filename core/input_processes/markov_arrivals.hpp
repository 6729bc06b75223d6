// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Markov-modulated Poisson arrivals: the arrival rate depends on the phase of a Markov chain (Fischer,
/// Meier-Hellstern, 1993, The Markov-modulated Poisson process (MMPP) cookbook, Performance Evaluation 18, 149).
namespace sporos {

/// State of a Markov-modulated process at an arrival.
struct MarkovArrival {
  double time;         ///< time of the last arrival, or of the start
  std::int64_t phase;  ///< phase at that time, from 0
};

/// View of a Markov-modulated arrival process; it does not own its numbers.
struct MarkovArrivals {
  const double* arrival_rates;  ///< λᵢ, the arrival rate in phase i
  const double* leaving_rates;  ///< qᵢ, the rate at which the chain leaves phase i
  const double* next_phases;    ///< n × n: P(the next phase is at most j) when the chain leaves phase i
  const double* stationary;     ///< P(the phase is at most j) in the long run
  std::int64_t size;            ///< number of phases n

  /// Stationary state at time 0: one draw chooses the phase.
  template <class Draw>
  KOKKOS_FUNCTION MarkovArrival start(Draw&& draw) const {
    const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
    return {0.0, place(stationary, u)};
  }

  /// Advances from `at` to the next arrival. Events occur at the rate λᵢ + qᵢ; the time to each is a draw of input
  /// variable `gap`. A draw of `choice` decides whether the event is an arrival or, if not, which phase follows.
  template <class Inputs>
  KOKKOS_FUNCTION MarkovArrival next(Inputs& inputs, int gap, int choice, MarkovArrival at) const {
    for (;;) {
      const double rate = arrival_rates[at.phase] + leaving_rates[at.phase];
      at.time += exponential(inputs(gap), rate);
      const double u = inputs(choice);
      const double beyond = u * rate - arrival_rates[at.phase];
      if (beyond <= 0.0) return at;
      at.phase = place(next_phases + at.phase * size, beyond / leaving_rates[at.phase]);
    }
  }

 private:
  // Returns the first j with cumulative[j] >= u.
  KOKKOS_FUNCTION std::int64_t place(const double* cumulative, double u) const {
    std::int64_t j = 0;
    while (j < size - 1 && cumulative[j] < u) ++j;
    return j;
  }
};

/// Owner of the numbers of a MarkovArrivals, in `MemorySpace`. Copies share the numbers.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class MarkovArrivalsTable {
 public:
  /// Takes the arrival rate in each phase and the generator of the phases: the rate from phase i to j for i ≠ j; the
  /// diagonal is ignored. @throws std::invalid_argument if there is no phase, the generator has another size, rates are
  /// negative, phases do not all lead to each other, or there are no arrivals at all.
  MarkovArrivalsTable(std::span<const double> arrival_rates, const SquareMatrix& generator) {
    const std::size_t n = arrival_rates.size();
    check(arrival_rates, generator);
    std::vector<double> leaving(n), next(n * n), shares = long_run(generator), cumulative(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) leaving[i] += i == j ? 0.0 : generator(i, j);
      double below = 0;
      for (std::size_t j = 0; j < n; ++j) {
        below += i == j ? 0.0 : generator(i, j);
        next[i * n + j] = leaving[i] > 0 ? below / leaving[i] : 1.0;
      }
      cumulative[i] = sum += shares[i];
      m_rate += shares[i] * arrival_rates[i];
    }
    impl::check_parameter(m_rate > 0, "long-run rate of arrivals", m_rate, "a positive number");
    m_arrival_rates = impl::table_view<MemorySpace>("sporos::markov_arrivals::arrival_rates",
                                                    std::vector(arrival_rates.begin(), arrival_rates.end()));
    m_leaving_rates = impl::table_view<MemorySpace>("sporos::markov_arrivals::leaving_rates", leaving);
    m_next_phases = impl::table_view<MemorySpace>("sporos::markov_arrivals::next_phases", next);
    m_stationary = impl::table_view<MemorySpace>("sporos::markov_arrivals::stationary", cumulative);
  }

  /// Arrivals per unit of time in the long run.
  double rate() const { return m_rate; }

  /// View for kernels, valid as long as this table or a copy of it lives.
  MarkovArrivals handle() const {
    return {m_arrival_rates.data(), m_leaving_rates.data(), m_next_phases.data(), m_stationary.data(),
            static_cast<std::int64_t>(m_arrival_rates.extent(0))};
  }

 private:
  static void check(std::span<const double> arrival_rates, const SquareMatrix& generator) {
    const std::size_t n = arrival_rates.size();
    if (n == 0) impl::refuse_parameter("number of phases", "0", "at least 1");
    if (generator.size() != n) {
      impl::refuse_parameter("number of rows of the generator", std::to_string(generator.size()),
                             "one for each phase, " + std::to_string(n));
    }
    for (std::size_t i = 0; i < n; ++i) {
      check_non_negative(impl::element_name("arrival_rates", i), arrival_rates[i]);
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j)
          check_non_negative("generator[" + std::to_string(i) + "][" + std::to_string(j) + "]", generator(i, j));
      }
    }
  }

  // Long-run shares of the phases, by elimination without subtractions (Grassmann, Taksar, Heyman, 1985, Regenerative
  // analysis and steady state distributions for Markov chains).
  static std::vector<double> long_run(SquareMatrix q) {
    const std::size_t n = q.size();
    for (std::size_t k = n; k-- > 1;) {
      double out = 0, in = 0;
      for (std::size_t j = 0; j < k; ++j) {
        out += q(k, j);
        in += q(j, k);
      }
      impl::check_parameter(out > 0 && in > 0,
                            (out > 0 ? "rate into phase " : "rate out of phase ") + std::to_string(k),
                            out > 0 ? in : out, "a positive number: every phase must be reachable from every other");
      for (std::size_t i = 0; i < k; ++i) {
        q(i, k) /= out;
        for (std::size_t j = 0; j < k; ++j) q(i, j) += q(i, k) * q(k, j);
      }
    }
    std::vector<double> shares(n);
    double sum = shares[0] = 1;
    for (std::size_t k = 1; k < n; ++k) {
      for (std::size_t i = 0; i < k; ++i) shares[k] += shares[i] * q(i, k);
      sum += shares[k];
    }
    for (double& share : shares) share /= sum;
    return shares;
  }

  Kokkos::View<const double*, MemorySpace> m_arrival_rates, m_leaving_rates, m_next_phases, m_stationary;
  double m_rate = 0;
};

}  // namespace sporos
