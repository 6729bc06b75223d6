// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/beta.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/counts.hpp>
#include <sporos/core/distributions/gamma.hpp>
#include <sporos/core/distributions/johnson.hpp>
#include <sporos/core/distributions/power_tails.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/distributions/trials.hpp>
#include <sporos/core/distributions/truncated.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Function objects that generate a variate from a draw, one for each distribution, with the parameters bound.
namespace sporos::test {

struct Uniform {
  double low, high;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return uniform(static_cast<Draw&&>(draw), low, high);
  }
};
struct Exponential {
  double rate;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return exponential(static_cast<Draw&&>(draw), rate);
  }
};
struct ExponentialByMean {
  double mean;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return exponential_by_mean(static_cast<Draw&&>(draw), mean);
  }
};
struct Normal {
  double mean, deviation;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return normal(static_cast<Draw&&>(draw), mean, deviation);
  }
};
struct Lognormal {
  double log_mean, log_deviation;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return lognormal(static_cast<Draw&&>(draw), log_mean, log_deviation);
  }
};
struct Triangular {
  double low, mode, high;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return triangular(static_cast<Draw&&>(draw), low, mode, high);
  }
};
struct Weibull {
  double shape, scale;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return weibull(static_cast<Draw&&>(draw), shape, scale);
  }
};
struct Gamma {
  double shape, scale;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return gamma(static_cast<Draw&&>(draw), shape, scale);
  }
};
struct GammaByRate {
  double shape, rate;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return gamma_by_rate(static_cast<Draw&&>(draw), shape, rate);
  }
};
struct Erlang {
  std::int64_t shape;
  double rate;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return erlang(static_cast<Draw&&>(draw), shape, rate);
  }
};
struct UniformInteger {
  std::int64_t low, high;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return uniform_integer(static_cast<Draw&&>(draw), low, high);
  }
};
struct Geometric {
  double probability;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return geometric(static_cast<Draw&&>(draw), probability);
  }
};
struct Poisson {
  double mean;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return poisson(static_cast<Draw&&>(draw), mean);
  }
};
struct Beta {
  double a, b;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return beta(static_cast<Draw&&>(draw), a, b);
  }
};
struct Student {
  double degrees, location, scale;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return student(static_cast<Draw&&>(draw), degrees, location, scale);
  }
};
struct Pareto {
  double shape, scale;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return pareto(static_cast<Draw&&>(draw), shape, scale);
  }
};
struct LogLogistic {
  double shape, scale;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return log_logistic(static_cast<Draw&&>(draw), shape, scale);
  }
};
struct Burr {
  double shape, tail, scale;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return burr(static_cast<Draw&&>(draw), shape, tail, scale);
  }
};
struct JohnsonSu {
  double gamma, delta, location, scale;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return johnson_su(static_cast<Draw&&>(draw), gamma, delta, location, scale);
  }
};
struct JohnsonSb {
  double gamma, delta, location, scale;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return johnson_sb(static_cast<Draw&&>(draw), gamma, delta, location, scale);
  }
};
struct TruncatedNormal {
  double mean, deviation, low, high;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return truncated_normal(static_cast<Draw&&>(draw), mean, deviation, low, high);
  }
};
struct Binomial {
  std::int64_t trials;
  double probability;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return binomial(static_cast<Draw&&>(draw), trials, probability);
  }
};
struct NegativeBinomial {
  double successes, probability;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return negative_binomial(static_cast<Draw&&>(draw), successes, probability);
  }
};
struct Hypergeometric {
  std::int64_t population, marked, drawn;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return hypergeometric(static_cast<Draw&&>(draw), population, marked, drawn);
  }
};
struct Discrete {
  DiscreteHandle table;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return discrete(static_cast<Draw&&>(draw), table);
  }
};
struct Empirical {
  EmpiricalHandle table;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return empirical(static_cast<Draw&&>(draw), table);
  }
};
struct EmpiricalStep {
  EmpiricalHandle table;
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const {
    return empirical_step(static_cast<Draw&&>(draw), table);
  }
};

}  // namespace sporos::test
