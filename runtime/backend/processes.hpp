// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>

#include <exception>
#include <memory>

namespace sporos::runtime {

/// Processes that run this command together, as launched by mpirun; only this process if there was no launcher.
Processes& processes();

/// Whether this is the first process, which reports for all.
bool is_first_process();

/// Position of a process among those on its machine.
struct LocalPlace {
  int rank = 0;   ///< rank, from 0
  int count = 1;  ///< number of processes on the machine, at least 1
};

/// Returns the rank of this process among those on its machine, and their number.
LocalPlace local_place();

/// Joins this process to the others that were launched with it, for the lifetime of this object.
class ProcessSession {
 public:
  ProcessSession();
  ProcessSession(const ProcessSession&) = delete;
  ProcessSession& operator=(const ProcessSession&) = delete;
  ~ProcessSession();

  /// Finds the other processes. From then on, standard output of all processes but the first is discarded. Throws
  /// std::invalid_argument if there are other processes and this program is built without MPI.
  void begin();

 private:
  struct Mpi;
  std::unique_ptr<Mpi> m_mpi;
};

/// First collective call of the processes, after their input is read: all continue, or all fail as described for
/// check_together. `failure` is that of this process. Later calls are not collective: they only rethrow `failure`.
void meet(const std::exception_ptr& failure = nullptr);

/// Whether a failure of this process is unknown to the others. The result is meaningful only after a failure.
bool has_failed_separately();

/// Returns the exit status of all processes, which is the largest; `status` is that of this one. If only one process
/// has failed, ends the others, which may wait for it. If the first process has failed, ends others that still compute
/// after 2 s.
int common_status(int status);

}  // namespace sporos::runtime
