// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/counts.hpp>
#include <sporos/core/distributions/gamma.hpp>
#include <sporos/core/distributions/tables.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Each distribution with its parameters bound: a function of one draw.
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
