// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels in the form that Passerat-Palmbach et al. (2011) print give known bits on every backend, with a thread or
// one lane of a warp for each replication.
#include "../../../bench/papers/printed.hpp"

#include <harness/backends.hpp>

#include <sporos/models/integration/pi.hpp>
#include <sporos/models/queues/mm1.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace printed_replications_tests {

using namespace sporos;
using bench::printed::InRegisters;
using bench::printed::RandomWalk;

template <class Space>
class PrintedReplications : public ::testing::Test {};
TYPED_TEST_SUITE(PrintedReplications, test::Backends, test::BackendName);

// Checks the digest of 200 replications under both mappings. `control` is the same model of another size.
template <class Space, class Model>
void check_digest(const Model& model, const Model& control, std::uint64_t known) {
  constexpr std::int64_t replications = 200;
  EXPECT_EQ(bench::printed::run(Space(), model, by_threads, replications).digest, known);
  EXPECT_EQ(bench::printed::run(Space(), model, by_one_lane, replications).digest, known);
  EXPECT_NE(bench::printed::run(Space(), control, by_one_lane, replications).digest, known) << "control";
}

TYPED_TEST(PrintedReplications, Pi) {
  check_digest<TypeParam, InRegisters<models::Pi>>({{100}}, {{101}}, 0x6ae731d3b1b625c0);
}

TYPED_TEST(PrintedReplications, Mm1) {
  check_digest<TypeParam, InRegisters<models::MM1>>({{0.5, 1.0, 100, 0}}, {{0.5, 1.0, 101, 0}}, 0x1125ebffab8aca92);
}

TYPED_TEST(PrintedReplications, Walk) {
  constexpr std::uint64_t known = 0x2635d1dfc09dfa0c;
  check_digest<TypeParam, InRegisters<RandomWalk>>({{2000, 10}}, {{2001, 10}}, known);
  check_digest<TypeParam, RandomWalk>({2000, 10}, {2001, 10}, known);  // the copy of the parameters changes no bit
}

}  // namespace printed_replications_tests
