// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>

#ifdef SPOROS_MPI
#include <sporos/core/distributed/mpi.hpp>
#endif

#include <memory>
#include <stdexcept>

namespace sporos::bench {

/// The processes that mpirun started together, or only this process. Construct it before Kokkos is initialized.
class World {
 public:
  /// Throws std::invalid_argument if `is_one_of_many` is true and this program is built without MPI.
  explicit World(bool is_one_of_many) {
    if (!is_one_of_many) return;
#ifdef SPOROS_MPI
    m_mpi = std::make_unique<Mpi>();
#else
    throw std::invalid_argument("--mpi is given, expected a build with SPOROS_MPI");
#endif
  }

#ifdef SPOROS_MPI
  Processes& processes() { return m_mpi ? static_cast<Processes&>(m_mpi->processes) : single_process; }

 private:
  struct Mpi {
    MpiSession session;
    MpiProcesses processes{MPI_COMM_WORLD};
  };
  std::unique_ptr<Mpi> m_mpi;
#else
  Processes& processes() { return single_process; }
#endif
};

}  // namespace sporos::bench
