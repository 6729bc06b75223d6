// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/machine.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>

#include <Kokkos_Core.hpp>

#include <sys/utsname.h>

namespace sporos::runtime {

namespace {

std::string system_name() {
  utsname system{};
  if (::uname(&system) != 0) return "unknown";
  return fmt::format("{} {} {}", system.sysname, system.release, system.machine);
}

std::string compiler_name() {
#if defined(__clang__)
  const std::string host = "Clang " __clang_version__;
#else
  const std::string host = fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
#ifdef __CUDACC__
  return fmt::format("{}, CUDA {}.{}", host, __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__);
#else
  return host;
#endif
}

std::string kokkos_version() {
  return fmt::format("{}.{}.{}", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100, KOKKOS_VERSION % 100);
}

}  // namespace

std::string vector_instructions() {
#if defined(__AVX512F__)
  return "AVX-512, 8 doubles";
#elif defined(__AVX2__)
  return "AVX2, 4 doubles";
#elif defined(__AVX__)
  return "AVX, 4 doubles";
#elif defined(__SSE2__)
  return "SSE2, 2 doubles";
#elif defined(__ARM_NEON)
  return "NEON, 2 doubles";
#else
  return "unknown";
#endif
}

Machine machine_before(const Backend& backend) {
  return {std::string(backend.name()), "", 0, system_name(), compiler_name(), kokkos_version(), SPOROS_SAME_BITS};
}

Machine machine_of(const Backend& backend) {
  Machine machine = machine_before(backend);
  machine.device = backend.device();
  machine.threads = backend.threads();
  return machine;
}

std::string text_of(const Machine& machine) {
  return fmt::format("{} ({}, {})", machine.backend, machine.device, plural(machine.threads, "thread", "threads"));
}

io::Json json_of(const Machine& machine) {
  return {{"backend", machine.backend},    {"device", machine.device},     {"threads", machine.threads},
          {"system", machine.system},      {"compiler", machine.compiler}, {"kokkos", machine.kokkos},
          {"same_bits", machine.same_bits}};
}

}  // namespace sporos::runtime
