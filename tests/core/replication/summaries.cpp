// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches are summarized in blocks, where their outputs are, with the bits of adding replications one by one.
#include <harness/backends.hpp>

#include <sporos/core/math/bits.hpp>
#include <sporos/core/replication/summary.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace summaries_tests {

using namespace sporos;

constexpr int responses = 2;
constexpr std::array pairs = {ResponsePair{0, 1}};
const std::vector<std::string> names = {"wait", "length"};

struct Launched {
  ReplicationRange range;
  std::int64_t cut;  // pieces start at its multiples
};

// Launches whose blocks have 4096, 2048, 64 and 128 observations, and one without blocks.
constexpr std::array launches = {Launched{{0, 70000}, 0}, Launched{{3 * 2048, 70000}, 0}, Launched{{192, 70000}, 0},
                                 Launched{{0, 70000}, 640}, Launched{{0, 3000}, 100}};

double output_of(std::int64_t replication, std::int64_t point, int response) {
  const auto place = static_cast<std::uint64_t>(4 * replication + 2 * point + response);
  return std::ldexp(static_cast<double>(mix_bits(place + 1) >> 11), -53);
}

// Outputs of two design points.
template <class Space>
Outputs<Space> outputs_of(const ReplicationRange& range) {
  const Outputs<Space> outputs("outputs", 2 * static_cast<std::size_t>(range.count), responses);
  const auto host = Kokkos::create_mirror_view(outputs);
  for (std::int64_t point = 0; point < 2; ++point) {
    for (std::int64_t i = 0; i < range.count; ++i) {
      for (int r = 0; r < responses; ++r) host(point * range.count + i, r) = output_of(range.first + i, point, r);
    }
  }
  Kokkos::deep_copy(outputs, host);
  return outputs;
}

template <class Space>
LaunchSummary<Space> summary_of(const Outputs<Space>& outputs, const Launched& launched) {
  const std::array<std::uint64_t, 2> seeds = {1, 2};
  LaunchSummary<Space> summary;
  summary.summarize(Space(), outputs, launched.range, launched.cut, UniformSource(), seeds, pairs);
  return summary;
}

ReplicationSummary empty_summary(const ReplicationRange& range) {
  return ReplicationSummary(responses, range.first, 1, static_cast<int>(pairs.size()));
}

// Summary of a design point that adds up `rows` in the pieces of `launched`.
ReplicationSummary in_blocks(const SummarizedRows& rows, const Launched& launched, std::int64_t point) {
  ReplicationSummary summary = empty_summary(launched.range);
  const std::int64_t piece = launched.cut > 0 ? launched.cut : launched.range.count;
  for (std::int64_t begin = 0; begin < launched.range.count; begin += piece) {
    rows.add_to(summary, point, begin, std::min(begin + piece, launched.range.count), names);
  }
  return summary;
}

ReplicationSummary one_by_one(const ReplicationRange& range, std::int64_t point) {
  ReplicationSummary summary = empty_summary(range);
  for (std::int64_t i = range.first; i < range.first + range.count; ++i) {
    for (int r = 0; r < responses; ++r) {
      const double output = output_of(i, point, r);
      summary.add(static_cast<std::size_t>(r), {{1, output, 0}, {}, impl::digest_of(output, i, r)});
    }
    summary.pairs[0].add({1, output_of(i, point, 0), output_of(i, point, 1), 0});
  }
  return summary;
}

void expect_same(const ReplicationSummary& a, const ReplicationSummary& b) {
  EXPECT_EQ(a.digest, b.digest);
  for (std::size_t r = 0; r < responses; ++r) {
    const Moments of_a = a.observations[r].total(), of_b = b.observations[r].total();
    EXPECT_EQ(of_a.count, of_b.count);
    EXPECT_EQ(of_a.mean, of_b.mean);
    EXPECT_EQ(of_a.squared_deviation, of_b.squared_deviation);
    EXPECT_EQ(of_a.cubed_deviation, of_b.cubed_deviation);
  }
  EXPECT_EQ(a.pairs[0].total().codeviation, b.pairs[0].total().codeviation);
}

template <class Space>
class Summaries : public ::testing::Test {};
TYPED_TEST_SUITE(Summaries, test::Backends, test::BackendName);

TYPED_TEST(Summaries, OfBlocksAreThoseOfReplicationsOneByOne) {
  for (const Launched& launched : launches) {
    SCOPED_TRACE(std::to_string(launched.range.first) + ", cut " + std::to_string(launched.cut));
    const auto outputs = outputs_of<TypeParam>(launched.range);
    const auto rows = summary_of<TypeParam>(outputs, launched);
    for (const std::int64_t point : {0, 1}) {
      expect_same(in_blocks(rows, launched, point), one_by_one(launched.range, point));
    }
  }
}

TYPED_TEST(Summaries, ControlTwoExchangedOutputsChangeTheDigest) {
  const Launched& launched = launches.front();
  const auto outputs = outputs_of<TypeParam>(launched.range);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  std::swap(host(5000, 1), host(5001, 1));
  Kokkos::deep_copy(outputs, host);
  const auto rows = summary_of<TypeParam>(outputs, launched);
  EXPECT_NE(in_blocks(rows, launched, 0).digest, one_by_one(launched.range, 0).digest);
  EXPECT_EQ(in_blocks(rows, launched, 1).digest, one_by_one(launched.range, 1).digest);
}

TYPED_TEST(Summaries, FindTheReplicationInABlockThatIsNotFinite) {
  for (const Launched& launched : launches) {
    const auto outputs = outputs_of<TypeParam>(launched.range);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
    host(launched.range.count + 2500, 1) = std::numeric_limits<double>::infinity();
    Kokkos::deep_copy(outputs, host);
    const auto rows = summary_of<TypeParam>(outputs, launched);
    EXPECT_FALSE(in_blocks(rows, launched, 0).failures.has_failed);
    const ReplicationFailures failures = in_blocks(rows, launched, 1).failures;
    EXPECT_TRUE(failures.has_failed);
    EXPECT_EQ(failures.count, 1);
    EXPECT_EQ(failures.first, launched.range.first + 2500);
    EXPECT_EQ(failures.first_response, 1);
    EXPECT_TRUE(std::isinf(failures.value));
  }
}

TEST(Blocks, LeaveAtMostASixteenthOver) {
  for (const std::int64_t replications : {1, 63, 64, 1023, 1024, 2047, 2048, 65535, 65536, 1 << 20}) {
    const std::int64_t block = impl::block_of(replications);
    EXPECT_EQ(block & (block - 1), 0) << replications;
    EXPECT_GE(block, impl::block_observations) << replications;
    EXPECT_LE(block, impl::max_block_observations) << replications;
    EXPECT_TRUE(16 * block <= replications || block == impl::block_observations) << replications;
  }
  EXPECT_EQ(impl::block_of(1 << 20), impl::max_block_observations);
}

}  // namespace summaries_tests
