// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_line.hpp"
#include "failure.hpp"
#include "python_model.hpp"
#include "runtime_names.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/processes.hpp>

int main(int argc, char** argv) {
  sporos::apps::hand_over_python_model(argc, argv);
  const sporos::apps::FailureReport failures;
  sporos::apps::ProcessSession session;  // may wait for other processes after Kokkos has ended
  const auto backend = sporos::apps::kokkos_backend();
  return sporos::apps::run_command_line({argv + (argc > 0 ? 1 : 0), argv + argc}, session, *backend);
}
