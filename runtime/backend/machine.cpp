// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/machine.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>

#include <sys/utsname.h>

namespace sporos::runtime {

namespace {

std::string system_name() {
  utsname system{};
  if (::uname(&system) != 0) return "unknown";
  return fmt::format("{} {} {}", system.sysname, system.release, system.machine);
}

}  // namespace

Machine machine_before(const Backend& backend) {
  const Build& build = program().build;
  return {std::string(backend.name()), "", 0, system_name(), build.compiler, build.kokkos, build.same_bits};
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
