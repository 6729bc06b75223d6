// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/moments.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos {

namespace impl {

/// Smallest number of observations in a block that a device summarizes, if each observation is a single replication.
inline constexpr std::int64_t block_observations = 64;

/// Largest number of observations in such a block: large enough that the host's additions are negligible compared with
/// the work of the device.
inline constexpr std::int64_t max_block_observations = 4096;

/// Number of observations, a power of two, in the blocks that summarize `replications` single replications. At most a
/// 16th of the replications is left over.
std::int64_t block_of(std::int64_t replications);

/// Moments and digest of a block of outputs of one response.
struct BlockSummary {
  Moments observations;
  Moments replications;  // moments of single replications if observations are averages; otherwise empty
  std::uint64_t digest;
};

/// Combines two neighbouring blocks of the same number of single replications.
KOKKOS_FORCEINLINE_FUNCTION BlockSummary combine_equal(const BlockSummary& left, const BlockSummary& right) {
  return {sporos::combine_equal(left.observations, right.observations), {}, left.digest + right.digest};
}

}  // namespace impl

/// Failed replications of a design point: replications without responses, or with responses that are not finite.
struct ReplicationFailures {
  bool has_failed = false;          ///< whether there are failures, or a variance overflows
  std::int64_t count = 0;           ///< number of failed replications
  std::int64_t first = -1;          ///< index of the first failed replication
  std::int64_t first_response = 0;  ///< index of its first response that is not finite
  double value = 0;                 ///< value of this response: a mark of core/events/failure.hpp, infinity or NaN

  /// Adds the failures of later replications.
  void add(const ReplicationFailures& later) {
    const std::int64_t before = count;
    if (!has_failed || (first < 0 && later.first >= 0)) *this = later, count = 0;
    has_failed = has_failed || later.has_failed;
    count = before + later.count;
  }
};

/// Moments and digest of one design point's replications, which are added in order, in pieces of any size. The pieces
/// do not affect the summary, not even its last bit.
struct ReplicationSummary {
  /// An empty summary for `responses` responses and the covariances of `pair_count` pairs of them. Its first
  /// replication is `first`, which begins a run of `run_length` replications.
  explicit ReplicationSummary(int responses, std::int64_t first = 0, std::int64_t run_length = 1, int pair_count = 0);

  std::int64_t replications = 0;          ///< number of replications so far
  std::uint64_t digest = 0;               ///< digest of the bits of all outputs so far
  std::vector<MomentsTree> observations;  ///< one tree for each response
  /// One tree for each response, over single replications, if an observation is the average of several; otherwise
  /// empty.
  std::vector<MomentsTree> runs_replications;
  std::vector<CoMomentsTree> pairs;  ///< one tree for each pair of responses, over observations
  ReplicationFailures failures;      ///< failed replications; if there are any, the moments are meaningless

  /// Adds the summary of the next replications for one response. The caller has to update `replications`.
  void add(std::size_t response, const impl::BlockSummary& part);

  /// Moments of single replications of a response.
  Moments of_replications(std::size_t response) const;
};

}  // namespace sporos
