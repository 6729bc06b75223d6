// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/sample_range.hpp>

namespace sporos::models {

/// `Problem`, a GeneralizedLinear, over all of its rows, whichever sample an optimizer draws. It gives f itself, for
/// deterministic methods.
template <class Problem>
struct AllRows : Problem {
  using Problem::Problem;

  /// Selects all rows and ignores the sample.
  void draw(const SampleRange&) { this->draw_all(); }

  void in_teams() const = delete;    ///< unavailable, because it would draw a sample
  void in_threads() const = delete;  ///< unavailable, because it would draw a sample
};

}  // namespace sporos::models
