// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <string_view>

namespace sporos::models {

/// How the share of a photon bundle that an element absorbs is found.
enum class PathTreatment {
  exact,   ///< 1 − exp(−κd) for a path of length d
  sampled  ///< paper 002, section 4.5.3.3: ∫ κ exp(−κs) ds along the path by Monte Carlo, from points on it
};

/// How a photon bundle loses energy.
enum class PhotonWeighting {
  weighted,  ///< a part at each step; what is left in the end is played for (Russian roulette)
  analogue   ///< all at once, with the probability that a weighted one would lose as a part
};

}  // namespace sporos::models

namespace sporos {

/// Names of the treatments of paths.
template <>
struct ChoiceNames<models::PathTreatment> {
  static constexpr std::string_view what = "path treatment";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<models::PathTreatment>>(
      {{"exact", models::PathTreatment::exact}, {"sampled", models::PathTreatment::sampled}});
};

/// Names of the weightings.
template <>
struct ChoiceNames<models::PhotonWeighting> {
  static constexpr std::string_view what = "weighting";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<models::PhotonWeighting>>(
      {{"weighted", models::PhotonWeighting::weighted}, {"analogue", models::PhotonWeighting::analogue}});
};

}  // namespace sporos

namespace sporos::models {

/// How photons are followed.
struct PhotonRules {
  PathTreatment paths = PathTreatment::exact;             ///< of the way through an element
  int points = 80;                                        ///< on each way, where paths are sampled
  PhotonWeighting weighting = PhotonWeighting::weighted;  ///< of what is absorbed

  /// Whether they are those of a plan that names none, where the number of points does not matter.
  bool are_usual() const { return paths == PathTreatment::exact && weighting == PhotonWeighting::weighted; }
};

}  // namespace sporos::models
