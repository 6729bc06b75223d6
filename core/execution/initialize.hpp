// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/devices.hpp>
#include <sporos/core/execution/execution_settings.hpp>

#include <Kokkos_Core.hpp>

namespace sporos {

/// Settings for Kokkos::ScopeGuard or Kokkos::initialize in a program whose output is its own: Kokkos warns of nothing.
/// Throws as check_device does, where Kokkos::initialize would end the program.
inline auto quiet_kokkos_settings(const ExecutionSettings& chosen = {}) {
  check_device(chosen.device);
#if KOKKOS_VERSION >= 30700
  Kokkos::InitializationSettings settings;
  settings.set_disable_warnings(true);
  if (chosen.threads) settings.set_num_threads(*chosen.threads);
  if (chosen.device) settings.set_device_id(*chosen.device);
#else
  Kokkos::InitArguments settings;
  settings.disable_warnings = true;
  if (chosen.threads) settings.num_threads = *chosen.threads;
  if (chosen.device) settings.device_id = *chosen.device;
#endif
  return settings;
}

}  // namespace sporos
