// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of demands by their uniforms equal counts by comparing the demands themselves, on every backend, product by
// product and in blocks.
#include "harness/backends.hpp"

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/models/inventory/newsvendor_sample.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {
namespace newsvendor_sample_tests {

using models::NewsvendorSample, models::uniform_of_rank, models::uniforms_up_to, models::UniformsAround;

constexpr std::size_t block_size = 32;
constexpr std::int64_t products = 10 * block_size;
constexpr std::int64_t max_ranks = std::int64_t{1} << 52;

TEST(UniformsUpTo, CountsTheUniformsThatAreAtMostP) {
  for (const std::int64_t rank : {std::int64_t{0}, std::int64_t{1}, std::int64_t{12345}, max_ranks / 2 - 1,
                                  max_ranks / 2, max_ranks - 2, max_ranks - 1}) {
    const double u = uniform_of_rank(rank);
    EXPECT_EQ(uniforms_up_to(u), rank + 1);
    EXPECT_EQ(uniforms_up_to(std::nextafter(u, 0.0)), rank);
    EXPECT_EQ(uniforms_up_to(std::nextafter(u, 2.0)), rank + 1);
  }
  EXPECT_EQ(uniforms_up_to(0.5), max_ranks / 2);
  for (const double p : {0.0, -1.0, -double(INFINITY), std::nan("")}) EXPECT_EQ(uniforms_up_to(p), 0);
  for (const double p : {1.0, 1.5, double(INFINITY)}) EXPECT_EQ(uniforms_up_to(p), max_ranks);
}

TEST(OrderStatistic, IsThatOfTheSortedRanks) {
  for (const std::int64_t size : {1, 2, 7, 100, 2001}) {
    const NewsvendorSample sample{{11, 5, size}};
    std::vector<std::int64_t> ranks;
    for (std::int64_t i = 0; i < size; ++i) ranks.push_back(sample.rank(3, i));
    std::sort(ranks.begin(), ranks.end());
    for (std::int64_t m = 1; m <= size; m += 1 + size / 50) {
      EXPECT_EQ(sample.order_statistic(3, m), ranks[static_cast<std::size_t>(m - 1)]) << m << " of " << size;
    }
    EXPECT_EQ(sample.order_statistic(3, size), ranks.back()) << size;
  }
}

// Threshold p of a product; some thresholds are 0 and 1.
double threshold(std::int64_t product) { return static_cast<double>(product % 41) / 40; }

template <class Space>
struct Count {
  using Numbers = Kokkos::View<std::int64_t* [7], Kokkos::LayoutRight, typename Space::memory_space>;
  NewsvendorSample sample;
  Kokkos::View<const double*, typename Space::memory_space> p;
  Numbers found;  // single products: count, below, above; blocks: the same, and the count for twice the threshold

  KOKKOS_FUNCTION void operator()(std::int64_t block) const {
    const std::int64_t first = block * static_cast<std::int64_t>(block_size);
    Kokkos::Array<double, block_size> at, twice;
    for (std::size_t j = 0; j < block_size; ++j) {
      at[j] = p(first + static_cast<std::int64_t>(j));
      twice[j] = 2 * at[j];
    }
    Kokkos::Array<std::int64_t, block_size> counts, p_counts, q_counts;
    Kokkos::Array<UniformsAround, block_size> neighbours;
    sample.count(first, at, counts);
    Kokkos::Array<std::int64_t, block_size / 2> pairs;
    for (std::size_t k = 0; k < block_size / 2; ++k) pairs[k] = (first / 2) + static_cast<std::int64_t>(k);
    sample.count(pairs, at, twice, p_counts, q_counts);
    sample.around(first, at, neighbours);
    for (std::size_t j = 0; j < block_size; ++j) {
      const std::int64_t product = first + static_cast<std::int64_t>(j);
      const UniformsAround separate = sample.around(product, at[j]);
      found(product, 0) = sample.count(product, at[j]);
      found(product, 1) = separate.below;
      found(product, 2) = separate.above;
      const bool same = counts[j] == p_counts[j] && counts[j] == neighbours[j].count && counts[j] == separate.count;
      found(product, 3) = same ? counts[j] : -1;
      found(product, 4) = neighbours[j].below;
      found(product, 5) = neighbours[j].above;
      found(product, 6) = q_counts[j];
    }
  }
};

template <class Space>
auto counted(const NewsvendorSample& sample) {
  Kokkos::View<double*, typename Space::memory_space> p("p", products);
  const auto host_p = Kokkos::create_mirror_view(p);
  for (std::int64_t j = 0; j < products; ++j) host_p(j) = threshold(j);
  Kokkos::deep_copy(p, host_p);
  const typename Count<Space>::Numbers found("found", products);
  const auto blocks = products / static_cast<std::int64_t>(block_size);
  Kokkos::parallel_for(Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, blocks),
                       Count<Space>{sample, p, found});
  Space().fence();
  const auto host = Kokkos::create_mirror_view(found);
  Kokkos::deep_copy(host, found);
  return host;
}

// Reference by the definition: each uniform from its Philox block, compared in double precision.
std::vector<double> sorted_uniforms(const SampleRange& range, std::int64_t product) {
  std::vector<double> u;
  for (std::int64_t i = 0; i < range.size; ++i) {
    const Stream stream{range.seed, range.first + static_cast<std::uint64_t>(i), 0};
    const auto words = Philox4x32::block(stream, static_cast<std::uint64_t>(product / 2));
    u.push_back(open_uniform(words[static_cast<std::size_t>(product % 2)]));
  }
  std::sort(u.begin(), u.end());
  return u;
}

template <class Space>
class NewsvendorSamples : public ::testing::Test {};
TYPED_TEST_SUITE(NewsvendorSamples, Backends, BackendName);

TYPED_TEST(NewsvendorSamples, CountEveryUniformUpToTheThreshold) {
  for (const auto& range : {SampleRange{7, 0, 25}, SampleRange{1, (1ull << 32) - 3, 101}, SampleRange{~0ull, 5, 1}}) {
    const auto found = counted<TypeParam>(NewsvendorSample{range});
    for (std::int64_t j = 0; j < products; ++j) {
      const auto u = sorted_uniforms(range, j);
      const auto up_to = std::upper_bound(u.begin(), u.end(), threshold(j));
      ASSERT_EQ(found(j, 0), up_to - u.begin()) << j;
      ASSERT_EQ(found(j, 3), found(j, 0)) << j;
      ASSERT_EQ(found(j, 6), std::upper_bound(u.begin(), u.end(), 2 * threshold(j)) - u.begin()) << j;
      for (const int way : {1, 4}) {
        ASSERT_EQ(found(j, way), up_to == u.begin() ? -1 : uniforms_up_to(*(up_to - 1)) - 1) << j;
        ASSERT_EQ(found(j, way + 1), up_to == u.end() ? max_ranks : uniforms_up_to(*up_to) - 1) << j;
      }
    }
  }
}

// For demands of N(35, 15²), compares counts of uniforms up to Φ((x − 35) / 15) with counts of demands up to x.
TEST(NewsvendorSample, CountsTheDemandsThatAreAtMostX) {
  const NewsvendorSample sample{{3, 0, 50}};
  std::int64_t differences_of_control = 0;
  for (std::int64_t j = 0; j < products; ++j) {
    const double x = 10 + 50 * threshold(j);
    std::int64_t expected = 0;
    for (std::int64_t i = 0; i < sample.range.size; ++i) expected += normal(sample.uniform(j, i), 35, 15) <= x ? 1 : 0;
    ASSERT_EQ(sample.count(j, math::normal_cdf((x - 35) / 15)), expected) << j;
    differences_of_control += sample.count(j, math::normal_cdf((x - 36) / 15)) != expected ? 1 : 0;
  }
  EXPECT_GT(differences_of_control, products / 2) << "control: another mean";
}

}  // namespace newsvendor_sample_tests
}  // namespace sporos::test
