// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos {

/// A response of a model with levels, on a level and on the one before it, of the same draws; on level 0 `coarse` is 0.
struct LevelPair {
  double fine;    ///< P_l
  double coarse;  ///< P_(l−1), which has the law that P_(l−1) has as the fine one of its own level
};

}  // namespace sporos
