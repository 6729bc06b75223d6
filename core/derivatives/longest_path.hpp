// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/math/pack.hpp>

#include <Kokkos_Core.hpp>

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

  /// Returns the lengths of paths with the bits that dual numbers would give them, values and slopes.
  template <std::size_t paths>
  KOKKOS_FUNCTION Kokkos::Array<Dual<directions, Pack>, paths> duals_of(
      const Kokkos::Array<LongestPath, paths>& of) const {
    Kokkos::Array<Dual<directions, Pack>, paths> found;
    for (std::size_t path = 0; path < paths; ++path) found[path].value = of[path].length();
    for (int i = 0; i < m_count; ++i) {
      for (int j = 0; j < directions; ++j) {
        const double of_scale = m_scale[i]->slope[j];
        if (of_scale == 0) continue;  // most are, because each parameter has its own direction
        const Pack slope = of_scale * m_standard[i];
        for (std::size_t path = 0; path < paths; ++path) {
          found[path].slope[j] += math::select(of[path].contains(i), slope, 0.0);
        }
      }
    }
    return found;
  }

 private:
  Pack m_standard[activities];
  const Dual<directions>* m_scale[activities];
  int m_count = 0;
};

}  // namespace sporos
