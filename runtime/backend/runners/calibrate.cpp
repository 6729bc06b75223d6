// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/tasks.hpp>
#include <sporos/runtime/random_blocks/task.hpp>

#include <sporos/core/random/engine.hpp>
#include <sporos/core/random_blocks/calibration.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace sporos::runtime {

namespace {

Calibrator calibrator_of(const CalibratorRequest& request) {
  return Engines::visit(request.engine, [&]<class E>(std::type_identity<E>) {
    return Calibrator{io::block_model_key<SPOROS_BACKEND>(name_of(request.engine)),
                      [] { return calibrate_blocks<SPOROS_BACKEND, E>(); }, work_that_takes, time_taking,
                      time_consumers<SPOROS_BACKEND, E>};
  });
}

}  // namespace

template <>
std::any task_runner<CalibratorRequest>() {
  return &calibrator_of;
}

}  // namespace sporos::runtime
