// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>
#include <sporos/optimizers/search/search_uniforms.hpp>

#include <string_view>
#include <vector>

namespace sporos::impl {

/// Throws std::invalid_argument, naming who needs them, where a bound is infinite.
void check_finite_bounds(const SearchRun& run, std::string_view who);

/// A uniformly distributed point within finite bounds; whole numbers are equally likely.
std::vector<double> drawn_point(const SearchRun& run, SearchUniforms& uniforms);

}  // namespace sporos::impl
