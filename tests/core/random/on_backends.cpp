// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The draws of a stream have the same bits on every backend: they equal those on the host and match a table of digests.
#include "engine_cases.hpp"

#include <harness/backends.hpp>

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/random/drawn_index.hpp>
#include <sporos/core/random/float_uniforms.hpp>
#include <sporos/core/random/standard_normals.hpp>
#include <sporos/core/random/uniform.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <type_traits>
#include <vector>

namespace on_backends_tests {

using namespace sporos;

constexpr int streams = 96, draws = 50;

// Streams close together and far apart: any bit of an index may be set.
KOKKOS_INLINE_FUNCTION Stream stream_of(int index) {
  const auto n = static_cast<std::uint64_t>(index);
  return {mix_bits(n / 32), index % 2 == 0 ? n : mix_bits(n) >> n % 64,
          static_cast<std::uint32_t>(index % 3 == 0 ? index : mix_bits(n + 1) & 0xffff)};
}

template <class E, class Space>
struct DrawFiller {
  Kokkos::View<std::uint64_t**, Space> values;

  KOKKOS_FUNCTION void operator()(int index) const {
    E engine = E::of_stream(stream_of(index));
    for (int i = 0; i < draws; ++i) values(index, i) = engine.next_draw();
  }
};

template <class E, class Space>
auto draws_on() {
  const Kokkos::View<std::uint64_t**, Space> values("sporos::test::draws", streams, draws);
  Kokkos::parallel_for("sporos::test::draw", Kokkos::RangePolicy<Space>(0, streams), DrawFiller<E, Space>{values});
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
}

// Digest of each engine's draws, mixed in the order of streams.
const std::map<std::string_view, std::uint64_t> known_digests = {
    {"philox", 0xf1fb875bdd203147},     {"philox4x64", 0x11b6a16584b66d37}, {"philox4x32-7", 0xe3347fbf5e436bbf},
    {"taus88", 0x1a310f082fed25ca},     {"mrg32k3a", 0xda43d3ce6803847a},   {"ranlux24-0", 0xf362da2593d8dd85},
    {"ranlux24-1", 0xdd7395bf19054349}, {"ranlux24-2", 0xa4b878a6cae9942b}, {"ranlux48-0", 0x642acb99cb64dc82},
    {"ranlux48-1", 0xe89e44ed481ecd41}, {"ranlux48-2", 0x3c69f368a2e73e50}};

template <class Space, class Case>
void expect_known_draws(const Case&) {
  using E = typename Case::Class;
  static_assert(std::is_trivially_copyable_v<E> && std::is_default_constructible_v<E>);
  const std::string_view name = name_of(Case::engine);
  const auto values = draws_on<E, Space>();
  std::uint64_t digest = 0;
  for (int index = 0; index < streams; ++index) {
    E engine = E::of_stream(stream_of(index));
    for (int i = 0; i < draws; ++i) {
      const std::uint64_t draw = engine.next_draw();
      ASSERT_EQ(values(index, i), draw) << name << ", stream " << index << ", draw " << i;
      digest = mix_bits(digest ^ values(index, i));
    }
  }
  EXPECT_EQ(digest, known_digests.at(name)) << name;
}

template <class Space>
class DrawsOn : public ::testing::Test {};
TYPED_TEST_SUITE(DrawsOn, test::Backends, test::BackendName);

TYPED_TEST(DrawsOn, EveryEngineAreTheKnownBits) {
  test::for_each_engine([](const auto& engine_case) { expect_known_draws<TypeParam>(engine_case); });
  EXPECT_EQ(Engines::names.size(), known_digests.size());
}

template <class E, class Space>
struct FloatFiller {
  Kokkos::View<float**, Space> values;

  KOKKOS_FUNCTION void operator()(int index) const {
    for (int block = 0; block < draws; ++block) {
      const auto u = float_uniforms<E>(stream_of(index), static_cast<std::uint64_t>(block));
      for (int w = 0; w < 4; ++w) values(index, 4 * block + w) = u[w];
    }
  }
};

template <class E, class Space>
auto float_uniforms_on() {
  const Kokkos::View<float**, Space> values("sporos::test::uniforms", streams, 4 * draws);
  Kokkos::parallel_for("sporos::test::uniforms", Kokkos::RangePolicy<Space>(0, streams), FloatFiller<E, Space>{values});
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
}

// Each 32-bit word of a block gives a uniform: open_float_uniform takes the upper 23 bits of it.
template <class Space, class E>
void expect_words_of_blocks() {
  const auto values = float_uniforms_on<E, Space>();
  for (int index = 0; index < streams; ++index) {
    for (int i = 0; i < 4 * draws; ++i) {
      const std::uint64_t draw = E::block(stream_of(index), static_cast<std::uint64_t>(i / 4))[i % 4 / 2];
      const std::uint64_t k = (i % 2 == 0 ? draw >> 32 : draw & 0xffffffffu) >> 9;
      ASSERT_EQ(static_cast<double>(values(index, i)), (2.0 * static_cast<double>(k) + 1.0) * 0x1p-24)
          << "stream " << index << ", uniform " << i;
    }
  }
}

TYPED_TEST(DrawsOn, UniformsInFloatAreTheBlocksWords) {
  expect_words_of_blocks<TypeParam, Philox4x32>();
  expect_words_of_blocks<TypeParam, Philox4x32_7>();
}

// Row n draws n indices from 0 to 998, from a replication on that needs 33 bits after a few more.
constexpr std::uint64_t before_33_bits = 0xfffffffb, index_count = 999;

template <class Space>
using IndexTable = Kokkos::View<std::int64_t**, Kokkos::LayoutRight, Space>;

template <class Space>
struct IndexFiller {
  IndexTable<Space> values;

  KOKKOS_FUNCTION void operator()(int n) const { draw_indices(7, before_33_bits, n, index_count, &values(n, 0)); }
};

TYPED_TEST(DrawsOn, IndicesAreThoseOfSingleReplications) {
  constexpr int most = 27;
  const IndexTable<TypeParam> values("sporos::test::indices", most, most);
  Kokkos::deep_copy(values, -1);
  Kokkos::parallel_for("sporos::test::indices", Kokkos::RangePolicy<TypeParam>(0, most),
                       IndexFiller<TypeParam>{values});
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  for (int n = 0; n < most; ++n) {
    for (int i = 0; i < most; ++i) {
      const std::int64_t index = drawn_index(7, before_33_bits + static_cast<std::uint64_t>(i), index_count);
      EXPECT_EQ(found(n, i), i < n ? index : -1) << n << " indices, index " << i;
    }
  }
}

template <class Space>
struct NormalFiller {
  Kokkos::View<std::uint64_t*, Space> bits;
  Kokkos::View<double* [2], Space> values;  // approximate, exact

  KOKKOS_FUNCTION void operator()(int i) const {
    values(i, 0) = static_cast<double>(approximate_normal(bits(i)));
    values(i, 1) = math::normal_quantile_of_uniform(open_uniform(bits(i)));
  }
};

// Largest difference between the approximate and the exact normals of these bits, relative to 1 + |z|.
template <class Space>
double largest_error(const std::vector<std::uint64_t>& bits) {
  const Kokkos::View<std::uint64_t*, Space> there("sporos::test::bits", bits.size());
  const Kokkos::View<double* [2], Space> values("sporos::test::normals", bits.size());
  copy_elements(there, bits);
  Kokkos::parallel_for("sporos::test::normals", Kokkos::RangePolicy<Space>(0, static_cast<int>(bits.size())),
                       NormalFiller<Space>{there, values});
  const auto normals = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  double largest = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const double z = normals(i, 1);
    largest = std::max(largest, std::abs(normals(i, 0) - z) / (1 + std::abs(z)));
  }
  return largest;
}

TYPED_TEST(DrawsOn, ApproximateNormalsAreAsNearAsTheySay) {
  std::vector<std::uint64_t> bits;
  for (std::uint64_t i = 0; i < 1 << 20; ++i) bits.push_back(mix_bits(i));
  for (int shift = 0; shift < 64; ++shift) {  // both tails, and both sides of 1/2
    const std::uint64_t one = std::uint64_t{1} << shift;
    for (const std::uint64_t some : {one, one - 1, 3 * one, one + one / 3}) {
      for (const std::uint64_t mirrored : {some, ~some}) bits.push_back(mirrored);
    }
  }
  const double error = largest_error<TypeParam>(bits);
  EXPECT_LT(error, approximate_normal_error);
  EXPECT_GT(error, 0.01 * approximate_normal_error) << "the bound is far from what it bounds";
}

TEST(FloatUniforms, LieInTheOpenInterval) {
  EXPECT_EQ(open_float_uniform(0), 0x1p-24f);
  EXPECT_EQ(open_float_uniform(0x1ff), 0x1p-24f);
  EXPECT_EQ(open_float_uniform(0xffffffff), 1.0f - 0x1p-24f);
  EXPECT_EQ(open_float_uniform(0x7fffffff) + open_float_uniform(0x80000000), 1.0f);
}

}  // namespace on_backends_tests
