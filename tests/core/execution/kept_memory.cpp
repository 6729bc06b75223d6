// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/backends.hpp>

#include <sporos/core/execution/kept_memory.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace kept_memory_tests {

using namespace sporos;

template <class Space>
class KeptBlocks : public ::testing::Test {
 public:
  using Blocks = impl::FreeBlocks<Space>;

 protected:
  Blocks m_blocks;

  auto take(std::size_t bytes) { return m_blocks.take(bytes, "block"); }
};
TYPED_TEST_SUITE(KeptBlocks, test::Backends, test::BackendName);

TYPED_TEST(KeptBlocks, AreTakenAgainForAboutTheSameSize) {
  auto block = this->take(1000);
  const std::byte* const place = block.data();
  EXPECT_EQ(block.size(), 1024u);
  this->m_blocks.give_back(std::move(block));
  EXPECT_EQ(this->m_blocks.bytes(), 1024u);
  const auto other = this->take(2000);
  EXPECT_NE(other.data(), place);
  const auto same = this->take(600);
  EXPECT_EQ(same.data(), place);
  EXPECT_EQ(this->m_blocks.bytes(), 0u);
  EXPECT_NE(this->take(600).data(), place) << "it is in use";
}

TYPED_TEST(KeptBlocks, AreLimitedInSizeAndInAll) {
  using Free = typename TestFixture::Blocks;
  auto large = this->take(Free::largest + 1);
  EXPECT_EQ(large.size(), Free::largest + 1);
  this->m_blocks.give_back(std::move(large));
  EXPECT_EQ(this->m_blocks.bytes(), 0u);
  std::vector<typename Free::Block> blocks;
  for (std::size_t i = 0; i <= Free::most / Free::largest; ++i) blocks.push_back(this->take(Free::largest));
  for (auto& block : blocks) this->m_blocks.give_back(std::move(block));
  EXPECT_EQ(this->m_blocks.bytes(), Free::most);
  this->m_blocks.clear();
  EXPECT_EQ(this->m_blocks.bytes(), 0u);
}

template <class Space>
class Memory : public ::testing::Test {};
TYPED_TEST_SUITE(Memory, test::Backends, test::BackendName);

TYPED_TEST(Memory, GrowsAndIsKeptOnADevice) {
  const double* place = nullptr;
  {
    KeptMemory<TypeParam> memory;
    memory.template provide<double>(TypeParam(), 10, "values");
    place = memory.template provide<double>(TypeParam(), 1000, "values");
    EXPECT_EQ(memory.template provide<double>(TypeParam(), 500, "values"), place);
    const KeptMemory<TypeParam> copy = memory;
    memory = {};
    KeptMemory<TypeParam> other;
    EXPECT_NE(other.template provide<double>(TypeParam(), 1000, "values"), place) << "the copy holds it";
  }
  KeptMemory<TypeParam> next;
  const double* const again = next.template provide<double>(TypeParam(), 1000, "values");
  if (!runs_on_host<TypeParam>) {
    EXPECT_EQ(again, place);
  }
  next = {};
  free_kept_memory<TypeParam>();
  EXPECT_EQ(impl::free_blocks<TypeParam>().bytes(), 0u);
}

}  // namespace kept_memory_tests
