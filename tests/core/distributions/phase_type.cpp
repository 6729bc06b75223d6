// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks phase-type variates against closed forms: quantiles of Erlang and hyperexponential chains, and the sum of
// exponentials that a Coxian chain with distinct rates gives. Moments of chains are checked against those of their
// parts.
#include "uniforms.hpp"
#include "variates.hpp"

#include <sporos/core/distributions/phase_type.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace sporos::test {
namespace phase_type_tests {

using Table = PhaseTypeTable<Kokkos::HostSpace>;

template <class Expected>
double worst_error(const PhaseType& chain, const Expected& expected) {
  const Table table(chain);
  double worst = 0;
  for (const double u : uniforms(40)) {
    const double x = phase_type(u, table.handle()), exact = expected(u);
    worst = std::max(worst, std::abs(x - exact) / exact);
  }
  return worst;
}

TEST(PhaseTypes, ErlangChainsHaveErlangQuantiles) {
  for (const std::int64_t count : {1, 2, 5, 40}) {
    const auto expected = [&](double u) { return erlang(u, count, 3.0); };
    EXPECT_LT(worst_error(erlang_phases(count, 3.0), expected), 1e-12) << count;
    EXPECT_GT(worst_error(erlang_phases(count, 3.0 + 1e-9), expected), 1e-11) << count;
  }
}

TEST(PhaseTypes, HyperexponentialChainsHaveHyperexponentialQuantiles) {
  const auto expected = [](double u) { return hyperexponential(u, 0.3, 0.2, 5.0); };
  EXPECT_LT(worst_error(hyperexponential_phases(std::vector{0.3, 0.7}, std::vector{0.2, 5.0}), expected), 1e-12);
  EXPECT_GT(worst_error(hyperexponential_phases(std::vector{0.3, 0.7}, std::vector{0.2 + 1e-9, 5.0}), expected), 1e-11);
}

// P(X > x) = 0.4 e^(−ax) + 0.6 (b e^(−ax) − a e^(−bx)) / (b − a)
TEST(PhaseTypes, CoxianChainsHaveSumsOfExponentials) {
  const double a = 2, b = 3;
  const Table table(coxian_phases(std::vector{a, b}, std::vector{0.6}));
  for (const double u : uniforms(40)) {
    const double x = phase_type(u, table.handle());
    const double of_a = std::expm1(-a * x), of_b = std::expm1(-b * x);
    const double below = -0.4 * of_a - 0.6 * (b * of_a - a * of_b) / (b - a);
    EXPECT_NEAR(below, u, 1e-14) << u;
    EXPECT_NEAR(phase_type_cdf(x, table.handle()), u, 1e-14) << u;
  }
  EXPECT_EQ(phase_type_cdf(-1, table.handle()), 0);
}

TEST(PhaseTypes, GrowWithTheUniform) {
  SquareMatrix generator(3);
  const double rows[3][3] = {{-3, 1, 0.5}, {2, -4, 1}, {0, 10, -30}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) generator(i, j) = rows[i][j];
  }
  const PhaseType chain{{0.2, 0.3, 0.5}, generator};
  const Table table(chain);
  double before = 0, sum = 0, squares = 0;
  constexpr int n = 8000;
  for (int i = 0; i < n; ++i) {
    const double x = phase_type((i + 0.5) / n, table.handle());
    EXPECT_GE(x, before * (1 - 1e-13));
    before = x;
    sum += x / n;
    squares += x * x / n;
  }
  EXPECT_NEAR(sum, chain.mean(), 3e-4 * chain.mean());
  EXPECT_NEAR(squares, chain.second_moment(), 5e-3 * chain.second_moment());
}

TEST(PhaseTypes, KnowTheirMoments) {
  EXPECT_NEAR(erlang_phases(4, 2).mean(), 2, 1e-14);
  EXPECT_NEAR(erlang_phases(4, 2).second_moment(), 5, 1e-14);
  const PhaseType mixed = hyperexponential_phases(std::vector{0.25, 0.75}, std::vector{0.5, 4.0});
  EXPECT_NEAR(mixed.mean(), 0.6875, 1e-15);
  EXPECT_NEAR(mixed.second_moment(), 2 * (0.25 * 4 + 0.75 / 16), 1e-14);
  EXPECT_NEAR(coxian_phases(std::vector{2.0, 4.0}, std::vector{0.5}).mean(), 0.5 + 0.5 * 0.25, 1e-15);
}

TEST(Hyperexponential, InvertsItsDistributionFunction) {
  for (const auto& [p, rate, other] :
       {std::array{0.3, 0.2, 5.0}, {0.999, 1e3, 1e-3}, {0.0, 1.0, 2.0}, {1.0, 1.0, 2.0}}) {
    double before = 0;
    for (const double u : uniforms(200)) {
      const double x = hyperexponential(u, p, rate, other);
      const auto at = sporos::impl::hyperexponential_tails(x, p, rate, other);
      EXPECT_NEAR(u < 0.5 ? at.lower / u : at.upper / (1 - u), 1, 2e-14) << p << " at " << u;
      EXPECT_GE(x, before * (1 - 1e-14));
      before = x;
    }
  }
  EXPECT_EQ(hyperexponential_cdf(0, 0.5, 1, 2), 0);
}

TEST(Hyperexponential, HasDerivativesOfItsQuantile) {
  using D = Dual<3>;
  const double h = 1e-5;
  for (const double u : {1e-6, 0.03, 0.4, 0.77, 0.999}) {
    const D x = hyperexponential(u, D(0.3, {1, 0, 0}), D(0.2, {0, 1, 0}), D(5.0, {0, 0, 1}));
    EXPECT_EQ(x.value, hyperexponential(u, 0.3, 0.2, 5.0));
    const double by_p = (hyperexponential(u, 0.3 + h, 0.2, 5.0) - hyperexponential(u, 0.3 - h, 0.2, 5.0)) / (2 * h);
    const double by_rate = (hyperexponential(u, 0.3, 0.2 + h, 5.0) - hyperexponential(u, 0.3, 0.2 - h, 5.0)) / (2 * h);
    const double by_other = (hyperexponential(u, 0.3, 0.2, 5 + h) - hyperexponential(u, 0.3, 0.2, 5 - h)) / (2 * h);
    EXPECT_NEAR(x.slope[0], by_p, 1e-6 * std::abs(by_p));
    EXPECT_NEAR(x.slope[1], by_rate, 1e-6 * std::abs(by_rate));
    EXPECT_NEAR(x.slope[2], by_other, 1e-6 * std::abs(by_other) + 1e-11);
  }
}

std::string refusal(const PhaseType& chain) {
  try {
    Table{chain};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

PhaseType chain_of(double a, double b, double c, double d) {
  PhaseType chain{{0.5, 0.5}, SquareMatrix(2)};
  chain.generator(0, 0) = a;
  chain.generator(0, 1) = b;
  chain.generator(1, 0) = c;
  chain.generator(1, 1) = d;
  return chain;
}

TEST(PhaseTypes, RefuseWhatIsNoChain) {
  EXPECT_EQ(refusal({{}, SquareMatrix(0)}), "number of phases is 0, expected at least 1");
  EXPECT_EQ(refusal({{1.0}, SquareMatrix(2)}), "number of rows of the generator is 2, expected one for each phase, 1");
  EXPECT_EQ(refusal({{0.5, 0.4}, chain_of(-1, 0, 0, -1).generator}).substr(0, 24), "sum of initial is 0.9, e");
  EXPECT_EQ(refusal(chain_of(1, 0, 0, -1)), "generator[0][0] is 1, expected a negative finite number");
  EXPECT_EQ(refusal(chain_of(-1, -1, 0, -1)), "generator[0][1] is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal(chain_of(-1, 2, 0, -1)), "sum of row 0 of the generator is 1, expected at most 0");
  EXPECT_EQ(refusal(chain_of(-1, 1, 1, -1)),
            "rate from phase 1 to absorption is 0, expected a positive number: absorption must be reachable from every "
            "phase");
  EXPECT_EQ(refusal(chain_of(-1e9, 0, 0, -1)),
            "number of events at the largest rate until absorption is more than 10000000, expected at most that many");
}

}  // namespace phase_type_tests
}  // namespace sporos::test
