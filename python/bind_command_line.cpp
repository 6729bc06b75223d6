// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"

#include "../apps/command_line.hpp"
#include "../apps/failure.hpp"

#include <pybind11/stl.h>

#include <string>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;

int run_command_line(const std::vector<std::string>& words) {
  const apps::FailureReport failures;
  apps::ProcessSession session;
  const auto backend = runtime::kokkos_backend();
  return apps::run_command_line(words, session, *backend);
}

}  // namespace

void bind_command_line(py::module_& module) {
  module.def(
      "run_command_line", &run_command_line, py::arg("words"), py::call_guard<py::gil_scoped_release>(),
      "Runs the command line in this process, whose only use of Sporos it must be, and returns its exit status.");
}

}  // namespace sporos::python
