// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>

#include <sporos/core/io/json.hpp>

#include <string>

namespace sporos::runtime {

/// Machine on which a program runs, and how the program was compiled.
struct Machine {
  std::string backend;   ///< name of the backend
  std::string device;    ///< name of the processor or device that computes
  int threads;           ///< number of threads that run at once
  std::string system;    ///< operating system, its version and the processor's architecture
  std::string compiler;  ///< compiler and its version
  std::string kokkos;    ///< version of Kokkos
  bool same_bits;        ///< whether models are compiled without fused multiply-adds
};

/// Returns what is known before `backend` is started: everything but device and threads.
Machine machine_before(const Backend& backend);

/// Returns the complete description. `backend` must have been started.
Machine machine_of(const Backend& backend);

/// Describes the backend, the device and the number of threads for users.
std::string text_of(const Machine& machine);

/// Returns a machine as JSON.
io::Json json_of(const Machine& machine);

}  // namespace sporos::runtime
