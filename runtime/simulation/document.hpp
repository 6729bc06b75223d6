// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/page/document.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <cstddef>
#include <vector>

namespace sporos::runtime {

/// The section of what was asked: the model, its parameters, of which those at `varied` differ between design points,
/// and `more`.
PageSection asked_section(const ModelDescription& model, const ParameterValues& values,
                          const std::vector<std::size_t>& varied, PageFacts more);

/// The same of all design points.
PageSection asked_section(const ModelDescription& model, const std::vector<ParameterValues>& design, PageFacts more);

}  // namespace sporos::runtime
