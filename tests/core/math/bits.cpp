// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementary functions have known bits on every backend, at every optimization level and on every processor.
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/math/pow.hpp>
#include <sporos/core/math/trigonometric.hpp>

#include "harness/backends.hpp"

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <cstdint>
#include <string>

namespace sporos::test {
namespace bits_tests {

constexpr std::uint64_t points = 1 << 17;

/// SplitMix64 (Steele, Lea, Flood 2014, Fast splittable pseudorandom number generators).
KOKKOS_INLINE_FUNCTION std::uint64_t scrambled(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// The i-th argument: in turn any bit pattern, a number within ±1, within ±40, or of a magnitude from 2^−64 to 2^63.
template <class Real>
KOKKOS_INLINE_FUNCTION Real argument(std::uint64_t i) {
  const std::uint64_t bits = scrambled(i);
  if (i % 4 == 0) {
    if constexpr (std::same_as<Real, float>)
      return math::impl::from_bits(static_cast<std::uint32_t>(bits));
    else
      return math::impl::from_bits(bits);
  }
  const double within_one = static_cast<double>(static_cast<std::int64_t>(bits) >> 11) * 0x1p-52;
  if (i % 4 == 1) return static_cast<Real>(within_one);
  if (i % 4 == 2) return static_cast<Real>(40.0 * within_one);
  return static_cast<Real>(within_one * math::impl::power_of_two(static_cast<std::int64_t>(bits & 127) - 64));
}

enum class Function { log, log1p, exp, expm1, pow, sin, cos, normal_cdf, normal_quantile };

template <Function function, class Real>
KOKKOS_INLINE_FUNCTION Real value(std::uint64_t i) {
  const Real x = argument<Real>(i);
  if constexpr (function == Function::log)
    return math::log(x);
  else if constexpr (function == Function::log1p)
    return math::log1p(x);
  else if constexpr (function == Function::exp)
    return math::exp(x);
  else if constexpr (function == Function::expm1)
    return math::expm1(x);
  else if constexpr (function == Function::pow)
    return math::pow(x, argument<Real>(5 * i + 1000000));
  else if constexpr (function == Function::sin)
    return math::sin(x);
  else if constexpr (function == Function::cos)
    return math::cos(x);
  else if constexpr (function == Function::normal_cdf)
    return math::normal_cdf(x);
  else
    return math::normal_quantile(x < Real(0) ? -x : x);
}

/// Digest of the function's values. If `broken_at` is the index of a value, that value is off by one ulp.
template <class Space, Function function, class Real>
std::uint64_t digest_in_kernel(std::uint64_t broken_at = points) {
  std::uint64_t digest = 0;
  Kokkos::parallel_reduce(
      "sporos::test::math_digest", Kokkos::RangePolicy<Space>(0, points),
      KOKKOS_LAMBDA(const std::uint64_t i, std::uint64_t& sum) {
        const std::uint64_t bits = math::impl::to_bits(value<function, Real>(i)) + (i == broken_at ? 1 : 0);
        sum += scrambled(bits ^ scrambled(i));
      },
      digest);
  return digest;
}

/// Number of differences between the forms for uniforms and the general forms of log and normal_quantile, over uniforms
/// k / 2^53 with odd k.
template <class Space>
std::uint64_t differences_of_uniform_forms() {
  std::uint64_t differences = 0;
  Kokkos::parallel_reduce(
      "sporos::test::uniform_forms", Kokkos::RangePolicy<Space>(0, points),
      KOKKOS_LAMBDA(const std::uint64_t i, std::uint64_t& sum) {
        const std::uint64_t bits = (scrambled(i) >> 11) >> (i % 53);
        const double u = static_cast<double>(bits | 1) * 0x1p-53;
        if (math::impl::to_bits(math::log_of_uniform(u)) != math::impl::to_bits(math::log(u))) ++sum;
        if (math::impl::to_bits(math::normal_quantile_of_uniform(u)) != math::impl::to_bits(math::normal_quantile(u)))
          ++sum;
      },
      differences);
  return differences;
}

template <class Space>
class MathBits : public ::testing::Test {};
TYPED_TEST_SUITE(MathBits, Backends, BackendName);

template <class Space, Function function>
void expect_digests(const std::string& name, std::uint64_t of_doubles, std::uint64_t of_floats) {
  EXPECT_EQ((digest_in_kernel<Space, function, double>()), of_doubles) << name << ", double";
  EXPECT_EQ((digest_in_kernel<Space, function, float>()), of_floats) << name << ", float";
}

TYPED_TEST(MathBits, AreKnown) {
  expect_digests<TypeParam, Function::log>("log", 0x610eb541390fe995, 0xcdb8041a4708b41a);
  expect_digests<TypeParam, Function::log1p>("log1p", 0x4956eb174b44aa95, 0xf75c1b787e50b87e);
  expect_digests<TypeParam, Function::exp>("exp", 0x9697ce1fc4a07815, 0x1e0de544afe118e3);
  expect_digests<TypeParam, Function::expm1>("expm1", 0x7f4229eb25260d0d, 0xbe0699c8e7f5270f);
  expect_digests<TypeParam, Function::pow>("pow", 0xc8f049ff20a3723e, 0x1b6d299cc1b5a992);
  expect_digests<TypeParam, Function::sin>("sin", 0x9f4657fe939db0a1, 0x2f4b2b34951aca7f);
  expect_digests<TypeParam, Function::cos>("cos", 0x81e35e650c61fe72, 0x35bdd904c967132b);
  expect_digests<TypeParam, Function::normal_cdf>("normal_cdf", 0x51797ebe3ba3ae2d, 0xc6f444c07e7d2860);
  expect_digests<TypeParam, Function::normal_quantile>("normal_quantile", 0xd1dff8a73f570f01, 0x66275a22ce03bb10);
}

TYPED_TEST(MathBits, NegativeControlOneUlpChangesTheDigest) {
  EXPECT_NE((digest_in_kernel<TypeParam, Function::log, double>(4711)),
            (digest_in_kernel<TypeParam, Function::log, double>()));
}

TYPED_TEST(MathBits, AreTheSameInTheFormsForUniforms) { EXPECT_EQ(differences_of_uniform_forms<TypeParam>(), 0u); }

}  // namespace bits_tests
}  // namespace sporos::test
