// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"

// This file is compiled once for each backend, which gives the module its name.
PYBIND11_MODULE(SPOROS_PYTHON_MODULE, module) {
  sporos::python::bind_models(module);
  sporos::python::bind_optimize(module);
  sporos::python::bind_minimize(module);
  sporos::python::bind_classification(module);
  sporos::python::bind_fit(module);
  sporos::python::bind_sample(module);
  sporos::python::bind_draws(module);
  sporos::python::bind_command_line(module);
#ifdef SPOROS_PYTHON_FUNCTIONS
  sporos::python::bind_function_models(module);
#endif
}
