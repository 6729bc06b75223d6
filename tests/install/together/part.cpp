// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part of the program that uses Sporos, in namespace PART.
#include "part.hpp"
#include "bits_of.hpp"

#include <sporos/models/queues/mm1.hpp>

#include <Kokkos_Core.hpp>

#include <array>

namespace {

struct Walk {
  enum Input { step, input_count };
  static constexpr auto response_names = std::array{"end"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    double end = 0;
    for (int i = 0; i < STEPS; ++i) end += inputs(step) < 0.5 ? -1 : 1;
    return {{end}};
  }
};

const sporos::models::MM1 queue{0.5, 1.0, 100, 0.0};

}  // namespace

Bits PART::bits() { return {bits_of(queue, 200), bits_of(Walk(), 200)}; }

void PART::run_into_too_few_rows() { bits_of(queue, 199); }
