// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <optional>

namespace sporos {

/// Settings for Kokkos::ScopeGuard or Kokkos::initialize in a program whose output is its own: Kokkos warns of nothing.
/// `threads` is the number of threads of the host's execution space; without it, Kokkos' own choice.
inline auto quiet_kokkos_settings(std::optional<int> threads) {
#if KOKKOS_VERSION >= 30700
  Kokkos::InitializationSettings settings;
  settings.set_disable_warnings(true);
  if (threads) settings.set_num_threads(*threads);
#else
  Kokkos::InitArguments settings;
  settings.disable_warnings = true;
  if (threads) settings.num_threads = *threads;
#endif
  return settings;
}

}  // namespace sporos
