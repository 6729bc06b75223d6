// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/integration/pi.hpp>

#include "../hand_written.hpp"
#include "backends.hpp"

namespace sporos::bench {

Workload pi(std::int64_t draws) {
  const models::Pi model{draws};
  return {"pi",
          "points",
          static_cast<double>(draws),
          *model.exact_means()[0],
          backends_of(model),
          [=](std::int64_t replications) { return hand_written::pi(replications, draws); }};
}

}  // namespace sporos::bench
