// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong engines, wrong sources of uniforms, and wrong memory for the outputs of replications.
#include <sporos/core/replication/replicate.hpp>

#include <array>
#include <vector>

struct Right {
  enum Input { service, input_count };
  static constexpr auto response_names = std::array{"wait"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{inputs(service)}};
  }
};

using Space = Kokkos::DefaultExecutionSpace;

// expected: an engine must have blocks of 1, 2, 4, ... or 64 draws
struct Engine {
  static constexpr int draws_per_block = 3;
  KOKKOS_FUNCTION static Kokkos::Array<std::uint64_t, 3> block(const sporos::Stream&, std::uint64_t b) {
    return {{b, b, b}};
  }
};
struct EngineWithoutBlocks {
  std::uint64_t next();
};

// expected: a source of uniforms must be a sporos::EngineSource
struct NoSource {};

// expected: outputs must be a sporos::Outputs<ExecutionSpace>
using OutputsOfConst = Kokkos::View<const double**, Kokkos::LayoutLeft, Space>;

// expected: a model must be a trivially copyable class
struct NotCopyable : Right {
  std::vector<double> rates;
};

template <class Source, class Model, class OutputView>
void run(const Model& model, const OutputView& outputs) {
  const sporos::Design<Model, Space> design(model, 1);
  sporos::replicate_with<Source, Model>(Space(), design, {}, {0, 1}, sporos::Mapping::thread, outputs);
}

void run_all() {
  run<sporos::EngineSource<Engine>>(Right(), sporos::Outputs<Space>());
  run<sporos::EngineSource<EngineWithoutBlocks>>(Right(), sporos::Outputs<Space>());
  run<NoSource>(Right(), sporos::Outputs<Space>());
  run<sporos::DefaultSource>(Right(), OutputsOfConst());
  run<sporos::DefaultSource>(NotCopyable(), sporos::Outputs<Space>());
}
