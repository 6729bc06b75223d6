// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/core/demangle.hpp>

#include <string>
#include <typeinfo>

namespace sporos::impl {

/// Name of a model in messages: Model::name if it exists, otherwise the name of its type.
template <class Model>
std::string name_of_model() {
  if constexpr (requires { std::string(Model::name); }) {
    return std::string(Model::name);
  } else {
    return boost::core::demangle(typeid(Model).name());
  }
}

}  // namespace sporos::impl
