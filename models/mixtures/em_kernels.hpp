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

/// What maximize_by_em launches once L and its sums are known.
namespace sporos::models::impl {

/// Where each mixture of a batch stands, for kernels.
template <class ExecutionSpace>
struct EmProgress {
  Vector<ExecutionSpace> log_likelihoods, log_posteriors;
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space> iterations;
  Kokkos::View<bool*, typename ExecutionSpace::memory_space> has_converged;
};

/// The M step: the mixture that is likeliest where each observation belongs to the components by the shares of before.
struct Maximizer {
  MixturePrior prior;
  double least_deviation;

  /// Replaces a row of a batch, given its row of sums.
  KOKKOS_FUNCTION void maximize(double* parameters, const double* shares, std::int32_t k) const {
    double all = 0;  // their own sum, so that weights add up to 1 in float too
    for (std::int32_t c = 0; c < k; ++c) all += shares[c] + prior.concentration - 1;
    for (std::int32_t c = 0; c < k; ++c) {
      parameters[c] = (shares[c] + prior.concentration - 1) / all;
      maximize(parameters, shares, k, c);
    }
  }

 private:
  KOKKOS_FUNCTION void maximize(double* parameters, const double* shares, std::int32_t k, std::int32_t c) const {
    constexpr double least_share = 1e-200;  // of which nothing can be learned
    const double share = shares[c];
    double& mean = parameters[k + c];
    double& deviation = parameters[2 * k + c];
    const double strength = share + prior.mean_strength;
    if (!(share > least_share)) return;
    const double sample_mean = mean + deviation * (shares[k + c] / share);
    const double scatter = deviation * deviation * (shares[2 * k + c] - shares[k + c] * (shares[k + c] / share));
    const double distance = sample_mean - prior.mean;
    const double squares = (scatter > 0 ? scatter : 0) + prior.squared_scale_of(k) +
                           prior.mean_strength * share / strength * distance * distance;
    mean = (share * sample_mean + prior.mean_strength * prior.mean) / strength;
    const double found = ::sqrt(squares / (share + prior.deviation_power()));
    deviation = found > least_deviation ? found : least_deviation;
  }
};

/// Three iterates of EM, θ0 to θ2, in ln w, μ/σ and ln σ; the leap is θ0 + 2 a r + a² v for r = θ1 − θ0,
/// v = θ2 − θ1 − r and a = ‖r‖ / ‖v‖, which is 1, where the leap is θ2, or more.
struct Leap {
  const double* first;
  const double* second;
  double* third;  // and where it leads
  std::int32_t k;
  double least_deviation;

  KOKKOS_FUNCTION void operator()() const {
    constexpr double most = 1e4;
    double squares_r = 0, squares_v = 0;
    for (std::int32_t i = 0; i < 3 * k; ++i) {
      if (!is_open(i)) continue;
      const double r = difference(i, first, second), v = difference(i, second, third) - r;
      squares_r += r * r;
      squares_v += v * v;
    }
    double length = squares_r > most * most * squares_v ? most : ::sqrt(squares_r / squares_v);
    if (!(length > 1)) length = 1;
    double sum = 0;
    for (std::int32_t i = 0; i < 3 * k; ++i) {
      if (!is_open(i)) continue;
      move(i, length);
      if (i < k) sum += third[i];
    }
    for (std::int32_t c = 0; c < k; ++c) third[c] /= sum;
  }

 private:
  // Whether it may move: no component without weight does.
  KOKKOS_FUNCTION bool is_open(std::int32_t i) const {
    constexpr double least_weight = 1e-200;
    const std::int32_t c = i % k;
    return first[c] > least_weight && second[c] > least_weight && third[c] > least_weight;
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
    constexpr double farthest = 300;  // what an exponential bears
    const double bounded = distance > farthest ? farthest : (distance < -farthest ? -farthest : distance);
    third[i] = first[i] * math::exp(bounded);
    if (i >= 2 * k && third[i] < least_deviation) third[i] = least_deviation;
  }
};

/// An iteration of each mixture that has not converged, after its evaluation. Four make a cycle: three iterates of EM,
/// and a leap along them, which is taken back where it leads too far down.
template <class ExecutionSpace>
struct EmStep {
  static constexpr int phases = 4;  ///< of a cycle

  /// By how much a leap may lower ln of the posterior: SQUAREM's own choice, with which slow fits take half of the
  /// iterations that they take where no leap may go down.
  static constexpr double permitted_fall = 1;

  Maximizer maximizer;
  MixtureBatch<ExecutionSpace> mixtures;
  Vector<ExecutionSpace> values;
  RowMatrix<ExecutionSpace> sums;
  EmProgress<ExecutionSpace> progress;
  double tolerance;
  Kokkos::Array<RowMatrix<ExecutionSpace>, 3> iterates;  // of the cycle
  int phase;

  KOKKOS_FUNCTION void operator()(std::int64_t m) const {
    if (progress.has_converged(m)) return;
    const std::int32_t k = mixtures.components(m);
    double* const parameters = &mixtures.parameters(m, 0);
    const double posterior = values(m) + maximizer.prior.log_density(parameters, k);
    ++progress.iterations(m);
    const bool has_leapt = phase == 3;
    if (has_leapt && !(posterior >= progress.log_posteriors(m) - permitted_fall)) {
      copy(&iterates[2](m, 0), parameters, 3 * k);
      return;
    }
    const double gain = posterior - progress.log_posteriors(m);
    progress.log_likelihoods(m) = values(m);
    progress.log_posteriors(m) = posterior;
    const bool is_step_of_em = phase == 1 || phase == 2;
    if (is_step_of_em && !(gain > tolerance * math::impl::absolute(posterior))) {  // or NaN
      progress.has_converged(m) = true;
      return;
    }
    if (!has_leapt) copy(parameters, &iterates[static_cast<std::size_t>(phase)](m, 0), 3 * k);
    if (phase == 2) {
      Leap{&iterates[0](m, 0), &iterates[1](m, 0), parameters, k, maximizer.least_deviation}();
    } else {
      maximizer.maximize(parameters, &sums(m, 0), k);
    }
  }

 private:
  KOKKOS_FUNCTION static void copy(const double* from, double* to, std::int32_t count) {
    for (std::int32_t i = 0; i < count; ++i) to[i] = from[i];
  }
};

}  // namespace sporos::models::impl
