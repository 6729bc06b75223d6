// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

/// Numbers of replications with one seed that are kept apart: runs count theirs from 0 on, far less than the first of
/// these.
namespace sporos::impl {

/// The first one of those that the ends of several starts are compared by.
inline constexpr std::int64_t replications_of_ends = std::int64_t{1} << 60;
/// The first one of those that gaps are bounded by.
inline constexpr std::int64_t replications_of_gaps = std::int64_t{1} << 61;
/// The first one of those that certificates are made of.
inline constexpr std::int64_t replications_of_certificates = std::int64_t{3} << 60;
/// The first one of those that thresholds of CVaR are chosen by before that.
inline constexpr std::int64_t replications_of_thresholds = std::int64_t{7} << 59;
/// The first one of those that estimates at a search's end are made of.
inline constexpr std::int64_t unseen_replications = std::int64_t{1} << 62;
/// The first one of those that neighbours of a search's end are compared by.
inline constexpr std::int64_t replications_of_neighbours = std::int64_t{5} << 60;
/// The first one of those that show whether a start is feasible.
inline constexpr std::int64_t replications_of_starts = std::int64_t{6} << 60;
/// The first one of those that show whether an objective is convex.
inline constexpr std::int64_t replications_of_chords = std::int64_t{13} << 59;

}  // namespace sporos::impl
