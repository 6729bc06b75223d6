// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pre-generated draws of a newsvendor give the counts of the draws themselves, or report that they cannot.
#include <sporos/core/random/sample_range.hpp>
#include <sporos/models/inventory/drawn_ranks.hpp>
#include <sporos/models/inventory/newsvendor_sample.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace drawn_ranks_tests {

using namespace sporos;
using models::NewsvendorSample, models::UniformsAround;
using models::impl::DrawnRanks;

constexpr std::int64_t pairs = 19, rows = 70, repetitions = 2;
constexpr std::size_t products = 8;  // to count at once

// Samples of two repetitions: a short one, whose last rows are not drawn, and one of 70 replications. Looks visit the
// pairs in the reverse order.
class RanksDrawnAhead : public ::testing::Test {
 protected:
  RanksDrawnAhead() {
    for (std::int64_t p = 0; p < pairs; ++p) m_order.push_back(pairs - 1 - p);
    m_drawn = {nullptr, static_cast<std::int64_t>(m_parts.size()), rows, DrawnRanks::places_of(pairs)};
    m_ranks.resize(static_cast<std::size_t>(repetitions * m_drawn.parts * rows * m_drawn.places));
    m_drawn.ranks = m_ranks.data();
    const BufferedSamples samples{m_parts.data(), m_seeds.data(), m_order.data(), m_drawn.parts,
                                  repetitions,    pairs,          pairs};
    const models::impl::RankDrawing<BufferedSamples> drawing{samples, m_drawn};
    for (std::int64_t r = 0; r < repetitions; ++r) drawing(r);
  }

  // Calls visit(start, place, product) for every product of every sample.
  template <class Visit>
  void for_each_product(const Visit& visit) const {
    for (std::int64_t r = 0; r < repetitions; ++r) {
      for (std::int64_t part = 0; part < m_drawn.parts; ++part) {
        const SampleRange sample = m_parts[std::size_t(part)].sample_under(m_seeds[std::size_t(r)]);
        const WindowStart start{sample, r, 2, 1, nullptr, 0, part};
        for (std::int64_t place = 0; place < 2 * pairs; ++place) {
          visit(start, place, 2 * m_order[std::size_t(place / 2)] + place % 2);
        }
      }
    }
  }

  std::vector<SampleIterations> m_parts = {{{0, 100, 25}, 0, 25}, {{0, 900, rows}, 25, 25}};
  std::vector<std::uint64_t> m_seeds = {7, 8};
  std::vector<std::int64_t> m_order;
  std::vector<std::int32_t> m_ranks;
  DrawnRanks m_drawn;
};

TEST_F(RanksDrawnAhead, CountLikeTheDraws) {
  for_each_product([&](const WindowStart& start, std::int64_t place, std::int64_t product) {
    if (place % 2 != 0 || place + std::int64_t(products) > 2 * pairs) return;
    Kokkos::Array<double, products> low, high;
    for (std::size_t i = 0; i < products; ++i) low[i] = 0.1 * double(i), high[i] = 1 - 0.1 * double(i);
    Kokkos::Array<std::int64_t, products> low_counts, high_counts;
    ASSERT_TRUE(m_drawn.count(start, place, low, high, low_counts, high_counts));
    const NewsvendorSample sample{start.sample};
    for (std::size_t i = 0; i < products; ++i) {
      const std::int64_t j = product - 2 * std::int64_t(i / 2) + std::int64_t(i % 2);
      EXPECT_EQ(low_counts[i], sample.count(j, low[i])) << "product " << j;
      EXPECT_EQ(high_counts[i], sample.count(j, high[i])) << "product " << j;
    }
    high[5] = low[5] = sample.uniform(product - 3, 3);
    EXPECT_FALSE(m_drawn.count(start, place, low, high, low_counts, high_counts));
  });
}

void expect_around(const std::optional<UniformsAround>& found, const UniformsAround& expected) {
  constexpr std::int64_t room = std::int64_t{1} << DrawnRanks::dropped_bits;
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, expected.count);
  EXPECT_TRUE(found->below >= expected.below && found->below < expected.below + room);
  EXPECT_TRUE(found->above <= expected.above && found->above > expected.above - room);
}

TEST_F(RanksDrawnAhead, BoundTheNeighboursOfAProbability) {
  for_each_product([&](const WindowStart& start, std::int64_t place, std::int64_t product) {
    const NewsvendorSample sample{start.sample};
    for (const double p : {-0.5, 0.0, 0.001, 0.25, 0.5, 0.9, 0.999}) {
      const UniformsAround expected = sample.around(product, p);
      expect_around(m_drawn.around(start, place, p), expected);
      expect_around(DrawnRanks::around_undrawn(start.sample, product, p), expected);
    }
    const double p = sample.uniform(product, start.sample.size - 1);
    EXPECT_FALSE(m_drawn.around(start, place, p));
    EXPECT_FALSE(DrawnRanks::around_undrawn(start.sample, product, p));
  });
}

}  // namespace drawn_ranks_tests
