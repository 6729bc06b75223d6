// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/problems/problems.hpp>
#include <sporos/runtime/solver_comparison/options.hpp>
#include <sporos/runtime/solver_comparison/report.hpp>
#include <sporos/runtime/solver_comparison/solver_comparison.hpp>

#include <pybind11/stl.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;

// The next request of a solver written in Python: replications at some points, all with the same random numbers.
// Without points the solver has ended.
struct Wanted {
  std::vector<std::vector<double>> points;
  std::int64_t replications = 0;
  std::optional<std::vector<double>> recommended;
};

// Converts the result of the solver's object: (points or None, replications, recommended point or None).
Wanted wanted_of(const py::tuple& values) {
  Wanted wanted;
  if (!values[0].is_none()) wanted.points = values[0].cast<std::vector<std::vector<double>>>();
  wanted.replications = values[1].cast<std::int64_t>();
  if (!values[2].is_none()) wanted.recommended = values[2].cast<std::vector<double>>();
  return wanted;
}

// Runs a solver written in Python: begin(…) returns the number of a run, and advance(number, means) its next request.
// The coroutine holds no Python objects, because it may be destroyed without the GIL.
Search python_search(SearchRun& run, const py::object& solver, const Session::Ask& ask) {
  std::int64_t number = 0;
  ask([&] {
    std::vector<double> low, high;
    std::vector<bool> are_whole;
    for (const DecisionRange& range : run.bounds()) {
      low.push_back(range.low);
      high.push_back(range.high);
      are_whole.push_back(range.is_integer);
    }
    number =
        solver.attr("begin")(array_of(run.start()), array_of(low), array_of(high), are_whole, run.budget(), run.seed())
            .cast<std::int64_t>();
  });
  std::optional<std::vector<double>> means;
  for (;;) {
    Wanted wanted;
    ask([&] {
      wanted = wanted_of(solver.attr("advance")(number, means ? py::object(array_of(*means)) : py::object(py::none())));
    });
    if (wanted.recommended) run.recommend(run.within_region(std::move(*wanted.recommended)));
    if (wanted.points.empty()) co_return;
    std::vector<Sample> samples;
    for (std::vector<double>& x : wanted.points) {
      samples.push_back(run.fresh_sample(run.within_region(std::move(x)), wanted.replications));
      samples.back().first = samples.front().first;
    }
    means.emplace();
    for (const SampleMean& mean : co_await run.evaluate(std::move(samples))) means->push_back(mean.mean);
  }
}

// Returns the result in the format of the command line's JSON.
py::object compare_solvers(const OptionTexts& options, const std::map<std::string, py::object>& own,
                           py::object progress) {
  const runtime::OptionTable table = table_with(runtime::compare_solvers_usage().options, options);
  std::optional<runtime::ResultDocument> found;
  session().run_asking([&](const Session::Ask& ask) {
    std::vector<runtime::ComparedSolver> solvers;
    for (const auto& [name, solver] : own) {
      solvers.push_back(
          {name, nullptr, {}, [&ask, held = &solver](SearchRun& run) { return python_search(run, *held, ask); }});
    }
    runtime::SolverComparison comparison(runtime::compare_solvers_request(table, std::move(solvers)));
    const auto start = runtime::Clock::now();
    const auto seconds = [&] { return runtime::seconds_since(start); };
    std::optional<StopReason> ended_by;
    double looked_at = 0;
    comparison.run(session().backend(), [&](const runtime::SolverComparisonProgress& state) {
      if (seconds() >= comparison.request().time_limit) ended_by = StopReason::time_limit;
      if (seconds() < looked_at + 0.1) return ended_by.has_value();
      looked_at = seconds();
      ask([&] {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (progress.is_none()) return;
        py::dict shown;
        shown["done"] = state.done;
        shown["at_most"] = state.all;
        shown["seconds"] = looked_at;
        shown["problem"] = std::string(state.problem);
        shown["solver"] = std::string(state.solver);
        if (!progress(shown).cast<bool>()) ended_by = StopReason::interrupted;
      });
      return ended_by.has_value();
    });
    if (comparison.cells() == 0) throw std::runtime_error("ended before the first solver-problem pair finished");
    found = document_of(comparison.report(ended_by, seconds(), runtime::machine_of(session().backend())));
  });
  return object_of(*found);
}

std::string problems() { return json_of(runtime::ProblemList{runtime::registered_problems()}); }

}  // namespace

void bind_solver_comparison(py::module_& module) {
  module.def("compare_solvers", compare_solvers, py::arg("options"), py::arg("own"), py::arg("progress"),
             "Compares solvers on problems. Returns the result.");
  module.def("problems", problems, "Returns the problems as JSON.");
}

}  // namespace sporos::python
