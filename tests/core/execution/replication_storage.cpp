// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the places of arrays in the storage of a replication on the host.
#include <sporos/core/execution/replication_storage.hpp>

#include <gtest/gtest.h>

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

}  // namespace replication_storage_tests
}  // namespace sporos::test
