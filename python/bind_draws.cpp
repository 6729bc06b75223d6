// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "draws.hpp"

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/beta.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/counts.hpp>
#include <sporos/core/distributions/gamma.hpp>
#include <sporos/core/distributions/johnson.hpp>
#include <sporos/core/distributions/phase_type.hpp>
#include <sporos/core/distributions/power_tails.hpp>
#include <sporos/core/distributions/trials.hpp>
#include <sporos/core/distributions/truncated.hpp>
#include <sporos/core/math/gamma.hpp>
#include <sporos/core/math/python_numbers.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/summary.hpp>
#include <sporos/core/sampling/inputs.hpp>

#include <pybind11/numpy.h>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace sporos::python {

namespace {

namespace py = pybind11;
using DrawsClass = py::class_<Draws, std::shared_ptr<Draws>>;

// The inputs of a replication under a plan with Philox and random sampling.
using PlanInputs = DefaultSource::InputsOn<Kokkos::DefaultHostExecutionSpace, Mapping::thread, Draws::input_count>;

// Returns the draws of one replication under such a plan.
std::shared_ptr<Draws> draws_of(std::uint64_t seed, std::uint64_t replication) {
  const sporos::impl::DeviceSource source{};
  const sporos::impl::DrawsOfInputs<Draws::input_count> stated{};
  return std::make_shared<Draws>(std::make_unique<DrawsFrom<PlanInputs>>(source, seed, replication, stated));
}

// Adds a method that draws from `distribution`, whose arguments follow the number of the input.
template <class... Parameters, class Distribution>
void add(DrawsClass& draws, const char* name, Distribution distribution) {
  draws.def(name, [distribution](Draws& from, int input, Parameters... parameters) {
    return distribution(from.next(input), parameters...);
  });
}

#define SPOROS_DISTRIBUTION(name, ...) \
  add<__VA_ARGS__>(draws, #name, [](auto&& draw, auto... p) { return sporos::name(std::move(draw), p...); })

void bind_distributions(DrawsClass& draws) {
  using std::int64_t;
  add<>(draws, "random", [](auto&& draw) { return static_cast<double>(std::move(draw)); });
  SPOROS_DISTRIBUTION(uniform, double, double);
  SPOROS_DISTRIBUTION(triangular, double, double, double);
  SPOROS_DISTRIBUTION(exponential, double);
  SPOROS_DISTRIBUTION(exponential_by_mean, double);
  SPOROS_DISTRIBUTION(weibull, double, double);
  SPOROS_DISTRIBUTION(normal, double, double);
  SPOROS_DISTRIBUTION(lognormal, double, double);
  SPOROS_DISTRIBUTION(gamma, double, double);
  SPOROS_DISTRIBUTION(gamma_by_rate, double, double);
  SPOROS_DISTRIBUTION(erlang, int64_t, double);
  SPOROS_DISTRIBUTION(beta, double, double);
  SPOROS_DISTRIBUTION(student, double, double, double);
  SPOROS_DISTRIBUTION(pareto, double, double);
  SPOROS_DISTRIBUTION(log_logistic, double, double);
  SPOROS_DISTRIBUTION(burr, double, double, double);
  SPOROS_DISTRIBUTION(johnson_su, double, double, double, double);
  SPOROS_DISTRIBUTION(johnson_sb, double, double, double, double);
  SPOROS_DISTRIBUTION(truncated_normal, double, double, double, double);
  SPOROS_DISTRIBUTION(hyperexponential, double, double, double);
  SPOROS_DISTRIBUTION(uniform_integer, int64_t, int64_t);
  SPOROS_DISTRIBUTION(geometric, double);
  SPOROS_DISTRIBUTION(poisson, double);
  SPOROS_DISTRIBUTION(binomial, int64_t, double);
  SPOROS_DISTRIBUTION(negative_binomial, double, double);
  SPOROS_DISTRIBUTION(hypergeometric, int64_t, int64_t, int64_t);
}

#undef SPOROS_DISTRIBUTION

void bind_functions(py::module_& functions) {
  functions.def("exp", [](double x) { return math::exp(x); });
  functions.def("expm1", [](double x) { return math::expm1(x); });
  functions.def("log", [](double x) { return math::log(x); });
  functions.def("log1p", [](double x) { return math::log1p(x); });
  functions.def("sqrt", [](double x) { return math::sqrt(x); });
  functions.def("sin", [](double x) { return math::sin(x); });
  functions.def("cos", [](double x) { return math::cos(x); });
  functions.def("pow", [](double x, double y) { return math::pow(x, y); });
  functions.def("log_gamma", [](double x) { return math::log_gamma(x); });
  functions.def("normal_cdf", [](double x) { return math::normal_cdf(x); });
  functions.def("normal_quantile", [](double p) { return math::normal_quantile(p); });
  functions.def("divide", [](double a, double b) { return a / b; });
}

// Returns the digest of the responses of consecutive replications, a row for each of them.
std::uint64_t digest(const py::array_t<double, py::array::c_style>& rows, std::int64_t first) {
  const auto row = rows.unchecked<2>();
  std::uint64_t sum = 0;
  for (py::ssize_t i = 0; i < row.shape(0); ++i) {
    for (py::ssize_t response = 0; response < row.shape(1); ++response)
      sum += impl::digest_of(row(i, response), first + i, static_cast<int>(response));
  }
  return sum;
}

}  // namespace

void bind_draws(py::module_& module) {
  py::module_ functions =
      module.def_submodule("functions", "Draws, and functions with the same bits on every machine.");
  DrawsClass draws(functions, "Draws", py::module_local());
  draws.def(py::init(&draws_of));
  bind_distributions(draws);
  bind_functions(functions);
  functions.def("digest", digest);
  functions.def("seed_of_point", seed_of_point);
}

}  // namespace sporos::python
