// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/sampling/inputs.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

/// Importance sampling at the draws of variates, which leaves a model's source code unchanged. Each draw in standard
/// form gets another density, and the likelihood ratio of all draws of a replication is accumulated.
namespace sporos {

/// A density g of each standard form that replaces its original density f:
///
///     −ln u:   exponential with mean `exponential_mean` instead of 1,   f/g = θ e^(−(1 − 1/θ) x);
///     Φ⁻¹(u):  normal with mean `normal_shift` instead of 0,            f/g = e^(δ²/2 − δ x);
///     u:       constant on pieces of (0, 1), whose probabilities are `shares`, f/g = width of the piece / share.
///
/// A default-constructed tilt does not change any density.
struct Tilt {
  static constexpr int pieces = 4;  ///< number of pieces of (0, 1)

  double exponential_mean = 1;                          ///< mean θ > 0 of the exponential form
  double normal_shift = 0;                              ///< mean δ of the normal form
  std::array<double, pieces> ends{0.25, 0.5, 0.75, 1};  ///< upper ends of the pieces; equal ends make an empty piece
  std::array<double, pieces> shares{0.25, 0.25, 0.25, 0.25};  ///< probabilities of the pieces; 0 only for an empty one
};

/// Throws std::invalid_argument if `tilt` does not define densities, or if a density is 0 where the original one is
/// not. The message refers to the tilt by `name`.
inline void check_tilt(const Tilt& tilt, const std::string& name) {
  check_positive("exponential mean of " + name, tilt.exponential_mean);
  check_finite("normal shift of " + name, tilt.normal_shift);
  double begin = 0, sum = 0;
  for (std::size_t i = 0; i < Tilt::pieces; ++i) {
    const double end = tilt.ends[i], share = tilt.shares[i];
    impl::check_parameter(end >= begin && end <= 1, "end of a piece of " + name, end,
                          "a number from the end of the previous piece to 1");
    impl::check_parameter(end > begin ? share > 0 && share <= 1 : share == 0, "share of a piece of " + name, share,
                          end > begin ? "a probability in (0, 1]" : "0, because the piece is empty");
    begin = end;
    sum += share;
  }
  impl::check_parameter(begin == 1, "last end of " + name, begin, "1");
  impl::check_parameter(sum > 1 - 1e-12 && sum < 1 + 1e-12, "sum of shares of " + name, sum, "1");
}

namespace impl {

/// A tilt in the form that kernels use.
struct PreparedTilt {
  double exponential_mean = 1, log_exponential_mean = 0, normal_shift = 0;
  double shares_until[Tilt::pieces];  // upper end of u for piece i
  double factor[Tilt::pieces], summand[Tilt::pieces], log_ratio[Tilt::pieces];

  PreparedTilt() : PreparedTilt(Tilt()) {}
  explicit PreparedTilt(const Tilt& tilt)
      : exponential_mean(tilt.exponential_mean),
        log_exponential_mean(math::log(tilt.exponential_mean)),
        normal_shift(tilt.normal_shift) {
    double begin = 0, before = 0;
    for (std::size_t i = 0; i < Tilt::pieces; ++i) {
      const double width = tilt.ends[i] - begin, share = tilt.shares[i];
      shares_until[i] = before + share;
      factor[i] = share > 0 ? width / share : 0;
      summand[i] = begin - before * factor[i];
      log_ratio[i] = share > 0 ? math::log(width / share) : 0;
      begin = tilt.ends[i];
      before = shares_until[i];
    }
  }
};

/// Indices of the statistics of a replication's draws that cross-entropy requires: numbers and sums of variates.
enum TiltSum { exponential_draws, exponential_sum, normal_draws, normal_sum, draws_in_first_piece };
inline constexpr int tilt_sums = draws_in_first_piece + Tilt::pieces;

/// The tilts of a model's inputs, in memory that kernels can access. Draw i of input v has tilt first[v] + i mod
/// count[v].
template <int input_count>
struct TiltTable {
  const PreparedTilt* tilts;
  int first[input_count], count[input_count];
};

}  // namespace impl

/// A pending draw under a tilt.
template <class Draw>
class TiltedDraw {
 public:
  /// Wraps `draw`. The conversion adds the logarithm of the likelihood ratio to `log_ratio`, and the statistics of the
  /// draw to `sums` if this is not null.
  KOKKOS_FORCEINLINE_FUNCTION TiltedDraw(const Draw& draw, const impl::PreparedTilt& tilt, double& log_ratio,
                                         double* sums)
      : m_draw(draw), m_tilt(tilt), m_log_ratio(log_ratio), m_sums(sums) {}

  /// Draws a uniform in the open interval (0, 1) from the tilted density.
  KOKKOS_FORCEINLINE_FUNCTION operator double() && {
    return static_cast<TiltedDraw&&>(*this).template as<StandardUniform>();
  }

  /// Does not compile: a stored draw that is used twice would give two different numbers under one name.
  SPOROS_UNAVAILABLE(SPOROS_KEPT_DRAW) KOKKOS_FUNCTION operator double() const&;

  /// Draws a variate of standard form `Form` from the tilted density.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION double as() && {
    const double x = static_cast<Draw&&>(m_draw).template as<Form>();
    if constexpr (std::is_same_v<Form, StandardExponential>) {
      const double tilted = m_tilt.exponential_mean * x;
      m_log_ratio += m_tilt.log_exponential_mean + (x - tilted);
      add(impl::exponential_draws, tilted);
      return tilted;
    } else if constexpr (std::is_same_v<Form, StandardNormal>) {
      const double tilted = x + m_tilt.normal_shift;
      m_log_ratio -= m_tilt.normal_shift * (x + 0.5 * m_tilt.normal_shift);
      add(impl::normal_draws, tilted);
      return tilted;
    } else {
      static_assert(std::is_same_v<Form, StandardUniform>,
                    "Sporos: a standard form without a tilt: draw uniforms, exponentials or normals");
      return tilted_uniform(x);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void add(int draws, double x) const {
    if (m_sums == nullptr) return;
    m_sums[draws] += 1;
    m_sums[draws + 1] += x;
  }

  KOKKOS_FORCEINLINE_FUNCTION double tilted_uniform(double u) const {
    int piece = 0;
    while (piece < Tilt::pieces - 1 && !(u < m_tilt.shares_until[piece])) ++piece;
    while (m_tilt.factor[piece] == 0) --piece;  // past the last share, due to rounding
    m_log_ratio += m_tilt.log_ratio[piece];
    if (m_sums != nullptr) m_sums[impl::draws_in_first_piece + piece] += 1;
    const double tilted = m_tilt.summand[piece] + m_tilt.factor[piece] * u;
    return tilted < 0x1p-53 ? 0x1p-53 : tilted > 1 - 0x1p-53 ? 1 - 0x1p-53 : tilted;
  }

  Draw m_draw;
  const impl::PreparedTilt& m_tilt;
  double& m_log_ratio;
  double* m_sums;
};

/// The inputs of a replication under tilts, and the likelihood ratio of the variates drawn from them.
template <class Inputs, int input_count>
class TiltedInputs : public DrawsOfEntities<TiltedInputs<Inputs, input_count>> {
 public:
  using Draw = TiltedDraw<decltype(std::declval<Inputs&>()(0))>;  ///< type of a pending draw

  /// Wraps `inputs`. If `sums` is not null, it holds impl::tilt_sums numbers for each tilt, and draws add to them.
  KOKKOS_FORCEINLINE_FUNCTION TiltedInputs(Inputs& inputs, const impl::TiltTable<input_count>& table, double* sums)
      : m_inputs(inputs), m_table(table), m_sums(sums) {
    for (int input = 0; input < input_count; ++input) m_next[input] = 0;
  }

  TiltedInputs(const TiltedInputs&) = delete;
  TiltedInputs& operator=(const TiltedInputs&) = delete;

  /// The next draw of `input`.
  KOKKOS_FORCEINLINE_FUNCTION Draw operator()(int input) {
    int& next = m_next[input];
    const int tilt = m_table.first[input] + next;
    next = next + 1 < m_table.count[input] ? next + 1 : 0;
    return tilted<decltype(std::declval<Inputs&>()(0))>(m_inputs(input), tilt);
  }
  /// Memory of the replication; see HoldsStorage.
  KOKKOS_FORCEINLINE_FUNCTION ReplicationStorage storage() const requires(HoldsStorage<Inputs>) {
    return m_inputs.storage();
  }
  /// Draws that belong to an entity; see Inputs.
  KOKKOS_FORCEINLINE_FUNCTION DrawPair<TiltedDraw<EntityDraw>> pair_of(std::uint64_t entity, int input,
                                                                       std::uint64_t pair) {
    const auto draws = m_inputs.pair_of(entity, input, pair);
    const int first = m_table.first[input], count = m_table.count[input];
    const auto of_count = static_cast<int>(2 * pair % static_cast<std::uint64_t>(count));
    return {tilted<EntityDraw>(EntityDraw(draws.first()), first + of_count),
            tilted<EntityDraw>(EntityDraw(draws.second()), first + (of_count + 1) % count)};
  }

  /// Logarithm of the likelihood ratio, ln(f/g), of all draws so far.
  KOKKOS_FORCEINLINE_FUNCTION double log_ratio() const { return m_log_ratio; }

 private:
  template <class Untilted>
  KOKKOS_FORCEINLINE_FUNCTION TiltedDraw<Untilted> tilted(const Untilted& draw, int tilt) {
    return {draw, m_table.tilts[tilt], m_log_ratio, m_sums == nullptr ? nullptr : m_sums + tilt * impl::tilt_sums};
  }

  Inputs& m_inputs;
  impl::TiltTable<input_count> m_table;
  double* m_sums;
  double m_log_ratio = 0;
  int m_next[input_count];
};

}  // namespace sporos
