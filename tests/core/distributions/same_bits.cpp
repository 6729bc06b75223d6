// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variates of a grid of uniforms, computed in a kernel, have known bits on every backend. A pending draw gives the
// same bits as its uniform and is drawn once.
#include "uniforms.hpp"
#include "variates.hpp"

#include "harness/backends.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::test {
namespace same_bits_tests {

/// A pending draw, as a model's inputs return it, which counts how often it is drawn.
struct PendingUniform {
  double u;
  int* draws;
  template <class Form>
  KOKKOS_FUNCTION double as() && {
    ++*draws;
    return Form::from_uniform(u);
  }
};
static_assert(PendingDraw<PendingUniform>);

template <class MemorySpace>
Kokkos::View<double*, MemorySpace> to_space(const std::vector<double>& numbers) {
  Kokkos::View<double*, MemorySpace> view("uniforms", numbers.size());
  const auto host = Kokkos::create_mirror_view(view);
  std::copy(numbers.begin(), numbers.end(), host.data());
  Kokkos::deep_copy(view, host);
  return view;
}

template <class Space, class Variate>
std::vector<double> variates_in_kernel(const Variate& variate, const std::vector<double>& u) {
  using MemorySpace = typename Space::memory_space;
  const auto uniforms_there = to_space<MemorySpace>(u);
  const Kokkos::View<double*, MemorySpace> variates_there("variates", u.size());
  Kokkos::parallel_for(
      "sporos::test::variates", Kokkos::RangePolicy<Space>(0, u.size()),
      KOKKOS_LAMBDA(const std::size_t i) { variates_there(i) = variate(uniforms_there(i)); });
  const auto variates_here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), variates_there);
  return {variates_here.data(), variates_here.data() + u.size()};
}

/// FNV-1a hash over the bytes of all numbers, the lowest byte of each number first.
std::uint64_t digest(const std::vector<double>& numbers) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const double x : numbers) {
    for (int shift = 0; shift < 64; shift += 8) {
      hash = (hash ^ (std::bit_cast<std::uint64_t>(x) >> shift & 0xff)) * 0x100000001b3;
    }
  }
  return hash;
}

std::string hex(std::uint64_t number) {
  std::array<char, 16> text;
  return "0x" + std::string(text.data(), std::to_chars(text.begin(), text.end(), number, 16).ptr);
}

/// If the arithmetic was changed on purpose, take the new digest from the message of the failure.
template <class Space, class Variate>
void expect_digest(const char* name, const Variate& variate, std::uint64_t expected) {
  EXPECT_EQ(hex(digest(variates_in_kernel<Space>(variate, uniforms(2000)))), hex(expected))
      << name << " on " << Space::name();
}

template <class Variate>
void expect_one_draw(const Variate& variate) {
  int draws = 0;
  for (const double u : {0x1p-53, 0.3, 0.97, 1.0 - 0x1p-53}) {
    const double pending = variate(PendingUniform{u, &draws});
    EXPECT_EQ(std::bit_cast<std::uint64_t>(pending), std::bit_cast<std::uint64_t>(variate(u)));
  }
  EXPECT_EQ(draws, 4);
}

struct Tables {
  std::vector<double> values{0.0, 1.5, 2.0, 7.0, 11.0}, probabilities{0.1, 0.4, 0.0, 0.3, 0.2};
};

template <class Space>
class SameBits : public ::testing::Test {};
TYPED_TEST_SUITE(SameBits, Backends, BackendName);

TYPED_TEST(SameBits, Continuous) {
  expect_digest<TypeParam>("uniform", Uniform{-1.0, 3.0}, 0xcb7d2e5b5a54c59d);
  expect_digest<TypeParam>("exponential", Exponential{3.0}, 0xfb4e7b1e563e9e5d);
  expect_digest<TypeParam>("exponential_by_mean", ExponentialByMean{3.0}, 0x16c1cf230158640c);
  expect_digest<TypeParam>("normal", Normal{1.0, 3.0}, 0x484924bf7343032e);
  expect_digest<TypeParam>("lognormal", Lognormal{0.3, 0.8}, 0x6375185b49ac234a);
  expect_digest<TypeParam>("triangular", Triangular{1.0, 2.0, 4.5}, 0x18309af0515d0faa);
  expect_digest<TypeParam>("weibull", Weibull{1.7, 3.0}, 0xd7bf29e9612a1110);
}

TYPED_TEST(SameBits, Gamma) {
  expect_digest<TypeParam>("gamma of shape 0.05", Gamma{0.05, 2.0}, 0x2ba862535b12ad03);
  expect_digest<TypeParam>("gamma of shape 0.6", Gamma{0.6, 2.0}, 0xeae78ac6d2f8e39f);
  expect_digest<TypeParam>("gamma of shape 3.3", GammaByRate{3.3, 2.0}, 0xdcac809c88ad9051);
  expect_digest<TypeParam>("gamma of shape 77.7", Gamma{77.7, 2.0}, 0x6f477578414fe656);
  expect_digest<TypeParam>("erlang", Erlang{5, 2.0}, 0x03714471b20aaa28);
}

TYPED_TEST(SameBits, Counts) {
  expect_digest<TypeParam>("uniform_integer", UniformInteger{1, 6}, 0xb48fc30820cd3e79);
  expect_digest<TypeParam>("geometric", Geometric{0.03}, 0x70bf7813328c373e);
  expect_digest<TypeParam>("poisson of mean 5", Poisson{5.0}, 0xcf5fc0fe86cfb843);
  expect_digest<TypeParam>("poisson of mean 5000", Poisson{5000.0}, 0x21361d7b1bd448e1);
}

TYPED_TEST(SameBits, BetaAndStudent) {
  expect_digest<TypeParam>("beta of shapes below 1", Beta{0.3, 0.6}, 0xcd1412b9cbf7fcc2);
  expect_digest<TypeParam>("beta", Beta{2.0, 3.5}, 0xa3fdc8e0d3245787);
  expect_digest<TypeParam>("beta of large shapes", Beta{40.0, 700.0}, 0x47fc3227835cbff2);
  expect_digest<TypeParam>("student", Student{3.5, 1.0, 2.0}, 0x0a1a80caa3fe3aee);
}

TYPED_TEST(SameBits, Closed) {
  expect_digest<TypeParam>("pareto", Pareto{2.5, 3.0}, 0x140d2655651ede29);
  expect_digest<TypeParam>("log_logistic", LogLogistic{2.5, 3.0}, 0xefbb0a077c7308cf);
  expect_digest<TypeParam>("burr", Burr{2.5, 1.5, 3.0}, 0x17d981623dac213a);
  expect_digest<TypeParam>("johnson_su", JohnsonSu{1.0, 2.0, -1.0, 0.5}, 0x17dd16fb5dd1b856);
  expect_digest<TypeParam>("johnson_sb", JohnsonSb{1.0, 2.0, -1.0, 0.5}, 0xe659b820304b688e);
  expect_digest<TypeParam>("truncated_normal", TruncatedNormal{1.0, 2.0, 0.0, 5.0}, 0x506a7243d6c93442);
  expect_digest<TypeParam>("truncated_normal above its mean", TruncatedNormal{0.0, 1.0, 8.0, 9.0}, 0xe35deb802065174c);
}

TYPED_TEST(SameBits, Trials) {
  expect_digest<TypeParam>("binomial of 20", Binomial{20, 0.3}, 0xb88dd5358ba575a6);
  expect_digest<TypeParam>("binomial of 5000", Binomial{5000, 0.3}, 0xb889c6296ed2e93d);
  expect_digest<TypeParam>("negative_binomial", NegativeBinomial{0.7, 0.01}, 0xb697a63f0fe20462);
  expect_digest<TypeParam>("hypergeometric", Hypergeometric{5000, 2000, 300}, 0xd80acb5242e804a8);
}

TYPED_TEST(SameBits, Tables) {
  const Tables tables;
  const DiscreteTable<typename TypeParam::memory_space> table(tables.values, tables.probabilities);
  const EmpiricalTable<typename TypeParam::memory_space> observed(tables.values);
  expect_digest<TypeParam>("discrete", Discrete{table.handle()}, 0x3f619264aef6a19f);
  expect_digest<TypeParam>("empirical", Empirical{observed.handle()}, 0xeb9cf36bdc66539c);
  expect_digest<TypeParam>("empirical_step", EmpiricalStep{observed.handle()}, 0x285d4ab7b73d442a);
}

TEST(Draws, EachVariateTakesOne) {
  const Tables tables;
  const DiscreteTable<Kokkos::HostSpace> table(tables.values, tables.probabilities);
  const EmpiricalTable<Kokkos::HostSpace> observed(tables.values);
  expect_one_draw(Uniform{-1.0, 3.0});
  expect_one_draw(Exponential{3.0});
  expect_one_draw(ExponentialByMean{3.0});
  expect_one_draw(Normal{1.0, 3.0});
  expect_one_draw(Lognormal{0.3, 0.8});
  expect_one_draw(Triangular{1.0, 2.0, 4.5});
  expect_one_draw(Weibull{1.7, 3.0});
  expect_one_draw(Gamma{0.6, 2.0});
  expect_one_draw(GammaByRate{3.3, 2.0});
  expect_one_draw(Erlang{5, 2.0});
  expect_one_draw(UniformInteger{1, 6});
  expect_one_draw(Geometric{0.03});
  expect_one_draw(Poisson{5.0});
  expect_one_draw(Poisson{5000.0});
  expect_one_draw(Beta{2.0, 3.5});
  expect_one_draw(Student{3.5, 1.0, 2.0});
  expect_one_draw(Pareto{2.5, 3.0});
  expect_one_draw(LogLogistic{2.5, 3.0});
  expect_one_draw(Burr{2.5, 1.5, 3.0});
  expect_one_draw(JohnsonSu{1.0, 2.0, -1.0, 0.5});
  expect_one_draw(JohnsonSb{1.0, 2.0, -1.0, 0.5});
  expect_one_draw(TruncatedNormal{1.0, 2.0, 0.0, 5.0});
  expect_one_draw(Binomial{20, 0.3});
  expect_one_draw(NegativeBinomial{0.7, 0.01});
  expect_one_draw(Hypergeometric{5000, 2000, 300});
  expect_one_draw(Discrete{table.handle()});
  expect_one_draw(Empirical{observed.handle()});
  expect_one_draw(EmpiricalStep{observed.handle()});
}

}  // namespace same_bits_tests
}  // namespace sporos::test
