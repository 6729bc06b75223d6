// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>

#include <exception>
#include <memory>

namespace sporos::runtime {

/// Those that run this command together, as mpirun has begun them; this one alone where nobody has.
Processes& processes();

/// Whether this is the process that reports.
bool is_first_process();

/// The place of this process among those on its machine, and how many these are.
struct LocalPlace {
  int rank = 0;   ///< from 0
  int count = 1;  ///< at least 1
};

/// That of this process.
LocalPlace local_place();

/// Joins this process to the others that were begun with it, until the end of this object.
class ProcessSession {
 public:
  ProcessSession();
  ProcessSession(const ProcessSession&) = delete;
  ProcessSession& operator=(const ProcessSession&) = delete;
  ~ProcessSession();

  /// Finds out who the others are. Throws std::invalid_argument where there are others and this program is built
  /// without MPI. What the others than the first write to standard output is lost from here on.
  void begin();

 private:
  struct Mpi;
  std::unique_ptr<Mpi> m_mpi;
};

/// The first thing that processes do together, once their input is read: all go on, or all fail as check_together has
/// it, where `failure` is that of this one. Only the first call in a program does it.
void meet(const std::exception_ptr& failure = nullptr);

/// Whether something has failed that the other processes know nothing of. To be asked where something has failed.
bool has_failed_alone();

/// The exit status of all processes, the greatest, where this one's is `status`. Others that may wait for one that has
/// failed alone are ended, and others that compute on when the first one has come to no good end.
int common_status(int status);

}  // namespace sporos::runtime
