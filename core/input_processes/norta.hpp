// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/any_distribution.hpp>
#include <sporos/core/input_processes/multivariate_normal.hpp>
#include <sporos/core/input_processes/norta_marginal.hpp>
#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/math/normal.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace sporos {

/// Correlated variates of d given distributions, for kernels, by NORTA, "normal to anything" (Cario, Nelson, 1997,
/// Modeling and generating random vectors with arbitrary marginal distributions and correlation matrix). Variate i is
/// the variate for the uniform Φ(Zᵢ) of a normal vector Z. It may point to the numbers of a NortaTable, which must
/// outlive it.
template <int d>
struct Norta {
  MultivariateNormal<d> normals;               ///< Z, with means 0 and variances 1
  Kokkos::Array<AnyDistribution, d> marginal;  ///< distribution of each variate

  /// Variates for the standard normal numbers z.
  KOKKOS_FUNCTION Kokkos::Array<double, d> of(const Kokkos::Array<double, d>& z) const {
    Kokkos::Array<double, d> x{};
    for (int i = 0; i < d; ++i) {
      const double u = math::normal_cdf(z[i]);
      x[i] = variate(u < 0x1p-53 ? 0x1p-53 : (u > 1.0 - 0x1p-53 ? 1.0 - 0x1p-53 : u), marginal[i]);
    }
    return x;
  }

  /// Variates from the next d draws of input variable `variable`.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, d> operator()(Inputs& inputs, int variable) const {
    return of(normals(inputs, variable));
  }
};

/// Owner of the numbers of a Norta, in `MemorySpace`. Copies share the numbers.
template <int d, class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class NortaTable {
 public:
  /// Takes the distributions and their correlations. @throws std::invalid_argument if the distributions' `check()` or
  /// `normal_correlations` throws.
  NortaTable(const std::array<DistributionChoice, d>& marginals, const SquareMatrix& correlations)
      : m_normals({}, found(marginals, correlations)) {
    for (const auto& choice : marginals) m_tables.emplace_back(choice);
  }

  /// View for kernels, valid as long as this table or a copy of it lives.
  Norta<d> handle() const {
    Norta<d> norta{m_normals, {}};
    for (int i = 0; i < d; ++i) norta.marginal[i] = m_tables[static_cast<std::size_t>(i)].handle();
    return norta;
  }

 private:
  static SquareMatrix found(const std::array<DistributionChoice, d>& marginals, const SquareMatrix& correlations) {
    std::vector<NortaMarginal> all;
    for (const auto& choice : marginals) {
      const AnyDistributionTable<Kokkos::HostSpace> table(choice);
      all.emplace_back([&](double u) { return variate(u, table.handle()); });
    }
    return normal_correlations(all, correlations);
  }

  MultivariateNormal<d> m_normals;
  std::vector<AnyDistributionTable<MemorySpace>> m_tables;
};

}  // namespace sporos
