// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/options.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// What questions have in common that take the place of an experiment and are about one design point: --rare-event,
/// --multilevel, --stratify, --array-rqmc, --sensitivity. `question` is the option without its dashes.
namespace sporos::runtime {

/// Throws std::invalid_argument where an option is given that is neither of `group`, nor a parameter's, nor `shared`.
void refuse_others(const SimulateOptions& options, std::string_view question, std::string_view group,
                   std::span<const char* const> shared);

/// The design point. Throws std::invalid_argument where the options describe several.
ParameterValues only_point(const SimulateOptions& options, std::string_view question);

/// The number of the response of that name. Throws std::invalid_argument, with a suggestion, where there is none.
std::size_t response_named(const std::string& name, const ModelDescription& model, const ParameterValues& values,
                           std::string_view option);

}  // namespace sporos::runtime
