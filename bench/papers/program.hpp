// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/initialize.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/table.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <exception>
#include <string>

/// What the programs that repeat the papers' tables have in common.
namespace sporos::papers {

using Column = io::Table::Column;
using Space = Kokkos::DefaultExecutionSpace;

/// `value` with `decimals` digits behind the point.
inline std::string fixed(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }

/// Calls `print` with Kokkos running; the program's exit status.
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
