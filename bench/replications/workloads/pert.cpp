// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/projects/pert.hpp>

#include "../hand_written.hpp"
#include "backends.hpp"

namespace sporos::bench {

Workload pert() {
  const models::ProjectNetwork network = models::eight_activities();
  return {"pert",
          "projects",
          1.0,
          models::exact_pert(network)->mean,
          backends_with([&]<class ExecutionSpace>(const ExecutionSpace&) {
            return models::PertTables<typename ExecutionSpace::memory_space>(network);
          }),
          [](std::int64_t replications) { return hand_written::pert(replications); },
          256};
}

}  // namespace sporos::bench
