// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// L'Ecuyer's combined Tausworthe generator of three components (L'Ecuyer 1996, Maximally equidistributed combined
/// Tausworthe generators, Math. Comp. 65), with a period of about 2^88. Results are bitwise identical to those of
/// Boost.Random's `taus88`.
class Taus88 {
 public:
  Taus88() = default;

  /// Starts from three words of state. A word below the smallest state of its component (2, 8 or 16) is increased by
  /// that number, as in Boost.Random.
  KOKKOS_INLINE_FUNCTION Taus88(std::uint32_t s1, std::uint32_t s2, std::uint32_t s3)
      : m_s1(s1 < 2u ? s1 + 2u : s1), m_s2(s2 < 8u ? s2 + 8u : s2), m_s3(s3 < 16u ? s3 + 16u : s3) {}

  /// Returns the generator of a stream by random spacing (Passerat-Palmbach et al. 2011, Warp-level parallelism:
  /// enabling multiple replications in parallel on GPU, section 5). Philox draws its starting state from the stream's
  /// members, so that any replication starts in O(1). Two of n streams of length L overlap with probability below n² L
  /// / 2^88: 10^-9 for a million streams of 300 000 draws.
  KOKKOS_INLINE_FUNCTION static Taus88 of_stream(const Stream& stream) {
    const auto words = Philox4x32::block(stream, 0);
    return Taus88(static_cast<std::uint32_t>(words[0]), static_cast<std::uint32_t>(words[0] >> 32),
                  static_cast<std::uint32_t>(words[1]));
  }

  /// The next 32 bits.
  KOKKOS_INLINE_FUNCTION std::uint32_t next() {
    m_s1 = (m_s1 & 0xfffffffeu) << 12 ^ (m_s1 << 13 ^ m_s1) >> 19;
    m_s2 = (m_s2 & 0xfffffff8u) << 4 ^ (m_s2 << 2 ^ m_s2) >> 25;
    m_s3 = (m_s3 & 0xfffffff0u) << 17 ^ (m_s3 << 3 ^ m_s3) >> 11;
    return m_s1 ^ m_s2 ^ m_s3;
  }

  /// Returns the next draw of 64 bits: two words, the earlier one in the upper bits.
  KOKKOS_INLINE_FUNCTION std::uint64_t next_draw() {
    const std::uint64_t high = next();
    return high << 32 | next();
  }

 private:
  std::uint32_t m_s1, m_s2, m_s3;
};

}  // namespace sporos
