// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/one_line.hpp>

#include <exception>
#include <stdexcept>

namespace {

void raise_as_python(std::exception_ptr failure) {
  // The message is one line of valid text, cut to the maximum length: Python accepts nothing else.
  const auto raise = [](PyObject* type, const std::exception& error) {
    PyErr_SetString(type, sporos::io::one_line(sporos::python::with_keywords(error.what())).c_str());
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

void sporos::python::bind_models(pybind11::module_& module) {
  module.doc() = "Sporos on one backend of Kokkos. Use it through the package that contains it.";
  pybind11::register_local_exception_translator(raise_as_python);
  bind_session(module);
  bind_options(module);
  bind_device_array(module);
  bind_simulate(module);
  bind_answer(module);
  bind_search(module);
  bind_solver_comparison(module);
  bind_select(module);
}

// Module of a package with your own models. The modules of all its backends call the initialization defined here
// (cmake/SporosAddPrograms.cmake).
PYBIND11_MODULE(sporos_models, module) { sporos::python::bind_models(module); }
