// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "context.hpp"
#include "option_parser.hpp"

#include <sporos/core/execution/initialize.hpp>

#include <Kokkos_Core.hpp>

#include <benchmark/benchmark.h>

#include <exception>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::bench {

/// Parses the options of `app`, passes all others to Google Benchmark, initializes Kokkos and runs the benchmarks that
/// `add` registers. Returns the exit status.
inline int run_benchmarks(OptionParser& app, int argc, char** argv, const std::function<void()>& add) {
  app.allow_extras();
  if (const auto status = app.parse(argc, argv)) return *status;
  try {
    std::string program = argv[0];
    std::vector<std::string> rest = app.remaining();
    std::vector<char*> arguments = {program.data()};
    for (auto& argument : rest) arguments.push_back(argument.data());
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) {
      throw std::invalid_argument("unknown arguments");
    }
    const Kokkos::ScopeGuard kokkos(quiet_kokkos_settings({}));
    add_context();
    add();
    benchmark::RunSpecifiedBenchmarks();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << app.get_name() << ": " << error.what() << '\n';
    return 1;
  }
}

}  // namespace sporos::bench
