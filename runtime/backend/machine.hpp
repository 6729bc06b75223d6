// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>

#include <sporos/core/io/json.hpp>

#include <string>

namespace sporos::runtime {

/// Where a program runs and what it is made of.
struct Machine {
  std::string backend;   ///< its name
  std::string device;    ///< what it computes on
  int threads;           ///< how many run at once
  std::string system;    ///< operating system, its version, the processor's architecture
  std::string compiler;  ///< and its version
  std::string kokkos;    ///< version
  bool same_bits;        ///< whether it is compiled without fused multiply-adds
};

/// This machine as far as it is known before `backend` is started: without device and threads.
Machine machine_before(const Backend& backend);

/// This machine; `backend` has been started.
Machine machine_of(const Backend& backend);

/// For people: the backend, the device and how many threads.
std::string text_of(const Machine& machine);

/// A machine as reports have it.
io::Json json_of(const Machine& machine);

}  // namespace sporos::runtime
