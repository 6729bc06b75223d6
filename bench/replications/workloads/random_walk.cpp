// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/walks/random_walk.hpp>

#include "../hand_written.hpp"
#include "backends.hpp"

namespace sporos::bench {

Workload random_walk(std::int64_t steps) {
  const models::RandomWalk model{steps, 10};
  return {"random_walk",
          "steps",
          static_cast<double>(steps),
          *model.exact_means()[0],
          backends_of(model),
          [=](std::int64_t replications) { return hand_written::random_walk(replications, steps, model.chunk_side); }};
}

}  // namespace sporos::bench
