// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/define_backend.hpp>
#include <sporos/runtime/backend/translated_models.hpp>

// The backend of a module with models that are translated from Python. It is compiled beforehand, because it takes
// longer to compile than a model.
std::unique_ptr<sporos::runtime::Backend> sporos::runtime::kokkos_backend() {
  return backend_with(functions_of_translated_models(), {});
}
