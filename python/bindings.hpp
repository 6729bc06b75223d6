// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pybind11/pybind11.h>

/// What the package `sporos` calls of a backend's module: functions of texts and arrays. How they look to users is
/// written in Python.
namespace sporos::python {

/// Start and end of the backend, what it is, and the models there are.
void bind_session(pybind11::module_& module);
/// What there is to say of options.
void bind_options(pybind11::module_& module);
/// Experiments.
void bind_simulate(pybind11::module_& module);
/// Questions that one computation answers.
void bind_answer(pybind11::module_& module);
/// All of these and searches, and how exceptions look in Python: what a package of models needs.
void bind_models(pybind11::module_& module);
/// Portfolios and newsvendors.
void bind_optimize(pybind11::module_& module);
/// Parameters of models, by searches.
void bind_search(pybind11::module_& module);
/// Comparisons of solvers, and the problems there are.
void bind_solver_comparison(pybind11::module_& module);
/// The best of a model's systems.
void bind_select(pybind11::module_& module);
/// Objectives of Python's own.
void bind_minimize(pybind11::module_& module);
/// Classifications.
void bind_classification(pybind11::module_& module);
/// Fits of mixtures.
void bind_fit(pybind11::module_& module);
/// Points of samplings, and variates.
void bind_sample(pybind11::module_& module);

}  // namespace sporos::python
