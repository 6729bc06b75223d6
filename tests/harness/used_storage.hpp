// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/replication_storage.hpp>

#include <cstdint>
#include <random>

namespace sporos::test {

/// Storage on the host that holds random numbers at first, as if other replications had used it. Many of the numbers
/// are small, like the indices that containers store.
class UsedStorage {
 public:
  /// Storage of `bytes` bytes.
  explicit UsedStorage(std::int64_t bytes, std::uint32_t seed = 1) : m_host(bytes) {
    std::mt19937 random(seed);
    const auto words = bytes / std::int64_t{sizeof(std::int32_t)};
    const auto contents = m_host.storage().take<std::int32_t>(words);
    for (std::int64_t i = 0; i < words; ++i) {
      const auto word = static_cast<std::int32_t>(random());
      contents[i] = i % 2 == 0 ? word % 512 : word;
    }
  }

  ReplicationStorage storage() { return m_host.storage(); }

 private:
  HostStorage m_host;
};

}  // namespace sporos::test
