// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the places of arrays in the storage of a replication on the host.
#include <sporos/core/execution/replication_storage.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace sporos::test {
namespace replication_storage_tests {

struct Pair {
  double first;
  std::int32_t second;
};

// Takes arrays of different types, some of them without elements.
struct Arrays {
  explicit Arrays(ReplicationStorage& storage)
      : bytes(storage.take<std::int8_t>(65)),
        none(storage.take<double>(0)),
        pairs(storage.take<Pair>(7)),
        last(storage.take<double>(8)) {}

  StoredArray<std::int8_t> bytes;
  StoredArray<double> none;
  StoredArray<Pair> pairs;
  StoredArray<double> last;
};

TEST(ReplicationStorage, MeasuresWithoutMemory) {
  ReplicationStorage storage;
  Arrays{storage};
  EXPECT_EQ(storage.bytes(), 128 + 0 + 128 + 64);  // each array starts at a multiple of 64 bytes
}

TEST(ReplicationStorage, HasArraysThatDoNotOverlap) {
  ReplicationStorage measured;
  Arrays{measured};
  HostStorage memory(measured.bytes());
  ReplicationStorage storage = memory.storage();
  const Arrays arrays(storage);
  EXPECT_EQ(storage.bytes(), measured.bytes());
  for (int i = 0; i < 65; ++i) arrays.bytes[i] = static_cast<std::int8_t>(i);
  for (int i = 0; i < 7; ++i) arrays.pairs[i] = {100.0 + i, 200 + i};
  for (int i = 0; i < 8; ++i) arrays.last[i] = 300.0 + i;
  // A storage of the same memory has the same arrays.
  ReplicationStorage again = memory.storage();
  const Arrays same(again);
  for (int i = 0; i < 65; ++i) EXPECT_EQ(same.bytes[i], i);
  for (int i = 0; i < 7; ++i) {
    EXPECT_EQ(same.pairs[i].first, 100.0 + i);
    EXPECT_EQ(same.pairs[i].second, 200 + i);
  }
  for (int i = 0; i < 8; ++i) EXPECT_EQ(same.last[i], 300.0 + i);
  for (const void* first :
       {static_cast<void*>(&same.bytes[0]), static_cast<void*>(&same.pairs[0]), static_cast<void*>(&same.last[0])}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % ReplicationStorage::alignment, 0u);
  }
}

// An array in scratch memory has adjacent elements there. One that does not fit stays in the storage, and a smaller one
// after it may fit again.
TEST(ReplicationStorage, HasArraysInScratchMemoryAsFarAsTheyFit) {
  constexpr std::int64_t most = ReplicationStorage::max_scratch_bytes;
  struct ScratchArrays {
    explicit ScratchArrays(ReplicationStorage& storage)
        : few(storage.in_scratch(storage.take<std::int8_t>(5), 5)),
          many(storage.in_scratch(storage.take<double>(most / 8), most / 8)),
          rest(storage.in_scratch(storage.take<double>(most / 8 - 2), most / 8 - 2)) {}
    ScratchArray<std::int8_t> few;
    ScratchArray<double> many, rest;
  };
  ReplicationStorage measured;
  ScratchArrays{measured};
  EXPECT_EQ(measured.scratch_bytes(), most);
  HostStorage memory(measured.bytes());
  alignas(ReplicationStorage::scratch_alignment) std::byte scratch[most];
  ReplicationStorage plain = memory.storage(), storage = memory.storage().with_scratch(scratch);
  const ScratchArrays in_block(plain), arrays(storage);
  EXPECT_EQ(storage.bytes(), measured.bytes());
  const auto place = [&](const void* element) { return static_cast<const std::byte*>(element) - scratch; };
  EXPECT_EQ(place(&arrays.few[0]), 0);
  EXPECT_EQ(place(&arrays.few[4]), 4);
  EXPECT_EQ(&arrays.many[3], &in_block.many[3]);
  EXPECT_EQ(place(&arrays.rest[0]), 16);
  EXPECT_EQ(place(&arrays.rest[1]), 24);
  EXPECT_NE(&in_block.few[0], &arrays.few[0]);
  EXPECT_NE(&in_block.rest[0], &arrays.rest[0]);
}

}  // namespace replication_storage_tests
}  // namespace sporos::test
