// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Your own random engine: a code has used its generator for years, and its users expect the same generator in the
// replications. Each stream, of a replication and an input variable, starts in a state that is a hash of the stream's
// name (random spacing). Therefore any replication can start anywhere.
#include <sporos/core/random/stream.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/models/integration/pi.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstdio>

using Space = Kokkos::DefaultExecutionSpace;

// The generator of the code, unchanged except for KOKKOS_FUNCTION, because kernels call it: xorshift64*, with a state
// and a next().
class HouseGenerator {
 public:
  KOKKOS_FUNCTION explicit HouseGenerator(std::uint64_t state) : m_state(state) {}
  KOKKOS_FUNCTION std::uint64_t next() {
    m_state ^= m_state >> 12;
    m_state ^= m_state << 25;
    m_state ^= m_state >> 27;
    return m_state * 0x2545f4914f6cdd1du;
  }

 private:
  std::uint64_t m_state;
};

// The members that Sporos requires of an engine with a state (concept SequentialEngine).
struct HouseEngine {
  HouseGenerator generator;

  KOKKOS_FUNCTION static HouseEngine of_stream(const sporos::Stream& stream) {
    std::uint64_t name = sporos::mix_bits(stream.seed + 0x9e3779b97f4a7c15u);
    name = sporos::mix_bits(name ^ stream.replication);
    name = sporos::mix_bits(name ^ stream.input);
    return {HouseGenerator(name | 1)};  // 0 is the state that it could not leave
  }
  KOKKOS_FUNCTION std::uint64_t next_draw() { return generator.next(); }
};

template <class Source>
void estimate_pi(const char* name) {
  using sporos::models::Pi;
  constexpr std::int64_t replications = 4000;
  const sporos::Outputs<Space> outputs("estimates of pi", replications, 1);
  sporos::replicate_with<Source, Pi>(Space(), sporos::Design<Pi, Space>(Pi{10'000}, /* seed */ 1), {},
                                     {0, replications}, sporos::Mapping::thread, outputs);

  const auto estimates = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  sporos::MomentsTree tree;  // sums in an order that does not depend on the machine
  for (std::int64_t row = 0; row < replications; ++row) tree.add(estimates(row, 0));
  std::printf("%-6s pi = %.5f +- %.5f\n", name, tree.total().mean, sporos::half_width(tree.total(), 0.95));
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  estimate_pi<sporos::EngineSource<HouseEngine>>("house");
  estimate_pi<sporos::DefaultSource>("philox");
}
