// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/optimizers/nelder_mead/nelder_mead.hpp>
#include <sporos/optimizers/quasi_newton/lbfgs.hpp>

#include <Kokkos_Core.hpp>

#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;

// Space of simplices and vectors: the host, where Python evaluates the objective.
#ifdef KOKKOS_ENABLE_SERIAL
using Space = Kokkos::Serial;
#else
using Space = Kokkos::DefaultHostExecutionSpace;
#endif

// A point and the value of the objective there.
struct Found {
  std::vector<double> x;
  double value = std::numeric_limits<double>::infinity();
};

// Passes the current point and value to the Python callback, and returns whether the run continues. `callback` may be
// None. Call this function with the GIL held.
Continuation show(const py::object& callback, const Found& found) {
  if (callback.is_none()) return Continuation::go_on;
  return callback(array_of(found.x), found.value).cast<bool>() ? Continuation::go_on : Continuation::stop;
}

// A Python function as a batch objective. The function takes an array with one point in each row and returns their
// values.
class FunctionOfRows {
 public:
  using execution_space = Space;
  static constexpr std::int64_t steps_of_round = 1;

  FunctionOfRows(const py::object& function, const Session::Ask& ask) : m_function(function), m_ask(ask) {}

  const Space& execution() const { return m_space; }

  // Requires points of the same dimension.
  void evaluate(const PointBatch<Space>& batch, const Vector<Space>& values) {
    m_space.fence();
    const std::size_t rows = values.extent(0), columns = batch.points.extent(1);
    std::vector<double> points(rows * columns);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = batch.points(i / columns, i % columns);
    m_ask([&] {
      const auto found = m_function(array_of(points, rows, columns)).template cast<Numbers>();
      std::copy_n(found.data(), rows, values.data());
    });
    for (std::size_t row = 0; row < rows; ++row) {
      if (!(values(row) < m_best.value)) continue;
      const auto first = points.begin() + static_cast<std::ptrdiff_t>(row * columns);
      m_best = {{first, first + static_cast<std::ptrdiff_t>(columns)}, values(row)};
    }
  }

  // The best point so far and its value.
  const Found& best() const { return m_best; }

 private:
  const py::object& m_function;
  const Session::Ask& m_ask;
  Space m_space;
  Found m_best;
};

// A Python function that returns its value and its gradient, as a deterministic problem.
class FunctionWithGradient {
 public:
  using execution_space = Space;

  FunctionWithGradient(const py::object& function, const Session::Ask& ask, std::int64_t dimension)
      : m_function(function), m_ask(ask), m_dimension(dimension) {}

  const Space& execution() const { return m_space; }
  std::int64_t dimension() const { return m_dimension; }
  void draw(const SampleRange&) {}

  double objective_and_gradient(const ConstVector<Space>& x, const Vector<Space>& gradient) {
    m_space.fence();
    ++m_evaluations;
    m_last.x.assign(x.data(), x.data() + x.extent(0));
    m_gradient.resize(m_last.x.size());
    m_ask([&] {
      const py::tuple found = m_function(array_of(m_last.x));
      m_last.value = found[0].cast<double>();
      std::copy_n(found[1].cast<Numbers>().data(), m_gradient.size(), m_gradient.data());
    });
    std::copy(m_gradient.begin(), m_gradient.end(), gradient.data());
    return m_last.value;
  }
  double objective(const ConstVector<Space>& x) {
    return objective_and_gradient(x, Vector<Space>("sporos::python::gradient", x.extent(0)));
  }
  void gradient(const ConstVector<Space>& x, const Vector<Space>& g) { objective_and_gradient(x, g); }

  // The point that was evaluated last, and its value.
  const Found& last() const { return m_last; }
  const std::vector<double>& last_gradient() const { return m_gradient; }
  std::int64_t evaluations() const { return m_evaluations; }

 private:
  const py::object& m_function;
  const Session::Ask& m_ask;
  std::int64_t m_dimension;
  Space m_space;
  Found m_last;
  std::vector<double> m_gradient;
  std::int64_t m_evaluations = 0;
};

// Visits the options of the Python dictionary, by SciPy's names if SciPy has them, and the members that they set.
template <class Visit>
void for_each_option(NelderMeadOptions& options, const Visit& visit) {
  bool is_adaptive = options.coefficients == NelderMeadCoefficients::adaptive;
  visit("xatol", options.size_tolerance);
  visit("fatol", options.value_tolerance);
  visit("maxfev", options.evaluations);
  visit("maxiter", options.iterations);
  visit("adaptive", is_adaptive);
  visit("restarts", options.restarts);
  visit("min_gain", options.min_gain);
  visit("oriented_restarts", options.oriented_restarts);
  visit("reevaluation_interval", options.reevaluation_interval);
  visit("time_limit", options.time_limit);
  options.coefficients = is_adaptive ? NelderMeadCoefficients::adaptive : NelderMeadCoefficients::original;
}

template <class Visit>
void for_each_option(LbfgsOptions& options, const Visit& visit) {
  visit("gtol", options.gradient_tolerance);
  visit("maxiter", options.iterations);
  visit("maxcor", options.pairs.memory);
  visit("maxls", options.line_search.max_evaluations);
  visit("c1", options.line_search.decrease);
  visit("c2", options.line_search.curvature);
  visit("time_limit", options.time_limit);
}

template <class Options>
Options options_of(const py::dict& given) {
  Options options;
  for_each_option(options, [&](const char* name, auto& member) {
    if (given.contains(name)) member = given[name].template cast<std::decay_t<decltype(member)>>();
  });
  return options;
}

template <class Options>
py::dict default_options() {
  Options options;
  py::dict default_value;
  for_each_option(options, [&](const char* name, const auto& member) { default_value[name] = member; });
  return default_value;
}

py::dict dict_of(const NelderMeadResult& result) {
  py::dict dict;
  dict["x"] = array_of(result.point);
  dict["fun"] = result.value;
  dict["nit"] = result.iterations;
  dict["nfev"] = result.evaluations;
  dict["stopped_by"] = std::string(name_of(result.stopped_by));
  return dict;
}

// Minimizes from each row of `starts`, within `bounds`: the lower and the upper bounds.
py::list minimize_by_simplices(const py::object& function, const Numbers& starts,
                               const std::optional<std::pair<Numbers, Numbers>>& bounds, const py::dict& given,
                               const py::object& callback) {
  auto options = options_of<NelderMeadOptions>(given);
  if (bounds) options.bounds = {{vector_of(bounds->first), vector_of(bounds->second)}};
  std::vector<SimplexStart> simplices;
  const auto columns = static_cast<std::size_t>(starts.shape(1));
  for (py::ssize_t row = 0; row < starts.shape(0); ++row) {
    simplices.push_back({{starts.data(row), starts.data(row) + columns}});
  }
  std::vector<NelderMeadResult> results;
  session().run_asking([&](const Session::Ask& ask) {
    FunctionOfRows objective(function, ask);
    NelderMeadCallback watch;
    if (!callback.is_none()) {
      watch = [&](const NelderMeadProgress&) {
        Continuation wanted{};
        ask([&] { wanted = show(callback, objective.best()); });
        return wanted;
      };
    }
    results = nelder_mead(objective, simplices, options, watch);
  });
  py::list found;
  for (const NelderMeadResult& result : results) found.append(dict_of(result));
  return found;
}

py::dict minimize_by_lbfgs(const py::object& function, const Numbers& start, const py::dict& given,
                           const py::object& callback) {
  const auto options = options_of<LbfgsOptions>(given);
  QuasiNewtonResult result;
  Found found;
  std::vector<double> gradient;
  std::int64_t evaluations = 0;
  session().run_asking([&](const Session::Ask& ask) {
    FunctionWithGradient problem(function, ask, start.size());
    const auto keep = [&] {
      found = problem.last();
      gradient = problem.last_gradient();
    };
    // The point that was evaluated last is the current point of the run.
    result = lbfgs(problem, vector_of(start), options, [&](const QuasiNewtonProgress& progress) {
      keep();
      Continuation wanted{};
      if (progress.iteration > 0) ask([&] { wanted = show(callback, found); });
      return wanted;
    });
    if (result.trajectory.empty()) keep();
    evaluations = problem.evaluations();
  });
  py::dict dict;
  dict["x"] = array_of(std::move(found.x));
  dict["fun"] = found.value;
  dict["jac"] = array_of(std::move(gradient));
  dict["nit"] = result.iterations;
  dict["nfev"] = evaluations;
  dict["stopped_by"] = std::string(name_of(result.stopped_by));
  return dict;
}

}  // namespace

void bind_minimize(py::module_& module) {
  using py::arg;
  module.def("minimize_by_simplices", minimize_by_simplices, arg("function"), arg("starts"), arg("bounds"),
             arg("options"), arg("callback"),
             "Minimizes by Nelder and Mead's method. Returns the result of each start.");
  module.def("minimize_by_lbfgs", minimize_by_lbfgs, arg("function"), arg("start"), arg("options"), arg("callback"),
             "Minimizes by L-BFGS. Returns the result.");
  module.def(
      "default_minimize_options",
      [] {
        return std::map<std::string, py::dict>{{"nelder-mead", default_options<NelderMeadOptions>()},
                                               {"l-bfgs", default_options<LbfgsOptions>()}};
      },
      "Returns the options of each method with their defaults.");
}

}  // namespace sporos::python
