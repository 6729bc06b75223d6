// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "benchmarks.hpp"
#include "hand_written.hpp"
#include "streams.hpp"

#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>

#include <array>
#include <cmath>
#include <string>

namespace sporos::bench {

namespace {

// A model that averages variates of a standard form. Each replication is a separate stream.
template <class Form>
struct Average {
  std::int64_t draws;
  enum Input { variate, input_count };
  static constexpr auto response_names = std::array{"average"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{average(draws, [&] { return inputs(variate).template as<Form>(); })}};
  }
};

// Draws a variate of a standard form from a generator of Kokkos' pools.
template <class Generator>
KOKKOS_FORCEINLINE_FUNCTION double pool_variate(Generator& generator, StandardUniform) {
  return generator.drand();
}
template <class Generator>
KOKKOS_FORCEINLINE_FUNCTION double pool_variate(Generator& generator, StandardExponential) {
  return -::log(1.0 - generator.drand());  // drand can return 0
}
template <class Generator>
KOKKOS_FORCEINLINE_FUNCTION double pool_variate(Generator& generator, StandardNormal) {
  return generator.normal();
}

template <class Form, class Pool, class ExecutionSpace>
struct PoolAverage {
  Pool pool;
  std::int64_t draws;
  Outputs<ExecutionSpace> outputs;

  KOKKOS_FUNCTION void operator()(std::int64_t stream) const {
    auto generator = pool.get_state();
    outputs(stream, 0) = average(draws, [&] { return pool_variate(generator, Form()); });
    pool.free_state(generator);
  }
};

// Number of streams that keeps a device busy.
template <class ExecutionSpace>
std::int64_t busy_streams() {
  return (runs_on_host<ExecutionSpace> ? 16 : 1) * static_cast<std::int64_t>(ExecutionSpace().concurrency());
}

// Name of a form, and the exact moments of its variates.
struct FormFacts {
  const char* name;
  double mean, deviation;
};
FormFacts facts(StandardUniform) { return {"uniform", 0.5, std::sqrt(1.0 / 12)}; }
FormFacts facts(StandardExponential) { return {"exponential", 1, 1}; }
FormFacts facts(StandardNormal) { return {"normal", 0, 1}; }

template <class Form, class ExecutionSpace>
double time_inputs(const Streams<ExecutionSpace>& streams, Mapping mapping) {
  using Model = Average<Form>;
  return streams.time([&] {
    replicate_with<DefaultSource, Model>(streams.space, Design<Model, ExecutionSpace>(Model{streams.draws}, 1),
                                         PreparedSource<ExecutionSpace>(UniformSource()), {0, streams.count}, mapping,
                                         streams.outputs);
  });
}

template <class Form, class Pool, class ExecutionSpace>
double time_pool(const Streams<ExecutionSpace>& streams, const Pool& pool) {
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  return streams.time([&] {
    Kokkos::parallel_for("sporos::bench::pool", Policy(streams.space, 0, streams.count),
                         PoolAverage<Form, Pool, ExecutionSpace>{pool, streams.draws, streams.outputs});
  });
}

// Registers Sporos' inputs under the thread mapping against `peer`, which draws the requested number of variates.
template <class Form, class ExecutionSpace, class MakePeer>
void register_against(const std::string& peer, const Sizes& sizes, const MakePeer& make_peer) {
  const FormFacts form = facts(Form());
  const std::string backend(backend_name<ExecutionSpace>());
  register_comparison(
      std::string("random/") + form.name + "/" + backend + "/" + peer, benchmark::kMillisecond, [=](auto& state) {
        const Streams<ExecutionSpace> streams(busy_streams<ExecutionSpace>(), sizes.draws_of_a_thread);
        const std::vector<Contestant> contestants = {
            {"sporos", [&] { return time_inputs<Form>(streams, Mapping::thread); }}, {"peer", make_peer(streams)}};
        contestants[0].run();
        streams.check_mean("Sporos' inputs", form.mean, form.deviation);
        report_rates(state, Comparison(contestants, sizes.sweep_effort), contestants, "draws", streams.work());
      });
}

template <class Form, class Pool, class ExecutionSpace>
void register_against_pool(const std::string& name, const Sizes& sizes) {
  register_against<Form, ExecutionSpace>(name, sizes, [=](const Streams<ExecutionSpace>& streams) {
    const Pool pool(20240229);
    time_pool<Form>(streams, pool);
    streams.check_mean(name, facts(Form()).mean, facts(Form()).deviation);
    return [pool, &streams] { return time_pool<Form>(streams, pool); };
  });
}

template <class Form, class ExecutionSpace>
void register_against_pools(const Sizes& sizes) {
  register_against_pool<Form, Kokkos::Random_XorShift64_Pool<ExecutionSpace>, ExecutionSpace>("kokkos_xorshift64",
                                                                                              sizes);
  register_against_pool<Form, Kokkos::Random_XorShift1024_Pool<ExecutionSpace>, ExecutionSpace>("kokkos_xorshift1024",
                                                                                                sizes);
}

#ifdef KOKKOS_ENABLE_SERIAL
using hand_written::Variate;

template <class Form>
void register_against_boost(const std::string& name, const Sizes& sizes, Outcome (*draw)(Variate, std::int64_t),
                            Variate variate) {
  register_against<Form, Kokkos::Serial>(name, sizes, [=](const Streams<Kokkos::Serial>& streams) {
    const std::int64_t draws = streams.count * streams.draws;
    check(name, draw(variate, draws), facts(Form()).mean);
    return [=] { return draw(variate, draws).seconds; };
  });
}

// Boost's engines run on one core and are therefore compared with Serial.
void register_against_boost(const Sizes& sizes) {
  using hand_written::mt19937_64;
  using hand_written::taus88;
  register_against_boost<StandardUniform>("boost_taus88", sizes, taus88, Variate::uniform);
  register_against_boost<StandardUniform>("boost_mt19937_64", sizes, mt19937_64, Variate::uniform);
  register_against_boost<StandardExponential>("boost_taus88_log", sizes, taus88, Variate::exponential_by_log);
  register_against_boost<StandardExponential>("boost_taus88_ziggurat", sizes, taus88, Variate::exponential);
  register_against_boost<StandardNormal>("boost_taus88_ziggurat", sizes, taus88, Variate::normal);
  register_against_boost<StandardNormal>("boost_mt19937_64_ziggurat", sizes, mt19937_64, Variate::normal);
}
#else
void register_against_boost(const Sizes&) {}
#endif

}  // namespace

void register_random_numbers(const Sizes& sizes) {
  register_against_boost(sizes);
  for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace&) {
    register_against_pools<StandardUniform, ExecutionSpace>(sizes);
    register_against_pools<StandardExponential, ExecutionSpace>(sizes);
    register_against_pools<StandardNormal, ExecutionSpace>(sizes);
  });
}

}  // namespace sporos::bench
