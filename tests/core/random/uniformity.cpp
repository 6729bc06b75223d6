// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the distribution of each engine's uniforms, within a stream and across streams. Each check rejects a good
// engine with probability 10^-4 for a random seed. There are about a hundred checks, so one of them does so with
// probability 1 % (seeds are fixed). Each check has a control that it must reject: an engine with the fault in
// question, or the rand() of Aloui and Ourbih-Tari (2011), The use of refined descriptive sampling and applications in
// parallel Monte Carlo simulation.
#include "chi_square.hpp"
#include "host_engine_cases.hpp"

#include <harness/backends.hpp>

#include <sporos/core/random/uniform.hpp>

#include <gtest/gtest.h>

#include <boost/math/constants/constants.hpp>
#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace uniformity_tests {

using namespace sporos;
using test::chi_square_p;
using test::PaperRand;
using test::two_sided;

constexpr double error_probability = 1e-4;
constexpr std::uint64_t seed = 2024;

using Uniforms = std::vector<double>;

double normal_p(double z) { return 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), std::abs(z))); }

// Uniforms from one stream or from many.

template <class E>
Uniforms of_one_stream(const Stream& stream, std::size_t n) {
  E engine = E::of_stream(stream);
  Uniforms u(n);
  for (double& value : u) value = open_uniform(engine.next_draw());
  return u;
}

template <class E>
Uniforms within_a_stream() {
  return of_one_stream<E>({seed, 5, 0}, 100000);
}

// The first two draws of five inputs in replications 0, 1, 2, …, as a model with few draws uses them.
template <class E>
Uniforms across_streams() {
  Uniforms u;
  for (std::uint64_t replication = 0; replication < 10000; ++replication) {
    for (std::uint32_t input = 0; input < 5; ++input) {
      for (const double value : of_one_stream<E>({seed, replication, input}, 2)) u.push_back(value);
    }
  }
  return u;
}

// Checks of a sequence of uniforms, which return p-values.

// Uniforms fall evenly into 1000 cells.
double cells_p(const Uniforms& u) {
  std::vector<std::int64_t> counts(1000);
  for (const double value : u) ++counts[static_cast<std::size_t>(1000 * value)];
  return chi_square_p(counts);
}

// Pairs of neighbours, u(0) and u(1), u(2) and u(3), …, fall evenly into 32 x 32 cells.
double pairs_p(const Uniforms& u) {
  std::vector<std::int64_t> counts(1024);
  for (std::size_t i = 0; i + 1 < u.size(); i += 2) {
    ++counts[32 * static_cast<std::size_t>(32 * u[i]) + static_cast<std::size_t>(32 * u[i + 1])];
  }
  return chi_square_p(counts);
}

// Kolmogorov's distribution function, from one series for small x and one for large x. Each converges quickly there.
double kolmogorov_cdf(double x) {
  const double pi = boost::math::constants::pi<double>();
  double sum = 0;
  if (x < 1) {
    for (int k = 1; k < 20; k += 2) sum += std::exp(-k * k * pi * pi / (8 * x * x));
    return std::sqrt(2 * pi) / x * sum;
  }
  for (int k = 1; k < 20; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2 * k * k * x * x);
  return 1 - sum;
}

// p-value of the Kolmogorov-Smirnov distance, scaled for a finite n as in Stephens (JRSS B 32, 1970).
double kolmogorov_smirnov_p(Uniforms u) {
  std::sort(u.begin(), u.end());
  const auto n = static_cast<double>(u.size());
  double distance = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    distance = std::max({distance, u[i] - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - u[i]});
  }
  const double below = kolmogorov_cdf(distance * (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)));
  return two_sided(below, 1 - below);
}

// Correlation of u(i + shift) and v(i) over all i that both have, in standard deviations.
double correlation(const Uniforms& u, const Uniforms& v, std::size_t shift) {
  const std::size_t n = std::min(u.size() - shift, v.size());
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += 12 * (u[i + shift] - 0.5) * (v[i] - 0.5);
  return sum / std::sqrt(static_cast<double>(n));
}

// Smallest p-value of several correlations, with Bonferroni's correction.
class Correlations {
 public:
  void add(double z) {
    m_min = std::min(m_min, normal_p(z));
    ++m_count;
  }
  double p() const { return std::min(1.0, m_count * m_min); }

 private:
  double m_min = 1;
  int m_count = 0;
};

// Serial correlation at lags 1 to 8 and at powers of two, which reveal congruential generators.
double serial_correlation_p(const Uniforms& u) {
  Correlations correlations;
  for (std::size_t lag = 1; lag <= 8; ++lag) correlations.add(correlation(u, u, lag));
  for (std::size_t lag = 16; lag <= 16384; lag *= 2) correlations.add(correlation(u, u, lag));
  return correlations.p();
}

// Correlates neighbouring streams, which are those of consecutive replications or inputs, at shifts 0 to 7.
template <class E>
void add_neighbouring_streams(Correlations& correlations) {
  const auto stream = [](std::uint64_t replication, std::uint32_t input) {
    return of_one_stream<E>({seed, replication, input}, 4000);
  };
  for (std::uint64_t replication = 0; replication < 8; ++replication) {
    const Uniforms one = stream(replication, 0), next = stream(replication + 1, 0), other = stream(replication, 1);
    for (std::size_t shift = 0; shift < 8; ++shift) {
      correlations.add(correlation(one, next, shift));
      correlations.add(correlation(next, one, shift));
      correlations.add(correlation(one, other, shift));
      correlations.add(correlation(other, one, shift));
    }
  }
}

// Correlates the same draw of all replications, or of all inputs, as a sequence with itself, at lags 1 to 8.
template <class E>
void add_neighbouring_draws(Correlations& correlations) {
  constexpr std::size_t n = 4000;
  for (std::size_t draw = 0; draw < 4; ++draw) {
    Uniforms over_replications, over_inputs;
    for (std::uint32_t i = 0; i < n; ++i) {
      over_replications.push_back(of_one_stream<E>({seed, i, 0}, draw + 1).back());
      over_inputs.push_back(of_one_stream<E>({seed, 0, i}, draw + 1).back());
    }
    for (std::size_t lag = 1; lag <= 8; ++lag) {
      correlations.add(correlation(over_replications, over_replications, lag));
      correlations.add(correlation(over_inputs, over_inputs, lag));
    }
  }
}

template <class E>
double neighbours_p() {
  Correlations correlations;
  add_neighbouring_streams<E>(correlations);
  add_neighbouring_draws<E>(correlations);
  return correlations.p();
}

template <class Case>
class Uniformity : public ::testing::Test {
 protected:
  using E = typename Case::Class;
};

struct CaseName {
  template <class Case>
  static std::string GetName(int) {
    std::string name(name_of(Case::engine));
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
};

using Cases = test::TypesOf<test::HostEngineCases>::type;
TYPED_TEST_SUITE(Uniformity, Cases, CaseName);

void expect_uniform(const Uniforms& u) {
  EXPECT_GT(kolmogorov_smirnov_p(u), error_probability);
  EXPECT_GT(cells_p(u), error_probability);
  EXPECT_GT(pairs_p(u), error_probability);
  EXPECT_GT(serial_correlation_p(u), error_probability);
}

TYPED_TEST(Uniformity, WithinAStream) { expect_uniform(within_a_stream<typename TestFixture::E>()); }
TYPED_TEST(Uniformity, AcrossStreams) { expect_uniform(across_streams<typename TestFixture::E>()); }
TYPED_TEST(Uniformity, NeighboursDoNotCorrelate) {
  EXPECT_GT(neighbours_p<typename TestFixture::E>(), error_probability);
}

void expect_rejected(const Uniforms& u) {
  EXPECT_LT(kolmogorov_smirnov_p(u), error_probability);
  EXPECT_LT(cells_p(u), error_probability);
  EXPECT_LT(pairs_p(u), error_probability);
  EXPECT_LT(serial_correlation_p(u), error_probability);
}

// Negative controls: each check rejects the fault that it looks for.

TEST(UniformityControl, ThePapersRandIsRejectedByEveryCheck) {
  expect_rejected(within_a_stream<PaperRand>());
  expect_rejected(across_streams<PaperRand>());
  EXPECT_LT(neighbours_p<PaperRand>(), error_probability);
}

// A good engine whose uniforms are raised to the power of 1.1.
struct Biased {
  test::InOrder<Philox4x32> engine;

  static Biased of_stream(const Stream& stream) { return {test::InOrder<Philox4x32>::of_stream(stream)}; }
  std::uint64_t next_draw() {
    return static_cast<std::uint64_t>(std::pow(open_uniform(engine.next_draw()), 1.1) * 0x1p64);
  }
};

TEST(UniformityControl, ABiasedEngineIsRejected) {
  for (const Uniforms& u : {within_a_stream<Biased>(), across_streams<Biased>()}) {
    EXPECT_LT(kolmogorov_smirnov_p(u), error_probability);
    EXPECT_LT(cells_p(u), error_probability);
  }
}

// A good engine with overlapping streams: each starts five draws after the previous one.
struct Overlapping {
  Stream source;
  std::uint64_t next;

  static Overlapping of_stream(const Stream& stream) {
    return {{stream.seed, 0, stream.input}, 5 * stream.replication};
  }
  std::uint64_t next_draw() {
    constexpr std::uint64_t width = Philox4x32::draws_per_block;
    const std::uint64_t n = next++;
    return Philox4x32::block(source, n / width)[static_cast<int>(n % width)];
  }
};

TEST(UniformityControl, OverlappingStreamsAreRejected) { EXPECT_LT(neighbours_p<Overlapping>(), error_probability); }

// The 31-bit linear congruential generator of many rand() implementations, seeded by the replication.
struct SeededByReplication {
  std::uint64_t state;

  static SeededByReplication of_stream(const Stream& stream) { return {stream.replication + stream.input}; }
  std::uint64_t next_draw() {
    state = (state * 1103515245 + 12345) % (1u << 31);
    return state << 33;
  }
};

TEST(UniformityControl, ASequentiallySeededGeneratorIsRejectedAcrossStreams) {
  EXPECT_LT(pairs_p(across_streams<SeededByReplication>()), error_probability);
}

TEST(KolmogorovSmirnov, HasTheTabulatedQuantiles) {
  EXPECT_NEAR(kolmogorov_cdf(1.3581), 0.95, 1e-5);
  EXPECT_NEAR(kolmogorov_cdf(1.6276), 0.99, 1e-5);
  EXPECT_NEAR(kolmogorov_cdf(0.8276), 0.5, 1e-4);
  EXPECT_NEAR(kolmogorov_cdf(1 - 1e-9), kolmogorov_cdf(1), 1e-8);
}

}  // namespace uniformity_tests
