// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../harness/option_parser.hpp"
#include "../radiation/world.hpp"

#include <sporos/core/execution/initialize.hpp>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <exception>

namespace sporos::papers {

/// Parses the options of `app`, to which it adds --mpi for processes that mpirun has started. Initializes Kokkos and
/// prints, as JSON, what `measure` returns for these processes. Returns the exit status of the program.
template <class Measure>
int print_measured(bench::OptionParser& app, int argc, char** argv, const Measure& measure) {
  bool is_one_of_many = false;
  app.add_flag("--mpi", is_one_of_many, "one of the processes that mpirun has begun");
  if (const auto status = app.parse(argc, argv)) return *status;
  try {
    bench::World world(is_one_of_many);
    const Kokkos::ScopeGuard kokkos(quiet_kokkos_settings({}));
    const nlohmann::json report = measure(world.processes());
    if (world.processes().rank() == 0) std::puts(report.dump().c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), error.what());
    return 1;
  }
}

}  // namespace sporos::papers
