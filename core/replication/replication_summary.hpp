// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/moments.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos {

namespace impl {

/// The least observations of a block that a device summarizes, where each is a single replication.
inline constexpr std::int64_t block_observations = 64;

/// The most: enough for what a host adds to be nothing beside what a device computes.
inline constexpr std::int64_t most_block_observations = 4096;

/// Observations of the blocks in which so many single replications are summarized, a power of two: at most a 16th of
/// them is left over.
std::int64_t block_of(std::int64_t replications);

/// Moments and digest of a block of outputs of one response.
struct BlockSummary {
  Moments observations;
  Moments replications;  // where an observation is the average of several; otherwise empty
  std::uint64_t digest;
};

/// Of two neighbouring, equally large blocks of single replications together.
KOKKOS_FORCEINLINE_FUNCTION BlockSummary combine_equal(const BlockSummary& left, const BlockSummary& right) {
  return {sporos::combine_equal(left.observations, right.observations), {}, left.digest + right.digest};
}

}  // namespace impl

/// Replications of a design point that have no responses, or responses that are no finite numbers.
struct ReplicationFailures {
  bool has_failed = false;          ///< whether there are any, or responses are too large for their variance
  std::int64_t count = 0;           ///< how many
  std::int64_t first = -1;          ///< the first of them
  std::int64_t first_response = 0;  ///< which of its responses is no finite number
  double value = 0;                 ///< what stands in its place: a mark of core/events/failure.hpp, infinity or NaN

  /// Adds those of later replications.
  void add(const ReplicationFailures& later) {
    const std::int64_t before = count;
    if (!has_failed || (first < 0 && later.first >= 0)) *this = later, count = 0;
    has_failed = has_failed || later.has_failed;
    count = before + later.count;
  }
};

/// Moments and digest of one design point's replications, which arrive in order, in pieces of any size. The bits do not
/// depend on the pieces.
struct ReplicationSummary {
  /// For a model with `responses` responses, from replication `first` on, which begins a run of `run_length`; the
  /// covariances of `pair_count` pairs of them are kept.
  explicit ReplicationSummary(int responses, std::int64_t first = 0, std::int64_t run_length = 1, int pair_count = 0);

  std::int64_t replications = 0;          ///< so far
  std::uint64_t digest = 0;               ///< of all outputs' bits so far
  std::vector<MomentsTree> observations;  ///< one a response
  /// One a response, over single replications, where an observation is the average of several; otherwise empty.
  std::vector<MomentsTree> runs_replications;
  std::vector<CoMomentsTree> pairs;  ///< one a pair of responses, over observations
  ReplicationFailures failures;      ///< where there are any, moments stand for nothing

  /// Adds what came out of the next replications of a response; `replications` stays to be counted up.
  void add(std::size_t response, const impl::BlockSummary& part);

  /// Moments of single replications of a response.
  Moments of_replications(std::size_t response) const;
};

}  // namespace sporos
