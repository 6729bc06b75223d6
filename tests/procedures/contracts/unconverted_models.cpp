// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model whose data members cannot be converted to dual numbers is rejected before anything is differentiated.
// expected: a model with derivatives is converted to dual numbers member by member
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/replication/likelihood_ratio.hpp>
#include <sporos/procedures/simulated_objective.hpp>

#include <array>
#include <tuple>

template <class Model, class Real>
constexpr auto rate_of() {
  return std::tuple{sporos::Parameter<Model, Real>{"rate", &Model::rate, 1, "", "", nullptr}};
}

// A model with a pointer whose type depends on the number type.
template <class Real = double>
struct PointsToReal {
  Real rate;
  const Real* prices;
  enum Input { service, input_count };
  static constexpr auto response_names = std::array{"wait"};
  static constexpr auto parameters() { return rate_of<PointsToReal, Real>(); }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 1> operator()(Inputs& inputs) const {
    return {{sporos::exponential(inputs(service), rate)}};
  }
};

template <class Real = double>
class HasPrivateMembers {
 public:
  Real rate;
  enum Input { service, input_count };
  static constexpr auto response_names = std::array{"wait"};
  static constexpr auto parameters() { return rate_of<HasPrivateMembers, Real>(); }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 1> operator()(Inputs& inputs) const {
    return {{sporos::exponential(inputs(service), rate + m_more)}};
  }

 private:
  double m_more = 0;
};

struct Base {
  double more = 0;
};
template <class Real = double>
struct HasBase : Base {
  Real rate;
  enum Input { service, input_count };
  static constexpr auto response_names = std::array{"wait"};
  static constexpr auto parameters() { return rate_of<HasBase, Real>(); }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 1> operator()(Inputs& inputs) const {
    return {{sporos::exponential(inputs(service), rate + more)}};
  }
};

void run_all(const std::array<std::string, 1>& names, const std::vector<sporos::Decision>& decisions,
             const sporos::Objective& objective) {
  using Space = Kokkos::DefaultExecutionSpace;
  sporos::Pathwise<PointsToReal<>, 1>(PointsToReal<>(), names);
  sporos::LikelihoodRatio<HasPrivateMembers<>, 1>(HasPrivateMembers<>(), names);
  sporos::SimulatedObjective<HasBase<>, Space>(Space(), HasBase<>(), decisions, objective);
}
