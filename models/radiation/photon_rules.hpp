// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <string_view>

namespace sporos::models {

/// How to compute the fraction of a photon bundle that an element absorbs.
enum class PathTreatment {
  exact,  ///< 1 − exp(−κd) for a path of length d
  /// ∫ κ exp(−κs) ds along the path by Monte Carlo, from points on it: Lee (2012), Hybrid parallel computing strategies
  /// for scientific computing applications, section 4.5.3.3.
  sampled
};

/// How a photon bundle loses energy.
enum class PhotonWeighting {
  weighted,  ///< loses a fraction at each step; Russian roulette ends bundles with little energy
  analogue   ///< loses all energy, with a probability equal to the fraction that a weighted bundle would lose
};

}  // namespace sporos::models

namespace sporos {

/// Names of the path treatments.
template <>
struct ChoiceNames<models::PathTreatment> {
  static constexpr std::string_view what = "path treatment";  ///< name of the choice
  /// name and value of each treatment
  static constexpr auto values = std::to_array<NamedValue<models::PathTreatment>>(
      {{"exact", models::PathTreatment::exact}, {"sampled", models::PathTreatment::sampled}});
};

/// Names of the weightings.
template <>
struct ChoiceNames<models::PhotonWeighting> {
  static constexpr std::string_view what = "weighting";  ///< name of the choice
  /// name and value of each weighting
  static constexpr auto values = std::to_array<NamedValue<models::PhotonWeighting>>(
      {{"weighted", models::PhotonWeighting::weighted}, {"analogue", models::PhotonWeighting::analogue}});
};

}  // namespace sporos

namespace sporos::models {

/// Rules by which photons are traced.
struct PhotonRules {
  PathTreatment paths = PathTreatment::exact;             ///< treatment of the path through an element
  int points = 80;                                        ///< number of points per path if paths are sampled
  PhotonWeighting weighting = PhotonWeighting::weighted;  ///< weighting of absorption

  /// Whether the rules equal the defaults. The number of points does not matter for exact paths.
  bool are_default() const { return paths == PathTreatment::exact && weighting == PhotonWeighting::weighted; }
};

}  // namespace sporos::models
