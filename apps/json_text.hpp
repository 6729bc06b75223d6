// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host.hpp"
#include "model_description.hpp"

#include <sporos/core/io/json.hpp>

#include <string>

namespace sporos::apps {

/// A machine as reports have it.
io::Json json_of(const Machine& machine);

/// A design point as reports have it: the values of the model's parameters by their names.
io::Json json_of(const ModelDescription& model, const ParameterValues& values);

/// The bytes of a report.
std::string json_text(const io::Json& json);

}  // namespace sporos::apps
