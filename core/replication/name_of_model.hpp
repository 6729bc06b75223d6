// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

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

/// Label under which tools see a kernel that runs replications of a model, such as "sporos::replicate[mm1]" for
/// "sporos::replicate". Without a tool, which alone reads it, returns `label`.
template <class Model>
std::string label_with_model(const std::string& label) {
  return Kokkos::Profiling::profileLibraryLoaded() ? label + "[" + name_of_model<Model>() + "]" : label;
}

}  // namespace sporos::impl
