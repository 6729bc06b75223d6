// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

/// Ranges of replication numbers, with one seed, that are reserved for different purposes. Runs number their
/// replications from 0 and stay far below the first of these.
namespace sporos::impl {

/// First replication for comparing the points that several starts recommend.
inline constexpr std::int64_t replications_of_ends = std::int64_t{1} << 60;
/// First replication for bounding optimality gaps.
inline constexpr std::int64_t replications_of_gaps = std::int64_t{1} << 61;
/// First replication for certificates.
inline constexpr std::int64_t replications_of_certificates = std::int64_t{3} << 60;
/// First replication for choosing thresholds of CVaR before certificates.
inline constexpr std::int64_t replications_of_thresholds = std::int64_t{7} << 59;
/// First replication for estimates at the end of a search.
inline constexpr std::int64_t unseen_replications = std::int64_t{1} << 62;
/// First replication for comparing neighbours of a search's end.
inline constexpr std::int64_t replications_of_neighbours = std::int64_t{5} << 60;
/// First replication for testing whether a start is feasible.
inline constexpr std::int64_t replications_of_starts = std::int64_t{6} << 60;
/// First replication for testing whether an objective is convex.
inline constexpr std::int64_t replications_of_chords = std::int64_t{13} << 59;

}  // namespace sporos::impl
