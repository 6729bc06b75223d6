// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/execution/typed_choices.hpp>
#include <sporos/core/sampling/faure_table.hpp>
#include <sporos/core/sampling/halton_bases.hpp>
#include <sporos/core/sampling/lattice_generators.hpp>
#include <sporos/core/sampling/sobol_directions.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sporos {

/// How the uniforms of a model are generated.
///
/// Replications are grouped in runs. The replications of one run share a sample and therefore depend on each other;
/// different runs are independent.
enum class Sampling {
  random,       ///< independent uniforms
  antithetic,   ///< replications in pairs: the second takes 1 − u where the first takes u
  descriptive,  ///< each variable takes (i − ½)/n, i = 1 … n, in random order (Saliby 1990)
  /// Descriptive sampling in sub-runs of random prime sizes n (Tari and Dahmani 2006; Aloui and Ourbih-Tari (2011), The
  /// use of refined descriptive sampling and applications in parallel Monte Carlo simulation).
  refined_descriptive,
  latin_hypercube,          ///< each draw takes one number from each of n equal strata (McKay, Beckman, Conover 1979)
  latin_hypercube_centred,  ///< Latin hypercube with the midpoint of each stratum
  sobol,                    ///< Sobol's sequence with Joe and Kuo's direction numbers, Owen-scrambled
  halton,                   ///< Halton's sequence, digits scrambled linearly
  faure,                    ///< Faure's sequence, digits scrambled linearly
  lattice                   ///< rank-1 lattice sequence of Cools, Kuo and Nuyens (2006), shifted randomly
};

namespace impl {

// Functors that compute the uniform of a draw, one for each sampling method that uses no engine.
struct DescriptiveUniforms;
struct RefinedUniforms;
struct LatinUniforms;
struct SobolUniforms;
struct HaltonUniforms;
struct FaureUniforms;
struct LatticeUniforms;

struct EngineSampling {
  static constexpr bool takes_engine = true, is_point_set = false, goes_on = true, is_unbiased = true;
};

struct DescriptiveSampling {
  static constexpr bool takes_engine = false, is_point_set = false, goes_on = false, is_unbiased = false;
  using Uniforms = DescriptiveUniforms;
};

struct RefinedDescriptiveSampling {
  static constexpr bool takes_engine = false, is_point_set = false, goes_on = true, is_unbiased = false;
  using Uniforms = RefinedUniforms;
};

struct LatinHypercubeSampling {
  static constexpr bool takes_engine = false, is_point_set = true, goes_on = false, is_unbiased = true;
  using Uniforms = LatinUniforms;
};

struct CentredLatinHypercubeSampling : LatinHypercubeSampling {
  static constexpr bool is_unbiased = false;
};

struct SobolSampling {
  static constexpr bool takes_engine = false, is_point_set = true, goes_on = true, is_unbiased = true;
  static constexpr std::int64_t max_dimensions = max_sobol_dimensions;
  static std::vector<std::uint32_t> table(std::int64_t dimensions) { return sobol_directions(dimensions); }
  using Uniforms = SobolUniforms;
};

struct HaltonSampling {
  static constexpr bool takes_engine = false, is_point_set = true, goes_on = true, is_unbiased = true;
  static constexpr std::int64_t max_dimensions = max_halton_dimensions;
  static std::vector<std::uint32_t> table(std::int64_t dimensions) { return halton_bases(dimensions); }
  using Uniforms = HaltonUniforms;
};

struct FaureSampling {
  static constexpr bool takes_engine = false, is_point_set = true, goes_on = true, is_unbiased = true;
  static constexpr std::int64_t max_dimensions = max_faure_dimensions;
  static std::vector<std::uint32_t> table(std::int64_t dimensions) { return faure_table(dimensions); }
  using Uniforms = FaureUniforms;
};

struct LatticeSampling {
  static constexpr bool takes_engine = false, is_point_set = true, goes_on = true, is_unbiased = true;
  static constexpr std::int64_t max_dimensions = max_lattice_dimensions;
  static std::vector<std::uint32_t> table(std::int64_t dimensions) { return lattice_generators(dimensions); }
  using Uniforms = LatticeUniforms;
};

/// Every sampling method with its compile-time properties. takes_engine, is_point_set, goes_on and is_unbiased are
/// documented at the functions of these names below. Methods without an engine have `Uniforms`. Methods with limited
/// dimensions have max_dimensions and a `table` for kernels.
using Samplings = TypedChoices<
    TypedChoice<"random", Sampling::random, EngineSampling>,
    TypedChoice<"antithetic", Sampling::antithetic, EngineSampling>,
    TypedChoice<"descriptive", Sampling::descriptive, DescriptiveSampling>,
    TypedChoice<"refined-descriptive", Sampling::refined_descriptive, RefinedDescriptiveSampling>,
    TypedChoice<"latin-hypercube", Sampling::latin_hypercube, LatinHypercubeSampling>,
    TypedChoice<"latin-hypercube-centred", Sampling::latin_hypercube_centred, CentredLatinHypercubeSampling>,
    TypedChoice<"sobol", Sampling::sobol, SobolSampling>, TypedChoice<"halton", Sampling::halton, HaltonSampling>,
    TypedChoice<"faure", Sampling::faure, FaureSampling>, TypedChoice<"lattice", Sampling::lattice, LatticeSampling>>;

}  // namespace impl

/// Names of the sampling methods.
template <>
struct ChoiceNames<Sampling> {
  static constexpr std::string_view what = "sampling";    ///< name of the choice
  static constexpr auto values = impl::Samplings::names;  ///< name and value of each method
};

/// How refined descriptive sampling averages the sub-runs of a run.
enum class SubRunWeights {
  /// All sub-runs have equal weight, including the unfinished last one, as published (Aloui and Ourbih-Tari 2011,
  /// sections 3.2 and 6.1).
  equal,
  by_size  ///< weight proportional to the number of replications, so that all replications have equal weight
};

/// Names of the weights.
template <>
struct ChoiceNames<SubRunWeights> {
  static constexpr std::string_view what = "weights of sub-runs";  ///< name of the choice
  /// Name and value of each weighting.
  static constexpr auto values =
      std::to_array<NamedValue<SubRunWeights>>({{"equal", SubRunWeights::equal}, {"by-size", SubRunWeights::by_size}});
};

namespace impl {

struct IsPointSet {
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(std::type_identity<S>) const {
    return S::is_point_set;
  }
};

struct TakesEngine {
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(std::type_identity<S>) const {
    return S::takes_engine;
  }
};

}  // namespace impl

/// Whether a sampling method spreads points over the unit cube, with one coordinate for each draw of a replication and
/// one point for each replication of a run.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_point_set(Sampling sampling) {
  return impl::Samplings::visit_on_device(sampling, impl::IsPointSet());
}

/// Whether the uniforms come from an engine, as independent uniforms or their reflections. All other methods use
/// permutations and digits that are keyed by Philox.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool takes_engine(Sampling sampling) {
  return impl::Samplings::visit_on_device(sampling, impl::TakesEngine());
}

/// Whether the sample of a run can be extended, so that a longer run only adds replications. The samples of the other
/// methods depend on the run length.
bool goes_on(Sampling sampling);

/// Whether each replication of a model that states its draws has the same distribution as under independent uniforms,
/// so that averages are unbiased. The other methods take numbers from a fixed grid, or without replacement within a
/// replication.
bool is_unbiased(Sampling sampling);

/// Largest number of coordinates of a point.
std::int64_t max_dimensions(Sampling sampling);

namespace impl {

/// The table that kernels need for points of `dimensions` coordinates; empty if the method needs none.
std::vector<std::uint32_t> sampling_table(Sampling sampling, std::int64_t dimensions);

}  // namespace impl

/// Number of draws that a replication makes from one input variable, stated by models for which it is fixed: `count`
/// draws of each of `variables` random variables, which take turns (draw i belongs to variable i mod `variables`).
struct InputDraws {
  std::int64_t count = 0;      ///< draws of each variable in a replication; 0 if unknown
  std::int64_t variables = 1;  ///< variables that share the input

  /// Total number of draws from the input in a replication; 0 if unknown.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t total() const { return count * variables; }
};

}  // namespace sporos
