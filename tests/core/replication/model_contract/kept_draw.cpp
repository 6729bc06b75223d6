// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A draw that is kept and used twice would be two numbers under one name: it does not turn into a number at all.
#include <sporos/core/sampling/inputs.hpp>

using Inputs = sporos::DefaultSource::InputsOn<Kokkos::DefaultHostExecutionSpace, sporos::Mapping::thread, 1>;

double twice(Inputs& inputs) {
  auto draw = inputs(0);
  return draw * draw;
}
