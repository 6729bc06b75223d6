// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"

#include <sporos/core/execution/memory.hpp>

#include <exception>
#include <stdexcept>

namespace {

void raise_as_python(std::exception_ptr failure) {
  using sporos::python::message_for_python;
  try {
    std::rethrow_exception(failure);
  } catch (const std::invalid_argument& error) {
    PyErr_SetString(PyExc_ValueError, message_for_python(error.what()).c_str());
  } catch (const sporos::OutOfMemory& error) {
    PyErr_SetString(PyExc_MemoryError, error.what());
  } catch (const std::runtime_error& error) {
    PyErr_SetString(PyExc_RuntimeError, message_for_python(error.what()).c_str());
  }
}

}  // namespace

// Compiled once for each backend, under its name.
PYBIND11_MODULE(SPOROS_PYTHON_MODULE, module) {
  module.doc() = "Sporos on one backend of Kokkos; used through the package sporos";
  pybind11::register_local_exception_translator(raise_as_python);
  sporos::python::bind_session(module);
  sporos::python::bind_simulate(module);
  sporos::python::bind_optimize(module);
  sporos::python::bind_classification(module);
  sporos::python::bind_fit(module);
  sporos::python::bind_sample(module);
}
