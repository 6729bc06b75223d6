// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <optional>
#include <type_traits>

/// Variates of a distribution that is chosen at run time, for example by a data file.
namespace sporos {

/// A distribution for kernels. It may point to the numbers of an AnyDistributionTable, which must outlive it.
struct AnyDistribution {
  DistributionKind kind;  ///< kind of the distribution
  double a;               ///< first parameter
  double b;               ///< second parameter
  double c;               ///< third parameter
  double d;               ///< fourth parameter
  DiscreteHandle table;   ///< table of `discrete`; for `empirical` the sorted observations and their number
};

namespace impl {

template <class Uniform>
struct FamilyVariate {
  Uniform draw;
  const AnyDistribution& distribution;

  // Out of line: with one function for all families, ptxas had not finished after 6 minutes.
  template <class Family>
  SPOROS_NOINLINE KOKKOS_FUNCTION Uniform operator()(std::type_identity<Family>) const {
    return of_uniform(draw, [this](double u) { return variate<Family>(u); });
  }

 private:
  template <class Family>
  KOKKOS_FORCEINLINE_FUNCTION double variate(double u) const {
    const AnyDistribution& by = distribution;
    if constexpr (TableFamily<Family>) {
      return Family::variate(u, by.table);
    } else if constexpr (requires { Family::variate(u, by.a); }) {
      return Family::variate(u, by.a);
    } else if constexpr (requires { Family::variate(u, by.a, by.b); }) {
      return Family::variate(u, by.a, by.b);
    } else if constexpr (requires { Family::variate(u, by.a, by.b, by.c); }) {
      return Family::variate(u, by.a, by.b, by.c);
    } else {
      return Family::variate(u, by.a, by.b, by.c, by.d);
    }
  }
};

// One function for all kernels of a file: inlined in each, it gave models/networks 22.7 MB of PTX instead of 14.5.
template <class Uniform>
SPOROS_NOINLINE KOKKOS_FUNCTION Uniform variate_of_uniform(const Uniform& u, const AnyDistribution& distribution) {
  return Families::visit_on_device(distribution.kind, FamilyVariate<Uniform>{u, distribution});
}

}  // namespace impl

/// Variate of `distribution`, with the same bits as the distribution's own function for the same uniform. See
/// continuous.hpp for the types of `draw`.
///
/// Inlined down to a quotient, so that a network whose service times are exponential does not call a function for each.
template <class Draw>
KOKKOS_FORCEINLINE_FUNCTION UniformOf<Draw> variate(Draw&& draw, const AnyDistribution& distribution) {
  if constexpr (requires { std::remove_cvref_t<Draw>::may_have_exponential; }) {
    if (distribution.kind == DistributionKind::exponential)
      return standard_variate<StandardExponential>(static_cast<Draw&&>(draw)) / distribution.a;
  }
  // Uses the uniform, not a prepared form: variables used in turn would invalidate each other's prepared draws.
  return impl::variate_of_uniform<UniformOf<Draw>>(standard_variate<StandardUniform>(static_cast<Draw&&>(draw)),
                                                   distribution);
}

/// Owner of the numbers of a distribution that is chosen at run time, in `MemorySpace`. Copies share the numbers.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class AnyDistributionTable {
 public:
  /// Throws std::invalid_argument if `choice.check()` does.
  explicit AnyDistributionTable(const DistributionChoice& choice)
      : m_kind(choice.kind), m_parameters(choice.parameters) {
    choice.check();
    if (m_kind == DistributionKind::discrete) m_discrete.emplace(choice.values, choice.probabilities);
    if (m_kind == DistributionKind::empirical) m_empirical.emplace(choice.values);
  }

  /// View for `variate`, valid as long as this table or a copy of it lives.
  AnyDistribution handle() const {
    const auto [a, b, c, d] = m_parameters;
    AnyDistribution distribution{m_kind, a, b, c, d, {}};
    if (m_discrete) distribution.table = m_discrete->handle();
    if (m_empirical) {
      distribution.table.values = m_empirical->handle().sorted;
      distribution.table.size = m_empirical->handle().size;
    }
    return distribution;
  }

 private:
  DistributionKind m_kind;
  std::array<double, 4> m_parameters;
  std::optional<DiscreteTable<MemorySpace>> m_discrete;
  std::optional<EmpiricalTable<MemorySpace>> m_empirical;
};

}  // namespace sporos
