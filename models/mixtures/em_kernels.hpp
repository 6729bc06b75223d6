// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/row_matrix.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/models/mixtures/mixture_batch.hpp>
#include <sporos/models/mixtures/mixture_prior.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

/// Kernels of maximize_by_em that follow the evaluation of L and its sums.
namespace sporos::models::impl {

/// State of each mixture of a batch, for kernels.
template <class ExecutionSpace>
struct EmProgress {
  Vector<ExecutionSpace> log_likelihoods, log_posteriors;
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space> iterations;
  Kokkos::View<bool*, typename ExecutionSpace::memory_space> has_converged;
};

/// The M step: finds the most likely mixture, given the responsibilities that the previous mixture implies.
struct Maximizer {
  MixturePrior prior;
  double min_deviation;

  /// Replaces a row of a batch, given its row of sums. All threads of a team call it.
  template <class Team>
  KOKKOS_FUNCTION void maximize(const Team& team, double* parameters, const double* shares, std::int32_t k) const {
    double all = 0;  // summed here, so that weights add up to 1 in float, too
    for (std::int32_t c = 0; c < k; ++c) all += shares[c] + prior.concentration - 1;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, k), [&](std::int32_t c) {
      parameters[c] = (shares[c] + prior.concentration - 1) / all;
      maximize(parameters, shares, k, c);
    });
    if (prior.has_equal_deviations) pool_deviations(team, parameters, shares, k);
  }

 private:
  static constexpr double min_share = 1e-200;  // less than this determines no parameters

  // Replaces the deviations, each the most likely one of its component, by the most likely common one.
  template <class Team>
  KOKKOS_FUNCTION void pool_deviations(const Team& team, double* parameters, const double* shares,
                                       std::int32_t k) const {
    team.team_barrier();
    double squares = 0, strength = 0;
    for (std::int32_t c = 0; c < k; ++c) {
      if (!(shares[c] > min_share)) continue;
      const double deviation = parameters[2 * k + c], own = shares[c] + prior.deviation_power(k);
      squares += own * deviation * deviation;
      strength += own;
    }
    const double found = ::sqrt(squares / strength);
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, k), [&](std::int32_t c) {
      parameters[2 * k + c] = found > min_deviation ? found : min_deviation;
    });
  }

  KOKKOS_FUNCTION void maximize(double* parameters, const double* shares, std::int32_t k, std::int32_t c) const {
    const double share = shares[c];
    double& mean = parameters[k + c];
    double& deviation = parameters[2 * k + c];
    const double strength = share + prior.mean_strength;
    if (!(share > min_share)) return;
    const double sample_mean = mean + deviation * (shares[k + c] / share);
    const double scatter = deviation * deviation * (shares[2 * k + c] - shares[k + c] * (shares[k + c] / share));
    const double distance = sample_mean - prior.mean;
    const double squares = (scatter > 0 ? scatter : 0) + prior.squared_scale_of(k) +
                           prior.mean_strength * share / strength * distance * distance;
    mean = (share * sample_mean + prior.mean_strength * prior.mean) / strength;
    const double found = ::sqrt(squares / (share + prior.deviation_power(k)));
    const bool is_bounded = !prior.has_equal_deviations && !(found > min_deviation);
    deviation = is_bounded ? min_deviation : found;
  }
};

/// Extrapolates three iterates of EM, θ0 to θ2, in ln w, μ/σ and ln σ. The leap is θ0 + 2 a r + a² v for r = θ1 − θ0, v
/// = θ2 − θ1 − r and a = ‖r‖ / ‖v‖, but at least 1; for a = 1 it is θ2.
struct Leap {
  const double* first;
  const double* second;
  double* third;  // replaced by the leap
  std::int32_t k;
  double min_deviation;

  /// All threads of a team call it.
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    constexpr double most = 1e4;
    double squares_r = 0, squares_v = 0;
    for_moves(team, squares_r, [&](std::int32_t i, double& sum) {
      const double r = difference(i, first, second);
      sum += r * r;
    });
    for_moves(team, squares_v, [&](std::int32_t i, double& sum) {
      const double v = difference(i, second, third) - difference(i, first, second);
      sum += v * v;
    });
    double length = squares_r > most * most * squares_v ? most : ::sqrt(squares_r / squares_v);
    if (!(length > 1)) length = 1;
    double weights = 0;
    for_moves(team, weights, [&](std::int32_t i, double& sum) {
      move(i, length);
      if (i < k) sum += third[i];
    });
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, k), [&](std::int32_t c) { third[c] /= weights; });
  }

 private:
  // Sums over all coordinates that may move. Those of a component without weight do not.
  template <class Team, class Body>
  KOKKOS_FUNCTION void for_moves(const Team& team, double& sum, const Body& body) const {
    constexpr double min_weight = 1e-200;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, k),
        [&](std::int32_t c, double& own) {
          if (!(first[c] > min_weight && second[c] > min_weight && third[c] > min_weight)) return;
          for (std::int32_t i = c; i < 3 * k; i += k) body(i, own);
        },
        sum);
    team.team_barrier();
  }

  KOKKOS_FUNCTION bool is_mean(std::int32_t i) const { return i / k == 1; }

  KOKKOS_FUNCTION double difference(std::int32_t i, const double* from, const double* to) const {
    return is_mean(i) ? (to[i] - from[i]) / first[k + i] : math::log(to[i] / from[i]);
  }

  KOKKOS_FUNCTION void move(std::int32_t i, double length) const {
    const double r = difference(i, first, second), v = difference(i, second, third) - r;
    const double distance = 2 * length * r + length * length * v;
    if (is_mean(i)) {
      third[i] = first[i] + distance * first[k + i];
      return;
    }
    constexpr double farthest = 300;  // keeps the exponential finite
    const double bounded = distance > farthest ? farthest : (distance < -farthest ? -farthest : distance);
    third[i] = first[i] * math::exp(bounded);
    if (i >= 2 * k && third[i] < min_deviation) third[i] = min_deviation;
  }
};

/// Performs an iteration of each mixture that has not converged, after its evaluation, by a team. Four iterations are a
/// cycle: three iterates of EM, and a leap along them. The leap is undone if it lowers the posterior too far.
template <class ExecutionSpace>
struct EmStep {
  static constexpr int phases = 4;  ///< iterations per cycle

  /// Largest decrease of the log-posterior that a leap may cause. This is the choice of SQUAREM; slow fits then take
  /// half as many iterations as with leaps that may not decrease it.
  static constexpr double permitted_fall = 1;

  Maximizer maximizer;
  MixtureBatch<ExecutionSpace> mixtures;
  Vector<ExecutionSpace> values;
  RowMatrix<ExecutionSpace> sums;
  EmProgress<ExecutionSpace> progress;
  double tolerance;
  Kokkos::Array<RowMatrix<ExecutionSpace>, 3> iterates;  // iterates of the current cycle
  int phase;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }
  KOKKOS_FUNCTION bool is_open(std::int64_t m) const { return !progress.has_converged(m); }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team, std::int64_t m, double value) const {
    const std::int32_t k = mixtures.components(m);
    double* const parameters = &mixtures.parameters(m, 0);
    const double before = progress.log_posteriors(m);
    const double posterior = value + maximizer.prior.log_density(team, parameters, k), gain = posterior - before;
    const bool has_leapt = phase == 3, is_step_of_em = phase == 1 || phase == 2;
    const bool is_taken_back = has_leapt && !(posterior >= before - permitted_fall);
    // NaN counts as converged, too.
    const bool has_converged = is_step_of_em && !(gain > tolerance * math::impl::absolute(posterior));
    team.team_barrier();  // all threads have read the old values
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      ++progress.iterations(m);
      progress.has_converged(m) = has_converged;
      if (is_taken_back) return;
      progress.log_likelihoods(m) = value;
      progress.log_posteriors(m) = posterior;
    });
    if (is_taken_back) return copy(team, &iterates[2](m, 0), parameters, 3 * k);
    if (has_converged) return;
    if (!has_leapt) copy(team, parameters, &iterates[static_cast<std::size_t>(phase)](m, 0), 3 * k);
    team.team_barrier();
    if (phase == 2) {
      Leap{&iterates[0](m, 0), &iterates[1](m, 0), parameters, k, maximizer.min_deviation}(team);
    } else {
      maximizer.maximize(team, parameters, &sums(m, 0), k);
    }
  }

 private:
  template <class Team>
  KOKKOS_FUNCTION static void copy(const Team& team, const double* from, double* to, std::int32_t count) {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](std::int32_t i) { to[i] = from[i]; });
  }
};

}  // namespace sporos::models::impl
