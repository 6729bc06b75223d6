// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/sample_key.hpp>
#include <sporos/core/sampling/sobol.hpp>
#include <sporos/procedures/sensitivity/pick_freeze.hpp>

#include <string>

namespace sporos {

namespace {

// Seed of the base points. It equals the seed of a design point only by chance, with probability 2^−64.
std::uint64_t seed_of_bases(std::uint64_t seed) { return mix_bits(~seed); }

void add_random(const BasePlan& plan, std::size_t inputs, std::vector<double>& uniforms) {
  const std::uint64_t seed = seed_of_bases(plan.seed);
  for (std::uint64_t base = 0; base < 2 * static_cast<std::uint64_t>(plan.rows); ++base) {
    for (std::size_t input = 0; input < inputs; ++input) {
      uniforms.push_back(open_uniform(Philox4x32::block({seed, base, 0}, input)[0]));
    }
  }
}

// Each row is one point of 2 · inputs coordinates: A, then B.
void add_sobol(const BasePlan& plan, std::size_t inputs, std::vector<double>& uniforms) {
  const auto dimensions = static_cast<unsigned>(2 * inputs);
  const auto directions = sobol_directions(dimensions);
  std::vector<std::uint32_t> coordinates(dimensions);
  for (std::int64_t set = 0; set < plan.sets; ++set) {
    const std::uint64_t key = Philox4x32::block({seed_of_bases(plan.seed), static_cast<std::uint64_t>(set), 1}, 0)[0];
    for (std::int64_t point = 0; point < plan.rows / plan.sets; ++point) {
      sobol_coordinates(directions.data(), dimensions, static_cast<std::uint32_t>(point), dimensions,
                        coordinates.data());
      for (unsigned j = 0; j < dimensions; ++j) {
        uniforms.push_back((owen_scrambled(coordinates[j], ScramblingKey::of(impl::part_key(key, j))) + 0.5) * 0x1p-32);
      }
    }
  }
}

}  // namespace

void check_base_plan(const BasePlan& plan, std::size_t inputs) {
  constexpr std::int64_t max_rows = std::int64_t{1} << 31;
  impl::check_whole("number of uncertain inputs", static_cast<double>(inputs), 1,
                    static_cast<double>(max_sobol_dimensions / 2));
  impl::check_whole("base points", static_cast<double>(plan.rows), 2, static_cast<double>(max_rows));
  if (plan.sampling == BaseSampling::random) return;
  impl::check_whole("sets", static_cast<double>(plan.sets), 2, static_cast<double>(plan.rows));
  if (plan.rows % plan.sets != 0) {
    impl::refuse_parameter("base points", std::to_string(plan.rows),
                           "a multiple of " + std::to_string(plan.sets) + ", the number of sets of Sobol's points");
  }
}

std::vector<double> base_uniforms(const BasePlan& plan, std::size_t inputs) {
  check_base_plan(plan, inputs);
  std::vector<double> uniforms;
  uniforms.reserve(2 * static_cast<std::size_t>(plan.rows) * inputs);
  if (plan.sampling == BaseSampling::random) {
    add_random(plan, inputs, uniforms);
  } else {
    add_sobol(plan, inputs, uniforms);
  }
  return uniforms;
}

}  // namespace sporos
