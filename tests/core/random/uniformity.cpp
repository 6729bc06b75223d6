// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distribution of each engine's uniforms, within a stream and across streams. Every check rejects a good engine with
// probability 10^-4 for a random seed (the seeds here are fixed) and has an engine that it must reject.
#include <sporos/core/random/engine.hpp>
#include <sporos/core/random/uniform.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace {

using namespace sporos;

constexpr double error_probability = 1e-4;

// Draw `index` of replication `replication`, input 0.
using Uniforms = std::function<double(std::uint64_t replication, std::uint64_t index)>;

template <class E>
double engine_uniform(std::uint64_t replication, std::uint64_t index) {
  constexpr std::uint64_t width = E::draws_per_block;
  return open_uniform(E::block({2024, replication, 0}, index / width)[static_cast<int>(index % width)]);
}

double taus88_uniform(std::uint64_t replication, std::uint64_t index) {
  Taus88 engine = Taus88::of_stream({2024, replication, 0});
  for (std::uint64_t i = 0; i < index; ++i) engine.next_draw();
  return open_uniform(engine.next_draw());
}

double chi_square_p(const std::vector<std::int64_t>& counts) {
  double total = 0, statistic = 0;
  for (const auto count : counts) total += static_cast<double>(count);
  const double expected = total / static_cast<double>(counts.size());
  for (const auto count : counts) statistic += std::pow(static_cast<double>(count) - expected, 2) / expected;
  const boost::math::chi_squared distribution(static_cast<double>(counts.size() - 1));
  // Too even is as suspect as too uneven.
  const double below = boost::math::cdf(distribution, statistic);
  const double above = boost::math::cdf(boost::math::complement(distribution, statistic));
  return 2 * std::min(below, above);
}

// Pairs of neighbours in the sequence u(0), u(1), … fall evenly into 32 x 32 cells.
double pairs_p(const std::function<double(std::uint64_t)>& u, std::uint64_t pairs) {
  std::vector<std::int64_t> counts(1024);
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const auto row = static_cast<std::size_t>(32 * u(2 * i)), column = static_cast<std::size_t>(32 * u(2 * i + 1));
    ++counts[32 * row + column];
  }
  return chi_square_p(counts);
}

double within_stream_p(const Uniforms& uniforms) {
  return pairs_p([&](std::uint64_t i) { return uniforms(5, i); }, 20000);
}

// The first two draws of replication 0, 1, 2, …: what a model that draws little sees.
double across_streams_p(const Uniforms& uniforms) {
  return pairs_p([&](std::uint64_t i) { return uniforms(i / 2, i % 2); }, 100000);
}

// Correlation of two neighbouring streams at any shift up to 8 is normal with deviation 1/sqrt(n).
double correlation_p(const Uniforms& uniforms) {
  constexpr std::uint64_t n = 4000, shifts = 8;
  double least = 1;
  for (std::uint64_t shift = 0; shift < shifts; ++shift) {
    double sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) sum += 12 * (uniforms(3, i + shift) - 0.5) * (uniforms(4, i) - 0.5);
    const double z = std::abs(sum) / std::sqrt(static_cast<double>(n));
    least = std::min(least, 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), z)));
  }
  return std::min(1.0, shifts * least);  // Bonferroni
}

class Uniformity : public ::testing::TestWithParam<std::pair<const char*, Uniforms>> {};

TEST_P(Uniformity, WithinAStream) { EXPECT_GT(within_stream_p(GetParam().second), error_probability); }
TEST_P(Uniformity, AcrossStreams) { EXPECT_GT(across_streams_p(GetParam().second), error_probability); }
TEST_P(Uniformity, StreamsDoNotCorrelate) { EXPECT_GT(correlation_p(GetParam().second), error_probability); }

INSTANTIATE_TEST_SUITE_P(Engines, Uniformity,
                         ::testing::Values(std::pair{"philox4x32", Uniforms(engine_uniform<Philox4x32>)},
                                           std::pair{"philox4x64", Uniforms(engine_uniform<Philox4x64>)}),
                         [](const auto& test) { return test.param.first; });

TEST(Taus88Uniformity, AcrossStreams) { EXPECT_GT(across_streams_p(taus88_uniform), error_probability); }

TEST(Taus88Uniformity, WithinAStream) {
  Taus88 engine = Taus88::of_stream({2024, 5, 0});
  EXPECT_GT(pairs_p([&](std::uint64_t) { return open_uniform(engine.next_draw()); }, 20000), error_probability);
}

// Negative controls: each check rejects the fault that it is there to find.
TEST(UniformityControl, ABiasedEngineIsRejected) {
  const Uniforms biased = [](std::uint64_t r, std::uint64_t i) {
    return std::pow(engine_uniform<Philox4x32>(r, i), 1.1);
  };
  EXPECT_LT(within_stream_p(biased), error_probability);
  EXPECT_LT(across_streams_p(biased), error_probability);
}

TEST(UniformityControl, OverlappingStreamsAreRejected) {
  const Uniforms overlapping = [](std::uint64_t r, std::uint64_t i) {
    return engine_uniform<Philox4x32>(0, 5 * r + i);
  };
  EXPECT_LT(correlation_p(overlapping), error_probability);
}

TEST(UniformityControl, ASequentiallySeededGeneratorIsRejectedAcrossStreams) {
  const Uniforms seeded_by_index = [](std::uint64_t r, std::uint64_t i) {
    std::uint64_t state = r;  // the linear congruential generator of many rand()s, seeded by the replication
    for (std::uint64_t step = 0; step <= i; ++step) state = (state * 1103515245 + 12345) % (1u << 31);
    return (static_cast<double>(state) + 0.5) / (1u << 31);
  };
  EXPECT_LT(across_streams_p(seeded_by_index), error_probability);
}

}  // namespace
