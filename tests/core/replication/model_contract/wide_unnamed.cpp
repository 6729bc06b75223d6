// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/model.hpp>

struct WrongModel {
  enum Input { service, input_count };
  KOKKOS_FUNCTION int response_count() const { return 1; }

  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
    responses.set(0, inputs(service));
  }
};

void check() { sporos::check_model<WrongModel>(); }
