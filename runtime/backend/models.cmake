# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The models, and described cases of models, that the command line and Python offer, in the order in which they are
# listed: the type in namespace sporos::models, and its header in models/.
set(models
    Pi integration/pi.hpp
    MM1 queues/mm1.hpp
    MMCK queues/mmck.hpp
    TandemLine queues/tandem_line.hpp
    RandomWalk walks/random_walk.hpp
    NewsboyCase inventory/newsboy.hpp
    ContinuousNewsvendor inventory/continuous_newsvendor.hpp
    SsInventory inventory/ss_inventory.hpp
    FacilitySizing inventory/facility_sizing.hpp
    DualSourcing inventory/dual_sourcing.hpp
    ActivityNetwork projects/activity_network.hpp
    PertCase projects/pert.hpp
    LitSlab radiation/lit_slab.hpp)

# The runner of each has a source of its own: all are compiled side by side, and after a change that one alone.
while(models)
  list(POP_FRONT models model header)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/runners/${model}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT [[
#include <sporos/runtime/backend/runners/define_runner.hpp>

#include <sporos/models/@header@>

template sporos::runtime::Runner sporos::runtime::runner<sporos::models::@model@>();
]] @ONLY)
  list(APPEND model_runners ${source})
  list(APPEND model_types models::${model})
  string(APPEND model_includes "#include <sporos/models/${header}>\n")
endwhile()

# The list itself, for models.hpp.
list(JOIN model_types ", " model_types)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/include/sporos/runtime/backend/listed_models.hpp CONTENT [[
#pragma once

@model_includes@
#include <tuple>

namespace sporos::runtime {

/// The models of models.cmake.
using Models = std::tuple<@model_types@>;

}  // namespace sporos::runtime
]] @ONLY)
