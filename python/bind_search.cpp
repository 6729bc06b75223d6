// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/search/model_search.hpp>
#include <sporos/runtime/search/requested_problem.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/procedures/objective.hpp>

#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;

// A request of a search, with its objective.
struct RequestedSearch {
  runtime::SearchRequest request;
  Objective objective;
};

RequestedSearch search_of(const std::string& model_name, const OptionTexts& options,
                          const std::vector<std::string>& over, const std::vector<std::string>& draws,
                          const std::vector<std::string>& constraints, const OptionTexts& parameters) {
  runtime::check_optimizable(runtime::find_model(model_name));
  const runtime::ModelDescription& model = model_with(model_name, parameters);
  runtime::OptionTable table = table_with(runtime::search_usage(model).options, options);
  set_parameters(table, model, parameters);
  table.list("over") = over;
  table.list("draw") = draws;
  table.list("subject-to") = constraints;
  runtime::SearchRequest request = runtime::search_request(model, table);
  runtime::make_start_valid(request);
  auto objective =
      runtime::objective_of(request.objective, request.constraints_on_means, model, request.values, request.decisions);
  return {std::move(request), std::move(objective)};
}

py::dict dict_of(const runtime::ModelSearch& search, double seconds) {
  py::dict dict;
  dict["done"] = search.journal().replications();
  dict["at_most"] = search.request().budget * search.request().runs;
  dict["seconds"] = seconds;
  dict["solver"] = std::string(search.solver());
  return dict;
}

// Converts a sample to a tuple, from which another process makes it again.
py::tuple tuple_of(const Sample& sample) {
  return py::make_tuple(sample.x, sample.seed, sample.first, sample.count, sample.has_gradient, sample.has_values,
                        sample.direction);
}

Sample sample_of(const py::tuple& fields) {
  return {fields[0].cast<std::vector<double>>(), fields[1].cast<std::uint64_t>(), fields[2].cast<std::int64_t>(),
          fields[3].cast<std::int64_t>(),        fields[4].cast<bool>(),          fields[5].cast<bool>(),
          fields[6].cast<std::vector<double>>()};
}

// Converts moments to a tuple, from which another process makes them again.
py::tuple tuple_of(const SampleMoments& moments) {
  return py::make_tuple(moments.count, moments.means, moments.products, moments.slopes, moments.values,
                        moments.curvatures, moments.least, moments.failed, static_cast<int>(moments.failure.failure),
                        moments.failure.capacity);
}

SampleMoments moments_of(const py::tuple& fields) {
  const auto numbers = [&](std::size_t i) { return fields[i].cast<std::vector<double>>(); };
  return {fields[0].cast<std::int64_t>(),
          numbers(1),
          numbers(2),
          numbers(3),
          numbers(4),
          numbers(5),
          numbers(6),
          fields[7].cast<std::int64_t>(),
          {static_cast<Failure>(fields[8].cast<int>()), fields[9].cast<std::uint32_t>()}};
}

// A problem whose samples are simulated by workers that a Python function reaches.
class WorkersProblem final : public ProblemOverProblem {
 public:
  WorkersProblem(SampledProblem& problem, const py::object& workers, const Session::Ask& ask)
      : ProblemOverProblem(problem), m_workers(workers), m_ask(ask) {}

  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override {
    std::vector<SampleMoments> found;
    m_ask([&] {
      py::list asked;
      for (const Sample& sample : samples) asked.append(tuple_of(sample));
      for (const auto& moments : m_workers(asked)) found.push_back(moments_of(moments.cast<py::tuple>()));
    });
    if (found.size() != samples.size()) throw std::runtime_error("workers have returned another number of samples");
    return found;
  }

 private:
  const py::object& m_workers;  // outlives this object, and is used only with the GIL held
  const Session::Ask& m_ask;
};

// Returns the moments of samples.
py::list sampled_moments(const std::string& model_name, const OptionTexts& options,
                         const std::vector<std::string>& over, const std::vector<std::string>& draws,
                         const std::vector<std::string>& constraints, const OptionTexts& parameters,
                         const std::vector<py::tuple>& samples) {
  RequestedSearch search = search_of(model_name, options, over, draws, constraints, parameters);
  std::vector<Sample> asked;
  for (const py::tuple& sample : samples) asked.push_back(sample_of(sample));
  std::vector<SampleMoments> found;
  session().run(py::none(), [&](const runtime::Backend& backend, Watch&) {
    runtime::RequestedProblem problem(search.request, std::move(search.objective), backend);
    found = problem.simulated().simulate(asked);
  });
  py::list list;
  for (const SampleMoments& moments : found) list.append(tuple_of(moments));
  return list;
}

// Returns the result in the format of the command line's JSON. `workers` is a function for a WorkersProblem, or None.
py::object optimize_model(const std::string& model_name, const OptionTexts& options,
                          const std::vector<std::string>& over, const std::vector<std::string>& draws,
                          const std::vector<std::string>& constraints, const OptionTexts& parameters,
                          const py::object& workers, py::object progress) {
  RequestedSearch asked = search_of(model_name, options, over, draws, constraints, parameters);
  runtime::ModelSearch search(std::move(asked.request), std::move(asked.objective));
  std::optional<runtime::ResultDocument> found;
  session().run_or_ask(
      !workers.is_none(), std::move(progress),
      [&](const runtime::Backend& backend, const Session::GoesOn& goes_on, const Session::Ask* ask) {
        runtime::RequestedProblem::Wrap wrap;
        if (ask != nullptr) {
          wrap = [&](SampledProblem& problem) { return std::make_unique<WorkersProblem>(problem, workers, *ask); };
        }
        const auto start = runtime::Clock::now();
        search.start(backend, wrap);
        std::optional<StopReason> end;
        bool is_interrupted = false;
        const auto is_stopped = [&] {
          const double seconds = runtime::seconds_since(start);
          is_interrupted = is_interrupted || !goes_on([&] { return dict_of(search, seconds); });
          return is_interrupted;
        };
        search.run([&] {
          if (is_stopped()) end = StopReason::interrupted;
          if (runtime::seconds_since(start) >= search.request().time_limit) end = StopReason::time_limit;
          return end.has_value();
        });
        if (const auto fault = search.estimate()) throw std::runtime_error(*fault);
        search.examine_end();
        const auto gap = search.bounded_gap(is_stopped);
        found = document_of(search.report(end.value_or(StopReason::replications), runtime::seconds_since(start),
                                          runtime::machine_of(backend), gap));
      });
  return object_of(*found);
}

}  // namespace

void bind_search(py::module_& module) {
  module.def("optimize_model", optimize_model, py::arg("model"), py::arg("options"), py::arg("over"), py::arg("draws"),
             py::arg("subject_to"), py::arg("parameters"), py::arg("workers"), py::arg("progress"),
             "Optimizes parameters of a model. Returns the result.");
  module.def("sampled_moments", sampled_moments, py::arg("model"), py::arg("options"), py::arg("over"),
             py::arg("draws"), py::arg("subject_to"), py::arg("parameters"), py::arg("samples"),
             "Simulates samples of a search. Returns their moments.");
}

}  // namespace sporos::python
