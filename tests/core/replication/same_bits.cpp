// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The promise: a replication's outputs have the same bits on every backend, under every mapping, with any number of
// threads (the test suite runs this program with several), for every division of the work, and at any optimization
// level (the test suite builds this program several times). All results are compared with one table of digests.
#include "known_digests.hpp"

#include <harness/backends.hpp>

#include <sporos/core/replication/experiment.hpp>
#include <sporos/models/integration/pi.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mmck.hpp>
#include <sporos/models/walks/random_walk.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace same_bits_tests {

using namespace sporos;
using test::known_digests;

constexpr std::int64_t replications = 200;

template <class Model>
struct NamedModel {
  std::string_view name;
  Model model;
};

const auto tested_models = std::tuple{
    NamedModel<models::Pi>{"pi", {300}}, NamedModel<models::MM1>{"mm1 customers", {0.5, 1.0, 100, 0.0}},
    NamedModel<models::MM1>{"mm1 horizon", {0.5, 1.0, 0, 100.0}},
    NamedModel<models::MMCK>{"mmck", {4.0, 1.0, 3, 5, 100}}, NamedModel<models::RandomWalk>{"random walk", {300, 3}}};

template <class Visit>
void for_each_model(const Visit& visit) {
  std::apply([&](const auto&... named) { (visit(named.name, named.model), ...); }, tested_models);
}

std::uint64_t known_digest(std::string_view model, const UniformSource& source) {
  for (const auto& known : known_digests) {
    if (known.model == model && known.engine == source.engine && known.sampling == source.sampling &&
        known.run_length == source.run_length) {
      return known.digest;
    }
  }
  ADD_FAILURE() << "no known digest of " << model << ", " << name_of(source.engine) << ", " << name_of(source.sampling)
                << ", run length " << source.run_length;
  return 0;
}

bool can_serve(const UniformSource& source, std::span<const InputDraws> draws) {
  try {
    check_source(source, draws);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

// All engines of `Space` and samplings, in runs of one replication and of several, that can serve the model.
template <class Space, class Model>
std::vector<UniformSource> sources_of(const Model& model) {
  std::vector<UniformSource> sources;
  for (const auto& sampling : ChoiceNames<Sampling>::values) {
    for (const auto& engine : ChoiceNames<Engine>::values) {
      if (!runs_on_host<Space> && runs_on_hosts_only(engine.value)) continue;
      for (const std::int64_t run_length : {0, 20}) {
        UniformSource source{engine.value, sampling.value, run_length};
        if (takes_engine(sampling.value) && run_length > 0) continue;  // changes no output
        if (sampling.value == Sampling::descriptive && run_length == 0) source.sample_size = 37;
        if (run_length > 0) source.primes = {3, 13};
        const auto draws = impl::draws_of(model);
        if (can_serve(source, std::span(draws.data(), draws.size()))) sources.push_back(source);
      }
    }
  }
  return sources;
}

template <class Space, class Model>
std::uint64_t digest(const Model& model, const UniformSource& source, Mapping mapping) {
  Plan plan;
  plan.replications = replications;
  plan.source = source;
  plan.mapping = mapping;
  return simulate(Space(), model, plan).digest;
}

// Launches a piece of the replications in the way that users do.
template <class Source, class Space>
struct UnderMapping {
  Mapping mapping;

  template <class Model>
  void operator()(const Design<Model, Space>& design, const PreparedSource<Space>& source,
                  const ReplicationRange& range, const Outputs<Space>& outputs) const {
    replicate_with<Source, Model>(Space(), design, source, range, mapping, outputs);
  }
};

// Runs the replications in pieces of `piece`, and summarizes them in batches of `batch`.
template <class Space, class Model, class Launch>
std::uint64_t digest_in_pieces(const Model& model, const UniformSource& source, const Launch& launch,
                               std::int64_t piece = replications, std::int64_t batch = replications) {
  const Design<Model, Space> design(model, 1);
  const std::vector<std::string> names(Model::response_names.begin(), Model::response_names.end());
  const PreparedSource<Space> prepared = prepared_source<Space>(source, std::span(&model, 1));
  const std::uint64_t seed = 1;
  ReplicationSummary summary(response_count<Model>);
  LaunchSummary<Space> launched;
  for (std::int64_t first = 0; first < replications; first += piece) {
    const ReplicationRange range{first, std::min(piece, replications - first)};
    const Outputs<Space> outputs("outputs", range.count, response_count<Model>);
    launch(design, prepared, range, outputs);
    launched.summarize(Space(), outputs, range, batch, source, std::span(&seed, 1));
    for (std::int64_t begin = 0; begin < range.count; begin += batch) {
      launched.add_to(summary, 0, begin, std::min(begin + batch, range.count), names);
    }
  }
  return summary.digest;
}

// The table has a digest for each source, so that no engine, sampling or model has been lost.
TEST(KnownDigests, AreAsManyAsThereAreSources) {
  std::size_t sources = 0;
  for_each_model([&](std::string_view, const auto& model) {
    sources += sources_of<Kokkos::DefaultHostExecutionSpace>(model).size();
  });
  EXPECT_EQ(sources, known_digests.size());
}

template <class Space>
class SameBits : public ::testing::Test {};
TYPED_TEST_SUITE(SameBits, test::Backends, test::BackendName);

TYPED_TEST(SameBits, EveryModelEngineSamplingAndMapping) {
  for_each_model([](std::string_view name, const auto& model) {
    for (const auto& source : sources_of<TypeParam>(model)) {
      for (const auto mapping : {Mapping::thread, Mapping::warp, Mapping::automatic}) {
        EXPECT_EQ(digest<TypeParam>(model, source, mapping), known_digest(name, source))
            << name << ", " << name_of(source.engine) << ", " << name_of(source.sampling) << ", run length "
            << source.run_length << ", " << name_of(mapping);
      }
    }
  });
}

TYPED_TEST(SameBits, HoweverTheWorkIsCut) {
  const auto& [name, model] = std::get<0>(tested_models);
  for (const auto& source : sources_of<TypeParam>(model)) {
    if (source.engine != Engine::philox4x32) continue;  // engines do not depend on pieces
    for (const std::int64_t piece : {2, 20, 50, 64, 120, 128, 198, 200}) {
      for (const std::int64_t batch : {2, 10, 20, 64, 128}) {
        const std::int64_t run = source.replications_of_run();
        if (piece % run != 0 || batch % run != 0) continue;
        const auto digest = digest_in_pieces<TypeParam>(
            model, source, UnderMapping<ChosenSource, TypeParam>{Mapping::thread}, piece, batch);
        EXPECT_EQ(digest, known_digest(name, source)) << "pieces of " << piece << ", batches of " << batch;
      }
    }
  }
}

// The default path and the path for choices at run time are two implementations of the same function.
TYPED_TEST(SameBits, TheDefaultPathEqualsTheChosenOne) {
  for_each_model([](std::string_view name, const auto& model) {
    for (const auto mapping : {Mapping::thread, Mapping::warp}) {
      const UnderMapping<DefaultSource, TypeParam> by_default{mapping};
      const UnderMapping<ChosenSource, TypeParam> chosen{mapping};
      EXPECT_EQ(digest_in_pieces<TypeParam>(model, {}, by_default), known_digest(name, {}));
      EXPECT_EQ(digest_in_pieces<TypeParam>(model, {}, chosen), known_digest(name, {}));
    }
  });
}

// Checks that hosts, too, have kernels for warps. Without them, the tests above would run the kernel for threads twice.
TYPED_TEST(SameBits, EveryBackendHasAKernelForWarps) {
  for_each_model([](std::string_view name, const auto& model) {
    using Model = std::remove_cvref_t<decltype(model)>;
    static_assert(impl::has_warps<DefaultSource, Model, TypeParam>() &&
                  impl::has_warps<ChosenSource, Model, TypeParam>());
    Plan plan;
    plan.replications = replications;
    plan.mapping = Mapping::warp;
    EXPECT_EQ(simulate(TypeParam(), std::span(&model, 1), plan).mapping, Mapping::warp) << name;
  });
}

// Philox with one flipped bit in a single draw of a single replication, so that its uniform is off by 2^-20.
struct BrokenPhilox {
  static constexpr int draws_per_block = 2;
  KOKKOS_FUNCTION static Kokkos::Array<std::uint64_t, 2> block(const Stream& stream, std::uint64_t b) {
    auto draws = Philox4x32::block(stream, b);
    if (stream.replication == 123 && stream.input == 1 && b == 7) draws[1] ^= std::uint64_t{1} << 44;
    return draws;
  }
};

TYPED_TEST(SameBits, ControlOneBrokenDrawChangesTheDigest) {
  const auto& [name, model] = std::get<3>(tested_models);
  for (const auto mapping : {Mapping::thread, Mapping::warp}) {
    const UnderMapping<EngineSource<BrokenPhilox>, TypeParam> broken{mapping};
    EXPECT_NE(digest_in_pieces<TypeParam>(model, {}, broken), known_digest(name, {}));
  }
}

std::string enumerator(std::string_view name) {
  if (name == "philox") return "philox4x32";
  std::string text(name);
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

// Prints the table for known_digests.hpp and checks nothing. Run it with --gtest_also_run_disabled_tests.
TEST(KnownDigests, DISABLED_Print) {
  for_each_model([](std::string_view name, const auto& model) {
    for (const auto& source : sources_of<Kokkos::DefaultHostExecutionSpace>(model)) {
      std::printf("    {\"%s\", Engine::%s, Sampling::%s, %d, 0x%016" PRIx64 "},\n", name.data(),
                  enumerator(name_of(source.engine)).c_str(), enumerator(name_of(source.sampling)).c_str(),
                  static_cast<int>(source.run_length),
                  digest<Kokkos::DefaultHostExecutionSpace>(model, source, Mapping::thread));
    }
  });
}

}  // namespace same_bits_tests
