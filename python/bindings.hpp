// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pybind11/pybind11.h>

/// Functions of a backend's module that the package `sporos` calls. They take and return strings and arrays; the
/// package defines the interface for users in Python.
namespace sporos::python {

/// Adds functions that start and end the backend, describe it, and list the models.
void bind_session(pybind11::module_& module);
/// Adds the function that returns the help texts of options.
void bind_options(pybind11::module_& module);
/// Adds experiments and replays.
void bind_simulate(pybind11::module_& module);
void bind_device_array(pybind11::module_& module);
/// Adds questions that a single computation answers.
void bind_answer(pybind11::module_& module);
/// Adds everything that a package of models requires: the functions above, searches, comparisons, selections, and the
/// translation of exceptions to Python.
void bind_models(pybind11::module_& module);
/// Adds the optimization of portfolios and newsvendors.
void bind_optimize(pybind11::module_& module);
/// Adds the optimization of parameters of models by searches.
void bind_search(pybind11::module_& module);
/// Adds comparisons of solvers, and the list of problems for them.
void bind_solver_comparison(pybind11::module_& module);
/// Adds the selection of the best of a model's systems.
void bind_select(pybind11::module_& module);
/// Adds the minimization of objectives that are Python functions.
void bind_minimize(pybind11::module_& module);
/// Adds classifications.
void bind_classification(pybind11::module_& module);
/// Adds fits of mixtures.
void bind_fit(pybind11::module_& module);
/// Adds draws and functions for models that run in Python.
void bind_draws(pybind11::module_& module);
/// Adds models of Python functions; only in modules of host backends.
void bind_function_models(pybind11::module_& module);
/// Adds points of samplings, and variates.
void bind_sample(pybind11::module_& module);
/// Adds the command line.
void bind_command_line(pybind11::module_& module);

}  // namespace sporos::python
