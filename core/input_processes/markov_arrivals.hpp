// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Poisson arrivals whose rate is that of a phase of a Markov chain (Markov-modulated; W. Fischer, K. Meier-Hellstern,
/// Performance Evaluation 18 (1993) 149).
namespace sporos {

/// Where a Markov-modulated process is: the time of its last arrival and the phase then.
struct MarkovArrival {
  double time;         ///< of the last arrival, or of the start
  std::int64_t phase;  ///< from 0
};

/// The numbers behind Markov-modulated arrivals, not owned.
struct MarkovArrivals {
  const double* arrival_rates;  ///< λᵢ in phase i
  const double* leaving_rates;  ///< qᵢ at which phase i is left
  const double* next_phases;    ///< n × n: P(the next phase is at most j) where i is left
  const double* stationary;     ///< P(the phase is at most j) in the long run
  std::int64_t size;            ///< n

  /// The process at time 0 in its long run: the phase of one draw.
  template <class Draw>
  KOKKOS_FUNCTION MarkovArrival start(Draw&& draw) const {
    const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
    return {0.0, place(stationary, u)};
  }

  /// The next arrival. An event comes at the rate λᵢ + qᵢ, by a draw of input variable `gap`; a draw of `choice` says
  /// whether it is an arrival or else which phase follows.
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
  // The first j with cumulative[j] >= u.
  KOKKOS_FUNCTION std::int64_t place(const double* cumulative, double u) const {
    std::int64_t j = 0;
    while (j < size - 1 && cumulative[j] < u) ++j;
    return j;
  }
};

/// Owns the numbers of a MarkovArrivals, in `MemorySpace`. Copies share them.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class MarkovArrivalsTable {
 public:
  /// Of the rate of arrivals in each phase, and the phases' generator: rates from phase i to j where i ≠ j; its
  /// diagonal is not looked at. @throws std::invalid_argument for no phase, a generator of another size, negative
  /// rates, phases that do not all lead to each other, or no arrivals at all.
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
    impl::check_parameter(m_rate > 0, "rate of arrivals in the long run", m_rate, "a positive number");
    m_arrival_rates = impl::table_view<MemorySpace>("sporos::markov_arrivals::arrival_rates",
                                                    std::vector(arrival_rates.begin(), arrival_rates.end()));
    m_leaving_rates = impl::table_view<MemorySpace>("sporos::markov_arrivals::leaving_rates", leaving);
    m_next_phases = impl::table_view<MemorySpace>("sporos::markov_arrivals::next_phases", next);
    m_stationary = impl::table_view<MemorySpace>("sporos::markov_arrivals::stationary", cumulative);
  }

  /// Arrivals in a time of 1, in the long run.
  double rate() const { return m_rate; }

  /// For kernels, as long as this table or a copy of it lives.
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

  // Shares of the phases by elimination without subtractions (W. Grassmann, M. Taksar, D. Heyman, 1985).
  static std::vector<double> long_run(SquareMatrix q) {
    const std::size_t n = q.size();
    for (std::size_t k = n; k-- > 1;) {
      double out = 0, in = 0;
      for (std::size_t j = 0; j < k; ++j) {
        out += q(k, j);
        in += q(j, k);
      }
      impl::check_parameter(out > 0 && in > 0, "rate from and to phase " + std::to_string(k), out > 0 ? in : out,
                            "a positive number: all phases lead to each other");
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
