// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/pack.hpp>

#include <Kokkos_Core.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

/// Longest paths through a project network with their derivatives, for models in lanes.
///
/// The slope of a longest path is the sum of the slopes of its activities. Instead of carrying all slopes through each
/// addition and maximum, as a Dual does, a LongestPath carries one bit for each activity.
namespace sporos {

/// The length of the longest path to an event and the activities on it, in each lane. A model can use it like a number.
class LongestPath {
 public:
  static constexpr int max_activities = 64;  ///< largest number of activities

  /// An undefined path.
  LongestPath() = default;
  /// A single activity of this length. Activities are counted from 0.
  KOKKOS_FORCEINLINE_FUNCTION LongestPath(int activity, const Pack& length) : m_length(length) {
    for (impl::MaskPart& part : m_activities.parts) part = impl::MaskPart{} | bit(activity);
  }

  /// Length of the path.
  KOKKOS_FORCEINLINE_FUNCTION const Pack& length() const { return m_length; }

  /// Lanes in which the activity is on the path.
  KOKKOS_FORCEINLINE_FUNCTION PackMask contains(int activity) const {
    PackMask found;
    for (int i = 0; i < Pack::part_count; ++i) {
      found.parts[i] = impl::mask_of((m_activities.parts[i] & bit(activity)) != 0);
    }
    return found;
  }

  /// The path that consists of two paths, one after the other.
  KOKKOS_FORCEINLINE_FUNCTION friend LongestPath operator+(const LongestPath& a, const LongestPath& b) {
    return {a.m_length + b.m_length, a.m_activities | b.m_activities};
  }

  /// The longer of two paths; `a` if they have the same length.
  KOKKOS_FORCEINLINE_FUNCTION friend LongestPath max(const LongestPath& a, const LongestPath& b) {
    const PackMask is_shorter = a.m_length < b.m_length;
    return {math::select(is_shorter, b.m_length, a.m_length),
            (is_shorter & b.m_activities) | ((!is_shorter) & a.m_activities)};
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION LongestPath(const Pack& length, const PackMask& activities)
      : m_length(length), m_activities(activities) {}
  KOKKOS_FORCEINLINE_FUNCTION static std::int64_t bit(int activity) {
    return static_cast<std::int64_t>(std::uint64_t{1} << activity);
  }

  Pack m_length;
  PackMask m_activities;  // in each lane, one bit for each activity
};

/// The activities of a project in one replication per lane. The duration of each is a standard variate times a
/// parameter with slopes.
template <int activities, int directions>
class ScaledActivities {
  static_assert(activities <= LongestPath::max_activities);

 public:
  /// Adds an activity and returns the path that consists of it. `scale` must live as long as this object.
  KOKKOS_FORCEINLINE_FUNCTION LongestPath add(const Pack& standard, const Dual<directions>& scale) {
    m_standard[m_count] = standard;
    m_scale[m_count] = &scale;
    return {m_count++, scale.value * standard};
  }

  /// Returns the length of a path with the bits that dual numbers would give it, value and slopes.
  KOKKOS_FORCEINLINE_FUNCTION Dual<directions, Pack> length_of(const LongestPath& path) const {
    std::uint64_t scaled[directions] = {};
    find_scaled(scaled);
    Dual<directions, Pack> found(path.length());
    for (int j = 0; j < directions; ++j) {
      Pack slope = 0.0;
      for (std::uint64_t left = scaled[j]; left != 0; left &= left - 1) {
        const int i = std::countr_zero(left);
        slope += math::select(path.contains(i), m_scale[i]->slope[j] * m_standard[i], 0.0);
      }
      found.slope[j] = slope;
    }
    return found;
  }

 private:
  // Sets bit i of scaled[j] if the parameter of activity i has a slope in direction j. Few have, because each parameter
  // has its own direction. The inner loop is vector code; with a branch for each slope, a gradient of 13 takes 4 ns
  // longer (bench_gradients).
  KOKKOS_FORCEINLINE_FUNCTION void find_scaled(std::uint64_t (&scaled)[directions]) const {
    for (int i = 0; i < m_count; ++i) {
      const Kokkos::Array<double, directions>& slopes = m_scale[i]->slope;
      for (int j = 0; j < directions; ++j) scaled[j] |= std::uint64_t{math::impl::to_bits(slopes[j]) != 0} << i;
    }
  }

  Pack m_standard[activities];
  const Dual<directions>* m_scale[activities];
  int m_count = 0;
};

/// The lengths of paths through the same activities, as an array of dual numbers, each computed where it is used.
template <int activity_count, int directions, std::size_t path_count>
struct PathLengths {
  using Number = Dual<directions, Pack>;  ///< type of the elements

  ScaledActivities<activity_count, directions> activities;  ///< activities on the paths
  Kokkos::Array<LongestPath, path_count> paths;             ///< the paths

  /// Number of paths.
  static constexpr std::size_t size() { return path_count; }
  /// Length of a path.
  KOKKOS_FORCEINLINE_FUNCTION Number operator[](std::size_t path) const { return activities.length_of(paths[path]); }
  /// Lengths of all paths.
  KOKKOS_FORCEINLINE_FUNCTION operator Kokkos::Array<Number, path_count>() const {
    Kokkos::Array<Number, path_count> lengths;
    for (std::size_t path = 0; path < path_count; ++path) lengths[path] = (*this)[path];
    return lengths;
  }
};

}  // namespace sporos
