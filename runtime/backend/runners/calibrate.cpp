// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/calibrator.hpp>

#include <sporos/core/random/engine.hpp>
#include <sporos/core/random_blocks/calibration.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace sporos::runtime {

Calibrator calibrator_of(Engine engine) {
  return Engines::visit(engine, [&]<class E>(std::type_identity<E>) {
    return Calibrator{io::block_model_key<SPOROS_BACKEND>(name_of(engine)),
                      [] { return calibrate_blocks<SPOROS_BACKEND, E>(); }, work_that_takes, time_taking,
                      time_consumers<SPOROS_BACKEND, E>};
  });
}

}  // namespace sporos::runtime
