// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/sample_range.hpp>

namespace sporos::models {

/// `Problem`, a GeneralizedLinear, over all of its rows whatever sample an optimizer asks for: f itself, for
/// deterministic methods.
template <class Problem>
struct AllRows : Problem {
  using Problem::Problem;

  /// Keeps all rows.
  void draw(const SampleRange&) { this->draw_all(); }

  void in_teams() const = delete;  ///< which would draw
};

}  // namespace sporos::models
