// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/queues/mm1.hpp>

#include "../hand_written.hpp"
#include "backends.hpp"

namespace sporos::bench {

Workload mm1(std::int64_t customers) {
  const models::MM1 model{0.5, 1.0, customers, 0.0};
  return {"mm1",
          "customers",
          static_cast<double>(customers),
          *model.exact_means()[0],
          backends_of(model),
          [=](std::int64_t replications) {
            return hand_written::mm1(replications, model.arrival_rate, model.service_rate, customers);
          }};
}

}  // namespace sporos::bench
