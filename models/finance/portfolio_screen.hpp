// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/linear_algebra/reserve.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/core/random/standard_normals.hpp>
#include <sporos/models/finance/normal_returns.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Screening of a mean–variance portfolio, with which Frank–Wolfe's iterations run on a few assets only: the problem's
/// part in optimizers/frank_wolfe/screening.hpp (concept ProblemScreen).
///
/// Let x_j be the n centred returns of asset j in the sample, and v = Σ w_j x_j. The gradient is g_j = x_jᵀv / (n − 1)
/// − R̄_j. While w moves by steps towards vertices s_j e_j, v moves by at most D = (1 − Π(1 − γ)) (max_j s_j ‖x_j‖ +
/// ‖v‖) and g_j by at most ‖x_j‖ D / (n − 1). One pass draws the returns, computes g_j and ‖x_j‖, and discards the
/// returns; the iterations store the returns of the few assets that the oracle can select.
///
/// Uniforms are bounded away from 0 and 1, so a standard normal is at most some z. Hence R̄_j <= μ_j + z σ_j and ‖x_j‖
/// <= z √n σ_j, which also bounds ‖v‖. This excludes most assets for every sample.
namespace sporos::models {

/// Data of a portfolio for the kernels of a screening; see ProblemScreen.
struct PortfolioScreenData {
  static constexpr bool sums_holdings = true;                            ///< see ProblemScreen
  static constexpr std::size_t pairs_at_once = 1;                        ///< see ProblemScreen
  static constexpr std::int64_t longest_window = std::int64_t{1} << 62;  ///< see ProblemScreen

  IndependentReturnsHandle returns;  ///< μ and σ
  double* portfolios;                ///< one row of room() numbers for each repetition: v, and ‖v‖ at `largest`
  double reach;                      ///< z max_j s_j σ_j
  std::int64_t largest;              ///< largest number of replications in a sample

  /// Numbers per row of sums.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t room() const { return largest + 1; }
  /// See ProblemScreen: every bound holds for all iterations.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t witnesses(std::int64_t) const { return 1; }
  /// See ProblemScreen: the centred returns and their mean.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t rows(std::int64_t size) const { return size + 1; }

  /// See ProblemScreen.
  KOKKOS_FUNCTION void add_holding(const SampleRange& sample, std::int64_t j, double weight, double* row) const {
    const double mean = returns.means[j], deviation = returns.deviations[j];
    for_normals_across({sample.seed, sample.first, 0}, static_cast<std::uint64_t>(j), sample.size,
                       [&](std::int64_t s, double z) { row[s] += weight * (mean + deviation * z); });
  }

  /// See ProblemScreen: computes v and ‖v‖.
  KOKKOS_FUNCTION void begin(std::int64_t repetition, const SampleRange& sample, double* sums,
                             std::int64_t count) const {
    namespace across = sporos::impl;
    double* const v = portfolios + repetition * room();
    const std::int64_t n = sample.size;
    double total = 0;
    for (std::int64_t s = across::lane_index(); s < n; s += across::lane_count()) {
      double sum = 0;
      for (std::int64_t row = 0; row < count; ++row) sum += sums[row * room() + s];
      sums[s] = sum;
      total += sum;
    }
    const double mean = across::warp_sum(total) / static_cast<double>(n);
    double square = 0;
    for (std::int64_t s = across::lane_index(); s < n; s += across::lane_count()) {
      const double centred = sums[s] - mean;
      v[s] = centred;
      square += centred * centred;
    }
    square = across::warp_sum(square);
    if (across::lane_index() == 0) v[largest] = ::sqrt(square);
  }

  /// See ProblemScreen. `bounds` has two elements, each with a lower and an upper bound. A device computes in float
  /// unless the derivative itself is required; the bounds are then widened by the possible error.
  template <class Start, class Pair>
  KOKKOS_FUNCTION void bracket(const Start& start, std::int64_t pair, const Kokkos::Array<bool, 2>& wanted,
                               Pair& bounds) const {
    namespace across = sporos::impl;
    double sums[2][3];
    const bool is_rough = across::lane_count() > 1 && start.iterations > 1;
    if (is_rough) {
      sum_pair<float>(start, pair, wanted, sums);
    } else {
      sum_pair<double>(start, pair, wanted, sums);
    }
    const double length = portfolios[start.repetition * room() + largest];  // ‖v‖
    const auto n = static_cast<double>(start.sample.size);
    const double root = ::sqrt(n), of_n = 1 / n, of_rest = 1 / (n - 1);
    const double moved = 1 - start.shrinkage, drift = moved * (reach * root + length) * of_rest;
    const double share = is_rough ? rough_share(n) : 0;
    // On a device, each lane computes the bounds of one asset. An index known only at run time would move arrays to
    // memory.
    for (int k = across::lane_index() % 2; k < 2; k += across::lane_count()) {
      const bool is_second = k == 1;
      if (!(is_second ? wanted[1] : wanted[0])) continue;
      const double mean = returns.means[2 * pair + k], deviation = returns.deviations[2 * pair + k];
      const double sum = is_second ? sums[1][0] : sums[0][0];
      const double square = is_second ? sums[1][1] : sums[0][1];
      const double product = is_second ? sums[1][2] : sums[0][2];
      const double error = share * (root + ::sqrt(square));  // error of the vector of the asset's normals
      const double spread = square - sum * sum * of_n + 4 * share * square;
      const double length_of_asset = ::sqrt(spread > 0 ? spread : 0.0) + error;
      const double gradient = deviation * product * of_rest - (mean + deviation * (sum * of_n));
      const double room_to_move =
          deviation * ((moved > 0 ? length_of_asset * drift : 0) + error * (length * of_rest + root * of_n));
      if (is_second) {
        bounds[1] = {gradient - room_to_move, gradient + room_to_move};
      } else {
        bounds[0] = {gradient - room_to_move, gradient + room_to_move};
      }
    }
  }

  /// See ProblemScreen.
  template <class Start, class Candidate>
  KOKKOS_FUNCTION void load(const Start& start, const Candidate& of) const {
    const SampleRange& sample = start.sample;
    namespace across = sporos::impl;
    const double center = returns.means[of.coordinate], deviation = returns.deviations[of.coordinate];
    double off = 0;
    for_normals_across({sample.seed, sample.first, 0}, static_cast<std::uint64_t>(of.coordinate), sample.size,
                       [&](std::int64_t s, double z) {
                         const double value = center + deviation * z;
                         of.column[s * of.stride] = value;
                         off += value - center;
                       });
    const double mean = center + across::warp_sum(off) / static_cast<double>(sample.size);
    for (std::int64_t s = across::lane_index(); s < sample.size; s += across::lane_count()) {
      of.column[s * of.stride] -= mean;
    }
    if (across::lane_index() == 0) of.column[sample.size * of.stride] = mean;
  }

  /// See ProblemScreen: copies v, and writes 1 / (n − 1) at `largest`.
  KOKKOS_FUNCTION void open(std::int64_t repetition, double* own, std::int64_t size) const {
    namespace across = sporos::impl;
    const double* const v = portfolios + repetition * room();
    for (std::int64_t s = across::lane_index(); s < size; s += across::lane_count()) own[s] = v[s];
    if (across::lane_index() == 0) own[largest] = 1.0 / static_cast<double>(size - 1);
  }

  /// See ProblemScreen: g_j, computed with eight interleaved partial sums.
  template <class Candidate>
  KOKKOS_FUNCTION double partial(const Candidate& of, const SampleRange& sample, const double* own) const {
    if (of.column == nullptr) return 0;
    const int n = static_cast<int>(sample.size), stride = static_cast<int>(of.stride);
    const double* column = of.column;
    double sums[8] = {};
    int s = 0;
    for (; s + 8 <= n; s += 8, column += 8 * stride) {
      for (int k = 0; k < 8; ++k) sums[k] += column[k * stride] * own[s + k];
    }
    for (; s < n; ++s, column += stride) sums[0] += column[0] * own[s];
    const double low = (sums[0] + sums[1]) + (sums[2] + sums[3]), high = (sums[4] + sums[5]) + (sums[6] + sums[7]);
    return (low + high) * own[largest] - column[0];
  }

  /// See ProblemScreen: −R̄_j.
  template <class Candidate>
  KOKKOS_FUNCTION double constant(const Candidate& of, std::int64_t size) const {
    return -of.column[size * of.stride];
  }

  /// See ProblemScreen: x_iᵀx_j / (n − 1).
  KOKKOS_FUNCTION double product(const double* column, const double* other, std::int64_t stride,
                                 std::int64_t size) const {
    double sum = 0;
    for (std::int64_t s = 0; s < size; ++s) sum += column[s * stride] * other[s * stride];
    return sum / static_cast<double>(size - 1);
  }

  /// See ProblemScreen: v = (1 − γ) v + γ s_j x_j; towards the origin, v = (1 − γ) v.
  template <class Candidate>
  KOKKOS_FUNCTION void move(const Candidate& to, std::int64_t size, double step, double amount, double* own) const {
    namespace across = sporos::impl;
    for (std::int64_t s = across::lane_index(); s < size; s += across::lane_count()) {
      const double target = to.column == nullptr ? 0 : amount * to.column[s * to.stride];
      own[s] = (1 - step) * own[s] + step * target;
    }
  }

 private:
  /// Computes Σ z, Σ z² and Σ z v of both assets of a pair.
  template <class Number, class Start>
  KOKKOS_FUNCTION void sum_pair(const Start& start, std::int64_t pair, const Kokkos::Array<bool, 2>& wanted,
                                double (&sums)[2][3]) const {
    const double* const v = portfolios + start.repetition * room();
    Number of_lane[6] = {};
    const auto add = [&](std::int64_t s, Number z0, Number z1) {
      const auto portfolio = static_cast<Number>(v[s]);
      of_lane[0] += z0;
      of_lane[1] += z0 * z0;
      of_lane[2] += z0 * portfolio;
      of_lane[3] += z1;
      of_lane[4] += z1 * z1;
      of_lane[5] += z1 * portfolio;
    };
    const SampleRange& sample = start.sample;
    for_normal_pairs<Number>({sample.seed, sample.first, 0}, static_cast<std::uint64_t>(pair), sample.size, wanted,
                             add);
    sporos::impl::warp_sums(of_lane);
    for (int i = 0; i < 6; ++i) sums[i / 3][i % 3] = static_cast<double>(of_lane[i]);
  }

  /// Bound on the error of sums in float, relative to √n + ‖z‖: errors of the normals, and rounding of sums over lanes.
  KOKKOS_FORCEINLINE_FUNCTION static double rough_share(double n) {
    return approximate_normal_error + (n / 32 + 16) * 0x1p-23;
  }
};

/// Screening of a mean–variance portfolio (concept ProblemScreen), for repetitions with separate seeds.
template <class ExecutionSpace>
class PortfolioScreen {
 public:
  using execution_space = ExecutionSpace;                      ///< execution space of the kernels
  using memory_space = typename ExecutionSpace::memory_space;  ///< memory space of the data

  /// Screens `repetitions` repetitions of a portfolio with these returns. Kernels read the same parameters from
  /// `handle`.
  PortfolioScreen(const NormalReturns& returns, const IndependentReturnsHandle& handle, std::int64_t repetitions)
      : m_means(returns.means), m_deviations(returns.deviations), m_repetitions(repetitions) {
    m_data.returns = handle;
  }

  /// See ProblemScreen.
  void resize(std::int64_t size) {
    m_data.largest = size;
    reserve(m_portfolios, "sporos::portfolio::portfolios", m_repetitions * m_data.room());
    m_data.portfolios = m_portfolios.data();
  }

  /// See ProblemScreen: −μ_j − z σ_j − z σ_j reach n / (n − 1).
  std::vector<double> floors(const std::vector<double>& limits, std::int64_t size) {
    const double most = -1.000001 * math::normal_quantile(0x1p-53);  // largest normal from open_uniform
    double largest = 0;
    for (std::size_t j = 0; j < m_means.size(); ++j) largest = std::max(largest, limits[j] * m_deviations[j]);
    m_data.reach = most * largest;
    const auto n = static_cast<double>(size);
    const double share = most * (1 + m_data.reach * n / (n - 1));
    std::vector<double> floors(m_means.size());
    for (std::size_t j = 0; j < m_means.size(); ++j) floors[j] = -m_means[j] - share * m_deviations[j];
    return floors;
  }

  /// See ProblemScreen.
  const PortfolioScreenData& on_device() const { return m_data; }

 private:
  std::vector<double> m_means, m_deviations;
  std::int64_t m_repetitions;
  Vector<ExecutionSpace> m_portfolios;
  PortfolioScreenData m_data{};
};

}  // namespace sporos::models
