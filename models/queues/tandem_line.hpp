// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::models {

/// Three stations in series with exponential service times: the throughput problem of ranking and selection. If a total
/// service rate of 20 and 20 buffer places are divided, rates 6, 7, 7 and buffers 12, 8 are best, with 5.776 jobs per
/// unit of time.
///
/// Station 1 always has a job to work on. Stations 2 and 3 have a finite number of places; if none is free, a finished
/// job stays at the station before and blocks it. A replication starts with an empty line and observes `jobs` jobs
/// after a warm-up. `Real` is double, or a Dual for derivatives (pathwise.hpp); times are continuous in the rates.
template <class Real = double>
struct BasicTandemLine {
  static constexpr std::string_view name = "tandem-line";  ///< name on the command line
  static constexpr std::string_view title =
      "three stations in series, finite buffers, blocking after service";  ///< title in lists

  Real rate_1;            ///< service rate of station 1 while it works, in jobs per unit of time
  Real rate_2;            ///< service rate of station 2
  Real rate_3;            ///< service rate of station 3
  std::int64_t buffer_2;  ///< places at station 2, including the job in service
  std::int64_t buffer_3;  ///< places at station 3, including the job in service
  std::int64_t warm_up;   ///< number of jobs that leave before the first observed one
  std::int64_t jobs;      ///< number of observed jobs

  static constexpr std::int64_t max_places = 128;  ///< maximum number of places at both stations together

  /// Input variables, each with one draw per job.
  enum Input { service_1, service_2, service_3, input_count };

  /// Responses:
  /// - time per job: time from the last departure before the observed jobs to their last departure, divided by their
  ///   number. Its mean in equilibrium is the mean time between two departures.
  /// - throughput: its reciprocal. In a replication it is too large on average, by the squared coefficient of variation
  ///   of the time; the estimate is the reciprocal of the mean time (see ratios). Objectives average replications, so
  ///   minimize the time per job.
  /// - time in line: mean time of an observed job from the start of its service at station 1 until it leaves station 3.
  /// - work in process: time in line divided by time per job. In equilibrium the ratio of their means is the mean
  ///   number of jobs in the line, including that at station 1 (Little's law). The ratio in a replication is biased
  ///   like the throughput. To keep work in process at most C, constrain time in line − C · time per job <= 0, which is
  ///   unbiased.
  static constexpr auto response_names = std::array{"time per job", "throughput", "time in line", "work in process"};

  /// Control variates made from the inputs.
  static constexpr auto control_names =
      std::array{"first service times", "second service times", "third service times"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using L = BasicTandemLine;
    constexpr auto check_places = [](std::string_view parameter, std::int64_t value) {
      if (value >= 1 && value < max_places) return;
      sporos::impl::refuse_parameter(parameter, std::to_string(value),
                                     "a whole number from 1 to " + std::to_string(max_places - 1));
    };
    constexpr auto check_warm_up = [](std::string_view parameter, std::int64_t value) {
      check_non_negative(parameter, static_cast<double>(value));
      if (value > 0) check_steps(parameter, value);
    };
    return std::tuple{Parameter<L, Real>{"rate_1", &L::rate_1, 6.0, "1/time", "service rate of station 1", check_rate},
                      Parameter<L, Real>{"rate_2", &L::rate_2, 7.0, "1/time", "service rate of station 2", check_rate},
                      Parameter<L, Real>{"rate_3", &L::rate_3, 7.0, "1/time", "service rate of station 3", check_rate},
                      Parameter<L, std::int64_t>{"buffer_2", &L::buffer_2, 10, "",
                                                 "places at station 2, including the job in service", check_places},
                      Parameter<L, std::int64_t>{"buffer_3", &L::buffer_3, 10, "",
                                                 "places at station 3, including the job in service", check_places},
                      Parameter<L, std::int64_t>{"warm_up", &L::warm_up, 2000, "",
                                                 "number of jobs before the first observed one", check_warm_up},
                      Parameter<L, std::int64_t>{"jobs", &L::jobs, 50, "", "number of observed jobs", check_steps}};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    return {{.name = "tandem-line",
             .title = "service rates of three stations, total at most 20, that minimize the time per job",
             .source = "throughput maximization of Pasupathy and Henderson, with buffers of 10 and 10",
             .decisions = {{"rate_1", 1, 18, 4}, {"rate_2", 1, 18, 6}, {"rate_3", 1, 18, 10}},
             .objective = "time per job",
             .constraints = {"rate_1 + rate_2 + rate_3 <= 20"},
             .parameters = {{"warm_up", 200}, {"jobs", 50}},
             .budget = 3000,
             .optimum = KnownOptimum{.kind = OptimumKind::certified,
                                     .value = 0.169155,
                                     .x = {6.59237, 6.81526, 6.59237},
                                     .source = "Markov chain in equilibrium, pattern search; 400000 replications",
                                     .half_width = 0.0001},
             .is_smooth = true,
             .has_unbiased_path = true}};
  }

  /// Throws std::invalid_argument if a parameter is out of range.
  void check() const {
    check_parameters(*this);
    if (buffer_2 + buffer_3 <= max_places) return;
    throw std::invalid_argument("buffer_2 and buffer_3 are " + std::to_string(buffer_2 + buffer_3) +
                                " together, expected at most " + std::to_string(max_places));
  }

  /// Range of a response: non-negative.
  ResponseRange response_range(int) const { return {.least = 0}; }

  /// Returns ratios of means: the throughput, 1 / time per job, and the work in process, time in line / time per job.
  std::vector<RatioOfMeans> ratios() const { return {{1, {1, {}}, {0, {{0, 1}}}}, {3, {0, {{2, 1}}}, {0, {{0, 1}}}}}; }

  /// Service times are exponential, so draws take a logarithm.
  static constexpr auto draw_transform = DrawTransform::logarithm;

  /// Number of draws: one of each input variable per job.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 3> input_draws() const {
    return {{{warm_up + jobs}, {warm_up + jobs}, {warm_up + jobs}}};
  }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 4> operator()(Inputs& inputs) const;

 private:
  // Times at which the places of both stations become free, in the order in which jobs take them. At a station with p
  // places, a job takes the place of the job p positions earlier.
  class Places {
   public:
    KOKKOS_FUNCTION Places(std::int64_t at_2, std::int64_t at_3)
        : m_at_2(static_cast<int>(at_2)), m_end(static_cast<int>(at_2 + at_3)), m_next_3(m_at_2) {
      if (at_2 < 1 || at_3 < 1 || at_2 + at_3 > max_places)
        Kokkos::abort("Sporos: buffers of tandem-line are outside their checked range\n");
      for (int i = 0; i < m_end; ++i) m_free[i] = 0.0;
    }

    /// Time at which the next job's place at a station is free.
    KOKKOS_FUNCTION const Real& next_free_2() const { return m_free[m_next_2]; }
    KOKKOS_FUNCTION const Real& next_free_3() const { return m_free[m_next_3]; }

    /// Assigns both places to the next job, which leaves them at these times.
    KOKKOS_FUNCTION void take_until(const Real& left_2, const Real& left_3) {
      m_free[m_next_2] = left_2;
      m_free[m_next_3] = left_3;
      if (++m_next_2 == m_at_2) m_next_2 = 0;
      if (++m_next_3 == m_end) m_next_3 = m_at_2;
    }

   private:
    int m_at_2, m_end, m_next_2 = 0, m_next_3;
    Kokkos::Array<Real, static_cast<std::size_t>(max_places)> m_free;
  };
};

/// The line with double parameters.
using TandemLine = BasicTandemLine<>;

template <class Real>
template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<Real, 4> BasicTandemLine<Real>::operator()(Inputs& inputs) const {
  using math::max;
  const Real mean_1 = 1.0 / rate_1, mean_2 = 1.0 / rate_2, mean_3 = 1.0 / rate_3;
  Places places(buffer_2, buffer_3);
  Real left_1 = 0, left_2 = 0, left_3 = 0, begin = 0;  // departure times of the latest job from the stations
  Real in_line = 0;                                    // total time in line of the observed jobs
  for (std::int64_t job = -warm_up; job < jobs; ++job) {
    if (job == 0) begin = left_3;
    const Real entered = left_1;
    left_1 = max(left_1 + exponential_by_mean(inputs(service_1), mean_1), places.next_free_2());
    left_2 = max(max(left_1, left_2) + exponential_by_mean(inputs(service_2), mean_2), places.next_free_3());
    left_3 = max(left_2, left_3) + exponential_by_mean(inputs(service_3), mean_3);
    places.take_until(left_2, left_3);
    if (job >= 0) in_line += left_3 - entered;
  }
  const Real time = (left_3 - begin) / static_cast<double>(jobs);
  const Real mean_in_line = in_line / static_cast<double>(jobs);
  return {{time, 1.0 / time, mean_in_line, mean_in_line / time}};
}

}  // namespace sporos::models
