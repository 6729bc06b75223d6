// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/queues/mmck.hpp>

#include "../hand_written.hpp"
#include "backends.hpp"

namespace sporos::bench {

Workload mmck(std::int64_t customers) {
  const models::MMCK model{4.0, 1.0, 3, 5, customers};
  const double blocked = *model.exact_means()[1];
  return {"mmck",
          "events",
          static_cast<double>(customers) * (2.0 - blocked),  // all customers arrive, those that enter depart
          *model.exact_means()[0],
          backends_of(model),
          [=](std::int64_t replications) {
            return hand_written::mmck(replications, model.arrival_rate, model.service_rate, model.servers,
                                      model.capacity, customers);
          }};
}

}  // namespace sporos::bench
