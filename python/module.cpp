// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/one_line.hpp>

#include <exception>
#include <stdexcept>

namespace {

void raise_as_python(std::exception_ptr failure) {
  // One line in the length that is promised, and text: Python takes nothing else.
  const auto raise = [](PyObject* type, const std::exception& error) {
    PyErr_SetString(type, sporos::io::one_line(sporos::python::message_for_python(error.what())).c_str());
  };
  try {
    std::rethrow_exception(failure);
  } catch (const std::invalid_argument& error) {
    raise(PyExc_ValueError, error);
  } catch (const sporos::OutOfMemory& error) {
    raise(PyExc_MemoryError, error);
  } catch (const std::runtime_error& error) {
    raise(PyExc_RuntimeError, error);
  }
}

}  // namespace

// Compiled once for each backend, under its name.
PYBIND11_MODULE(SPOROS_PYTHON_MODULE, module) {
  module.doc() = "Sporos on one backend of Kokkos; used through the package sporos";
  pybind11::register_local_exception_translator(raise_as_python);
  sporos::python::bind_session(module);
  sporos::python::bind_options(module);
  sporos::python::bind_simulate(module);
  sporos::python::bind_optimize(module);
  sporos::python::bind_search(module);
  sporos::python::bind_select(module);
  sporos::python::bind_minimize(module);
  sporos::python::bind_classification(module);
  sporos::python::bind_fit(module);
  sporos::python::bind_sample(module);
}
