// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/backends.hpp>
#include <harness/memory_limit.hpp>
#include <harness/refusal.hpp>

#include <sporos/core/execution/memory.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace memory_tests {

using namespace sporos;

template <class Space>
class Memory : public ::testing::Test {};
TYPED_TEST_SUITE(Memory, test::Backends, test::BackendName);

TYPED_TEST(Memory, IsWithinReason) {
  using MemorySpace = typename TypeParam::memory_space;
  const MemoryAmount memory = memory_of<MemorySpace>();
  EXPECT_GT(memory.total, std::uint64_t{64} << 20);
  EXPECT_LT(memory.total, std::uint64_t{1} << 50);
  EXPECT_GT(memory.free, 0u);
  EXPECT_LE(memory.free, memory.total);
}

TYPED_TEST(Memory, ThatIsTooSmallIsRefusedWithWhatWouldFit) {
  using MemorySpace = typename TypeParam::memory_space;
  const MemoryNeed need{"features", std::int64_t{1} << 30, "rows", 800};
  EXPECT_NO_THROW(check_memory<MemorySpace>({"features", 1000, "rows", 800}));
  const test::MemoryLimit limit("10737418240");  // 10 GiB
  EXPECT_LE(memory_of<MemorySpace>().free, std::uint64_t{10} << 30);
  const std::string message = test::shortage([&] { check_memory<MemorySpace>(need); });
  EXPECT_EQ(message.substr(0, 49), "the features of 1073741824 rows need 800 GiB, the");
  EXPECT_NE(message.find(test::owner_of_memory<TypeParam>() + " has "), std::string::npos) << message;
}

TYPED_TEST(Memory, IsBoundedByTheEnvironment) {
  using MemorySpace = typename TypeParam::memory_space;
  const test::MemoryLimit limit("1048576");
  EXPECT_EQ(memory_of<MemorySpace>().free, std::uint64_t{1} << 20);
  EXPECT_NO_THROW(check_memory<MemorySpace>({"features", 1 << 17, "rows", 8}));
  EXPECT_EQ(test::shortage([] {
              check_memory<MemorySpace>({"features", (1 << 17) + 1, "rows", 8});
            }),
            "the features of 131073 rows need 1 MiB, " + test::owner_of_memory<TypeParam>() +
                " has 1 MiB free: at most 131072 rows would fit");
}

TEST(MemoryLimit, ThatIsNoNumberIsRefused) {
  for (const std::string text : {"", "much", "-1", "1e9", "8GiB", "99999999999999999999"}) {
    const test::MemoryLimit limit(text);
    EXPECT_EQ(test::refusal([] { memory_of<Kokkos::HostSpace>(); }),
              "SPOROS_MEMORY_LIMIT is '" + text + "', expected a number of bytes");
  }
}

TEST(Bytes, AreToldInUnitsOf1024) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(1023), "1023 bytes");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(12.3 * (1 << 30)), "12.3 GiB");
  EXPECT_EQ(bytes_text(8e10), "74.51 GiB");
  EXPECT_EQ(bytes_text(0x1p63), "8 EiB");
}

}  // namespace memory_tests
