// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace sporos::test {

/// All models, with parameters that make a replication short.
inline const std::vector<std::string> short_models = {"pi",
                                                      "mm1 --customers 50",
                                                      "mmck --customers 50",
                                                      "event-mmck --customers 50",
                                                      "tandem-line --warm-up 50",
                                                      "network",
                                                      "random-walk --steps 50",
                                                      "newsboy",
                                                      "continuous-newsvendor",
                                                      "ss-inventory",
                                                      "facility-sizing",
                                                      "dual-sourcing --periods 50",
                                                      "iron-ore --days 50",
                                                      "substitution-newsvendor --customers 20",
                                                      "contamination",
                                                      "activity-network",
                                                      "pert",
                                                      "call-options",
                                                      "asian-call",
                                                      "reserved-capacity",
                                                      "hotel",
                                                      "restaurant",
                                                      "message-networks --messages 50",
                                                      "chess-platform --players 50",
                                                      "amusement-park --length 10",
                                                      "ambulance-bases",
                                                      "asset-mix",
                                                      "gamma-likelihood",
                                                      "empirical-risk",
                                                      "noisy-quadratic",
                                                      "lit-slab"};

}  // namespace sporos::test
