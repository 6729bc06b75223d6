// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/model_functions.hpp>

#include <map>
#include <string_view>

namespace sporos::runtime {

/// Returns the functions of the models that are translated from Python, by the models' names. The source file that the
/// Python package writes for a model defines it (python/sporos/_model/compiler.py); the backend with these models is
/// compiled beforehand (python/model_backend.cpp).
std::map<std::string_view, ModelFunctions> functions_of_translated_models();

}  // namespace sporos::runtime
