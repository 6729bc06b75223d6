// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

namespace impl::mrg32k3a {

inline constexpr std::uint64_t m1 = 4294967087;  // 2^32 - 209
inline constexpr std::uint64_t m2 = 4294944443;  // 2^32 - 22853
inline constexpr std::uint64_t a12 = 1403580, a13_negative = 810728;
inline constexpr std::uint64_t a21 = 527612, a23_negative = 1370589;

// A linear map of a component's three words, to be applied modulo m1 or m2.
struct Matrix {
  std::uint32_t at[3][3];
};

// One step of each component, as next() applies it to the state.
inline constexpr Matrix step1 = {{{0, 1, 0}, {0, 0, 1}, {static_cast<std::uint32_t>(m1 - a13_negative), a12, 0}}};
inline constexpr Matrix step2 = {{{0, 1, 0}, {0, 0, 1}, {static_cast<std::uint32_t>(m2 - a23_negative), 0, a21}}};

consteval Matrix square(const Matrix& a, std::uint64_t m) {
  Matrix result = {};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      std::uint64_t sum = 0;
      for (int k = 0; k < 3; ++k) sum += std::uint64_t{a.at[i][k]} * a.at[k][j] % m;
      result.at[i][j] = static_cast<std::uint32_t>(sum % m);
    }
  }
  return result;
}

// Matrices that advance the two components by 2^k steps, k = first … first + count - 1.
template <int count>
struct Jumps {
  Matrix first[count], second[count];
};

template <int first, int count>
consteval Jumps<count> jumps() {
  Jumps<count> result = {};
  Matrix a = step1, b = step2;
  for (int k = 0; k < first + count; ++k) {
    if (k >= first) {
      result.first[k - first] = a;
      result.second[k - first] = b;
    }
    a = square(a, m1);
    b = square(b, m2);
  }
  return result;
}

KOKKOS_INLINE_FUNCTION void apply(const Matrix& a, std::uint64_t m, std::uint32_t& x, std::uint32_t& y,
                                  std::uint32_t& z) {
  const auto row = [&](int i) {
    const std::uint64_t sum =
        std::uint64_t{a.at[i][0]} * x % m + std::uint64_t{a.at[i][1]} * y % m + std::uint64_t{a.at[i][2]} * z % m;
    return static_cast<std::uint32_t>(sum % m);
  };
  const std::uint32_t new_x = row(0), new_y = row(1), new_z = row(2);
  x = new_x;
  y = new_y;
  z = new_z;
}

}  // namespace impl::mrg32k3a

/// L'Ecuyer's combined multiple recursive generator MRG32k3a (L'Ecuyer 1999, Good parameters and implementations for
/// combined multiple recursive random number generators, Oper. Res. 47), with a period of about 2^191. Its streams and
/// substreams are those of L'Ecuyer, Simard, Chen and Kelton (2002, An object-oriented random-number package with many
/// long streams and substreams, Oper. Res. 50).
class Mrg32k3a {
 public:
  /// Output z of the generator is in [0, modulus).
  static constexpr std::uint64_t modulus = impl::mrg32k3a::m1;

  /// Words of state: the three of the first component, oldest first, then those of the second.
  using State = Kokkos::Array<std::uint32_t, 6>;

  Mrg32k3a() = default;

  /// Starts from words of state. Each word is reduced modulo the modulus of its component. A component of zeros would
  /// stay zero, so it starts from 1, 0, 0 instead.
  KOKKOS_INLINE_FUNCTION explicit Mrg32k3a(const State& words) {
    for (int i = 0; i < 6; ++i) {
      m_words[i] = static_cast<std::uint32_t>(words[i] % (i < 3 ? impl::mrg32k3a::m1 : impl::mrg32k3a::m2));
    }
    if ((m_words[0] | m_words[1] | m_words[2]) == 0) m_words[0] = 1;
    if ((m_words[3] | m_words[4] | m_words[5]) == 0) m_words[3] = 1;
  }

  /// Returns the generator of a stream: substream `stream.input` of stream `stream.replication`, for the package seed
  /// that Philox draws from `stream.seed`. No two of the first 2^63 replications of a seed share a number within 2^76
  /// steps of an input. A jump costs two products of a 3 x 3 matrix and a vector for each bit set in the two indices.
  KOKKOS_INLINE_FUNCTION static Mrg32k3a of_stream(const Stream& stream) {
    const Stream base{stream.seed, 0, 0};
    const auto a = Philox4x32::block(base, 0), b = Philox4x32::block(base, 1);
    const auto low = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); };
    const State words = {{low(a[0]), low(a[0] >> 32), low(a[1]), low(a[1] >> 32), low(b[0]), low(b[0] >> 32)}};
    Mrg32k3a engine(words);
    engine.jump(stream.replication, stream.input);
    return engine;
  }

  /// Advances the generator by `streams` · 2^127 + `substreams` · 2^76 steps.
  KOKKOS_INLINE_FUNCTION void jump(std::uint64_t streams, std::uint32_t substreams) {
    // The tables are local, because nvcc gives the device a copy of a function's static constants but not of a
    // namespace's.
    static constexpr auto stream_jumps = impl::mrg32k3a::jumps<127, 64>();
    static constexpr auto substream_jumps = impl::mrg32k3a::jumps<76, 32>();
    jump_by(stream_jumps, streams);
    jump_by(substream_jumps, substreams);
  }

  /// The next output z. The published uniform is (z == 0 ? modulus : z) / (modulus + 1).
  KOKKOS_INLINE_FUNCTION std::uint32_t next() {
    using namespace impl::mrg32k3a;
    // The negative coefficients multiply the modulus minus the word. No sum reaches 2^54.
    const std::uint64_t first = (a12 * m_words[1] + a13_negative * (m1 - m_words[0])) % m1;
    const std::uint64_t second = (a21 * m_words[5] + a23_negative * (m2 - m_words[3])) % m2;
    m_words[0] = m_words[1];
    m_words[1] = m_words[2];
    m_words[2] = static_cast<std::uint32_t>(first);
    m_words[3] = m_words[4];
    m_words[4] = m_words[5];
    m_words[5] = static_cast<std::uint32_t>(second);
    return static_cast<std::uint32_t>(first >= second ? first - second : first + m1 - second);
  }

  /// Returns the next draw of 64 bits: stretch(z1 · m1 + z2) of the next outputs z1 and z2.
  KOKKOS_INLINE_FUNCTION std::uint64_t next_draw() {
    const std::uint64_t high = next();
    return stretch(high * modulus + next());
  }

  /// Stretches the integers x in [0, m1²) over [0, 2^64). The result is x · 2^64 / m1² minus at most 2.
  ///
  /// The three leading terms of 2^64 / m1² = (1 - 209/2^32)^-2 = 1 + 418/2^32 + 131043/2^64 + … are summed, each
  /// rounded down. No term decreases in x and the first increases strictly, so no two x have the same result. The last
  /// x, m1² - 1, has the result 2^64 - 2, so no sum overflows.
  KOKKOS_INLINE_FUNCTION static constexpr std::uint64_t stretch(std::uint64_t x) {
    const std::uint64_t high = x >> 32, low = x & 0xffffffffu;
    return x + 418 * high + (418 * low >> 32) + (131043 * high >> 32);
  }

  /// Words of state, in the order that the constructor expects.
  KOKKOS_INLINE_FUNCTION State words() const {
    return {{m_words[0], m_words[1], m_words[2], m_words[3], m_words[4], m_words[5]}};
  }

 private:
  template <int count>
  KOKKOS_INLINE_FUNCTION void jump_by(const impl::mrg32k3a::Jumps<count>& jumps, std::uint64_t bits) {
    for (int b = 0; bits != 0; ++b, bits >>= 1) {
      if ((bits & 1) == 0) continue;
      impl::mrg32k3a::apply(jumps.first[b], impl::mrg32k3a::m1, m_words[0], m_words[1], m_words[2]);
      impl::mrg32k3a::apply(jumps.second[b], impl::mrg32k3a::m2, m_words[3], m_words[4], m_words[5]);
    }
  }

  std::uint32_t m_words[6];
};

}  // namespace sporos
