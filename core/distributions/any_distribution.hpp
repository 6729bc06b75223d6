// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/counts.hpp>
#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/core/distributions/gamma.hpp>
#include <sporos/core/distributions/tables.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <optional>

/// Variates of a distribution that is chosen at run time, such as by a data file.
namespace sporos {

/// A distribution for kernels. It may point to the numbers of an AnyDistributionTable, which must live.
struct AnyDistribution {
  DistributionKind kind;  ///< which
  double a;               ///< first parameter
  double b;               ///< second
  double c;               ///< third
  DiscreteHandle table;   ///< of `discrete`; of `empirical` the sorted observations and their number
};

/// A variate of `distribution`: the same bits as the distribution's own function gives for the draw's uniform; see
/// continuous.hpp for what `draw` may be.
template <class Draw>
KOKKOS_FUNCTION double variate(Draw&& draw, const AnyDistribution& distribution) {
  // The uniform, and no prepared form: variables that take turns would spoil each other's.
  const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  const auto& [kind, a, b, c, table] = distribution;
  switch (kind) {
    case DistributionKind::constant:
      return a;
    case DistributionKind::uniform:
      return uniform(u, a, b);
    case DistributionKind::uniform_integer:
      return uniform_integer(u, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
    case DistributionKind::triangular:
      return triangular(u, a, b, c);
    case DistributionKind::exponential:
      return exponential(u, a);
    case DistributionKind::erlang:
      return erlang(u, static_cast<std::int64_t>(a), b);
    case DistributionKind::gamma:
      return gamma(u, a, b);
    case DistributionKind::weibull:
      return weibull(u, a, b);
    case DistributionKind::lognormal:
      return lognormal(u, a, b);
    case DistributionKind::normal:
      return normal(u, a, b);
    case DistributionKind::geometric:
      return geometric(u, a);
    case DistributionKind::poisson:
      return poisson(u, a);
    case DistributionKind::discrete:
      return discrete(u, table);
    case DistributionKind::empirical:
      return empirical(u, EmpiricalHandle{table.values, table.size});
  }
  return 0.0;
}

/// Owns the numbers of a distribution chosen at run time, in `MemorySpace`. Copies share them.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class AnyDistributionTable {
 public:
  /// Throws std::invalid_argument as `choice.check()` does.
  explicit AnyDistributionTable(const DistributionChoice& choice)
      : m_kind(choice.kind), m_parameters(choice.parameters) {
    choice.check();
    if (m_kind == DistributionKind::discrete) m_discrete.emplace(choice.values, choice.probabilities);
    if (m_kind == DistributionKind::empirical) m_empirical.emplace(choice.values);
  }

  /// For `variate`, as long as this table or a copy of it lives.
  AnyDistribution handle() const {
    AnyDistribution distribution{m_kind, m_parameters[0], m_parameters[1], m_parameters[2], {}};
    if (m_discrete) distribution.table = m_discrete->handle();
    if (m_empirical) {
      distribution.table.values = m_empirical->handle().sorted;
      distribution.table.size = m_empirical->handle().size;
    }
    return distribution;
  }

 private:
  DistributionKind m_kind;
  std::array<double, 3> m_parameters;
  std::optional<DiscreteTable<MemorySpace>> m_discrete;
  std::optional<EmpiricalTable<MemorySpace>> m_empirical;
};

}  // namespace sporos
