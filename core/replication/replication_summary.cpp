// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/replication_summary.hpp>

#include <algorithm>
#include <bit>

namespace sporos {

std::int64_t impl::block_of(std::int64_t replications) {
  const auto sixteenth = static_cast<std::uint64_t>(std::max<std::int64_t>(replications / 16, 1));
  return std::clamp(static_cast<std::int64_t>(std::bit_floor(sixteenth)), block_observations, max_block_observations);
}

ReplicationSummary::ReplicationSummary(int responses, std::int64_t first, std::int64_t run_length, int pair_count)
    : observations(static_cast<std::size_t>(responses), MomentsTree(first / run_length)),
      runs_replications(static_cast<std::size_t>(responses), MomentsTree(first)),
      pairs(static_cast<std::size_t>(pair_count), CoMomentsTree(first / run_length)) {}

void ReplicationSummary::add(std::size_t response, const impl::BlockSummary& part) {
  observations[response].add(part.observations);
  if (part.replications.count > 0) runs_replications[response].add(part.replications);
  digest += part.digest;
}

Moments ReplicationSummary::of_replications(std::size_t response) const {
  const Moments moments = runs_replications[response].total();
  return moments.count > 0 ? moments : observations[response].total();
}

}  // namespace sporos
