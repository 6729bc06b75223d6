// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/initialize.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/table.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <exception>
#include <string>

/// Code shared by the programs that reproduce the papers' tables.
namespace sporos::papers {

using Column = io::Table::Column;
using Space = Kokkos::DefaultExecutionSpace;

/// Formats `value` with `decimals` digits after the point.
inline std::string fixed(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }

/// Initializes Kokkos and calls `print`. Returns the exit status of the program, which is 1 after an exception.
template <class Print>
int run_program(const Print& print) {
  try {
    const Kokkos::ScopeGuard kokkos(quiet_kokkos_settings({}));
    print();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace sporos::papers
