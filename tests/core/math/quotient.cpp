// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On every backend, quotients have the bits of the host's division.
#include <sporos/core/math/quotient.hpp>
#include <sporos/core/random/stream.hpp>

#include "harness/backends.hpp"

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace sporos::test {
namespace quotient_tests {

constexpr std::uint64_t points = 1 << 20;

// A number from 1 to 2 with any bits, or few set or cleared, so that some quotients lie near midpoints of doubles.
KOKKOS_INLINE_FUNCTION double significand(std::uint64_t bits) {
  const std::uint64_t kept = bits % 3 == 0 ? bits << 26 : bits % 3 == 1 ? ~(bits >> 40) : bits;
  return math::impl::from_bits((kept & 0x000fffffffffffffu) | 0x3ff0000000000000u);
}

struct Operands {
  double a, b;
};

// In turn, operands as in the logarithm, of any allowed magnitude, and of equal magnitude, with zeros among them.
KOKKOS_INLINE_FUNCTION Operands operands(std::uint64_t i) {
  const std::uint64_t bits = mix_bits(2 * i + 1), more = mix_bits(2 * i + 2);
  const double x = significand(bits), y = significand(more);
  const auto power = [](std::uint64_t from) {
    return math::impl::power_of_two(static_cast<std::int64_t>(from % 800) - 400);
  };
  if (i % 1024 == 0) return {0.0, y};
  if (i % 3 == 0) {
    const double f = (x - 1.5) * 0.58;
    return {f, 2.0 + f};
  }
  if (i % 3 == 1) return {x * power(bits >> 20), y * power(more >> 20)};
  return {x, -y};
}

template <class Space>
Kokkos::View<double*, Kokkos::HostSpace> quotients_on() {
  const Kokkos::View<double*, Space> values("sporos::test::quotients", points);
  Kokkos::parallel_for(
      "sporos::test::quotients", Kokkos::RangePolicy<Space>(0, points), KOKKOS_LAMBDA(std::int64_t i) {
        const Operands of = operands(static_cast<std::uint64_t>(i));
        values(i) = math::quotient(of.a, of.b);
      });
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
}

template <class Space>
class QuotientsOn : public ::testing::Test {};
TYPED_TEST_SUITE(QuotientsOn, Backends, BackendName);

TYPED_TEST(QuotientsOn, AreTheHostsDivision) {
  const auto values = quotients_on<TypeParam>();
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < points; ++i) {
    const Operands of = operands(i);
    wrong += math::impl::to_bits(values(i)) != math::impl::to_bits(of.a / of.b);
  }
  EXPECT_EQ(wrong, 0u);
}

// Control: an error of one ulp would be detected. The product with the rounded reciprocal has such an error in more
// than a quarter of all cases.
TEST(Quotients, ControlAProductWithTheReciprocalDiffers) {
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < points; ++i) {
    const Operands of = operands(i);
    wrong += of.a * (1.0 / of.b) != of.a / of.b;
  }
  EXPECT_GT(wrong, points / 4);
}

}  // namespace quotient_tests
}  // namespace sporos::test
