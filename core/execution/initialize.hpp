// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/devices.hpp>
#include <sporos/core/execution/execution_settings.hpp>
#include <sporos/core/execution/host_threads.hpp>

#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <optional>

namespace sporos {

/// Settings for Kokkos::ScopeGuard or Kokkos::initialize that turn off the warnings of Kokkos, for programs that
/// control their own output. Throws the exceptions of check_device and checked_host_threads where Kokkos::initialize
/// would end the program.
inline auto quiet_kokkos_settings(const ExecutionSettings& chosen = {}) {
  check_device(chosen.device);
  const std::optional<int> threads = checked_host_threads(chosen.threads);
#if KOKKOS_VERSION >= 30700
  Kokkos::InitializationSettings settings;
  settings.set_disable_warnings(true);
  if (threads) settings.set_num_threads(*threads);
  if (chosen.device) settings.set_device_id(*chosen.device);
#else
  ::unsetenv("KOKKOS_NUM_THREADS");  // Kokkos before 3.7 rejects a thread count that differs from it
  Kokkos::InitArguments settings;
  settings.disable_warnings = true;
  if (threads) settings.num_threads = *threads;
  if (chosen.device) settings.device_id = *chosen.device;
#endif
  return settings;
}

}  // namespace sporos
