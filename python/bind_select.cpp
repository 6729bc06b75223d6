// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/selection/model_selection.hpp>

#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;

runtime::OptionTable options_of(const runtime::ModelDescription& model, const OptionTexts& options,
                                const std::vector<std::string>& over, const std::vector<std::string>& sums,
                                const std::vector<std::string>& constraints, const OptionTexts& parameters) {
  runtime::OptionTable table = table_with(runtime::select_usage(model).options, options);
  set_parameters(table, model, parameters);
  table.list("over") = over;
  table.list("sum") = sums;
  table.list("subject-to") = constraints;
  return table;
}

py::dict dict_of(const runtime::SelectionProgress& progress, double seconds) {
  py::dict dict;
  dict["done"] = progress.replications;
  dict["seconds"] = seconds;
  dict["stage"] = std::string(progress.stage);
  dict["survivors"] = progress.survivors;
  dict["missing"] = progress.missing;
  return dict;
}

// A request for a selection, with its options.
struct Requested {
  const runtime::ModelDescription& model;
  runtime::OptionTable table;
  runtime::SelectionRequest request;
};

Requested requested(const std::string& model_name, const OptionTexts& options, const std::vector<std::string>& over,
                    const std::vector<std::string>& sums, const std::vector<std::string>& constraints,
                    const OptionTexts& parameters) {
  runtime::selected_model(std::vector{model_name});
  const runtime::ModelDescription& model = model_with(model_name, parameters);
  runtime::OptionTable table = options_of(model, options, over, sums, constraints, parameters);
  runtime::SelectionRequest request = runtime::selection_request(model, table);
  return {model, std::move(table), std::move(request)};
}

using Indices = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

Indices indices_of(const std::int64_t* first, std::int64_t count) { return Indices(count, first); }

// Launcher whose replications are made by workers that a Python function reaches. It receives the indices of systems,
// for each of them the row after its last and the replications before its first row, and the range of rows.
class WorkersLauncher final : public SystemLauncher {
 public:
  WorkersLauncher(std::unique_ptr<SystemLauncher> own, const py::object& workers, const Session::Ask& ask)
      : m_own(std::move(own)), m_workers(workers), m_ask(ask) {}

  void launch(const SystemRows& rows) override {
    std::vector<std::int64_t> made;
    for (std::int64_t i = 0; i < rows.count; ++i) made.push_back(rows.made[rows.systems[i]]);
    m_ask([&] {
      const auto numbers = m_workers(indices_of(rows.systems, rows.count), indices_of(rows.ends, rows.count),
                                     indices_of(made.data(), rows.count), rows.first, rows.end)
                               .cast<py::array_t<double, py::array::c_style | py::array::forcecast>>();
      if (numbers.size() != (rows.end - rows.first) * (1 + constraints())) {
        throw std::runtime_error("workers have returned another number of responses than requested");
      }
      std::copy_n(numbers.data(), numbers.size(), rows.responses);
    });
  }
  bool has_common_random_numbers() const override { return m_own->has_common_random_numbers(); }
  int constraints() const override { return m_own->constraints(); }
  std::vector<std::string> station_names() const override { return m_own->station_names(); }
  bool has_known_responses() const override { return m_own->has_known_responses(); }
  std::vector<FailedSystem> impossible() const override { return m_own->impossible(); }

 private:
  std::unique_ptr<SystemLauncher> m_own;
  const py::object& m_workers;  // outlives this object, and is used only with the GIL held
  const Session::Ask& m_ask;
};

// Returns the result in the format of the command line's JSON. `workers` is a function for a WorkersLauncher, or None.
py::object select_system(const std::string& model_name, const OptionTexts& options,
                         const std::vector<std::string>& over, const std::vector<std::string>& sums,
                         const std::vector<std::string>& constraints, const OptionTexts& parameters,
                         const py::object& workers, py::object progress) {
  Requested asked = requested(model_name, options, over, sums, constraints, parameters);
  const runtime::OptionTable& table = asked.table;
  runtime::ModelSelection selection(std::move(asked.request));
  std::optional<runtime::KeptRun> kept;
  runtime::keep(kept, table,
                [&] { return runtime::description_of("select " + asked.model.name, table, selection.request().data); });
  std::optional<runtime::ResultDocument> found;
  if (!workers.is_none() && session().backend().has_devices()) {
    throw std::invalid_argument("executor is given with a backend for GPUs, expected backend='openmp' or 'serial'");
  }
  session().run_or_ask(
      !workers.is_none(), std::move(progress),
      [&](const runtime::Backend& backend, const Session::GoesOn& goes_on, const Session::Ask* ask) {
        runtime::ModelSelection::Wrap wrap;
        if (ask != nullptr) {
          wrap = [&](std::unique_ptr<SystemLauncher> own) {
            return std::make_unique<WorkersLauncher>(std::move(own), workers, *ask);
          };
        }
        const auto start = runtime::Clock::now();
        selection.start(backend, wrap);
        if (kept && kept->state()) selection.restore(*kept->state(), *table.text("checkpoint") + ": state");
        double kept_at = 0;
        selection.run([&](const runtime::SelectionProgress& step) -> std::optional<StopReason> {
          const double seconds = runtime::seconds_since(start);
          if (!goes_on([&] { return dict_of(step, seconds); })) return StopReason::interrupted;
          if (kept && seconds >= kept_at + kept->every()) {
            kept->save(selection.state());
            kept_at = runtime::seconds_since(start);
          }
          return seconds >= selection.request().time_limit ? std::optional(StopReason::time_limit) : std::nullopt;
        });
        runtime::write_kept(
            kept, selection.has_ended(), [&] { return selection.state(); },
            [&] {
              found = document_of(selection.report(runtime::seconds_since(start), runtime::machine_of(backend)));
            });
      });
  return object_of(*found);
}

// Returns the rows [first, end) of a launch of a selection: for each, the response and the excesses over constraints.
// `ends` and `made` are those of SystemRows, for these systems.
py::array_t<double> system_rows(const std::string& model_name, const OptionTexts& options,
                                const std::vector<std::string>& over, const std::vector<std::string>& sums,
                                const std::vector<std::string>& constraints, const OptionTexts& parameters,
                                const Indices& systems, const Indices& ends, const Indices& made, std::int64_t first,
                                std::int64_t end) {
  const Requested asked = requested(model_name, options, over, sums, constraints, parameters);
  std::vector<std::int64_t> all_made(static_cast<std::size_t>(asked.request.grid.size()));
  const bool is_valid = systems.size() > 0 && ends.size() == systems.size() && made.size() == systems.size() &&
                        0 <= first && first < end && end <= ends.at(ends.size() - 1);
  if (!is_valid) throw std::invalid_argument("rows of systems do not fit together");
  for (py::ssize_t i = 0; i < systems.size(); ++i) all_made.at(static_cast<std::size_t>(systems.at(i))) = made.at(i);
  std::vector<double> numbers;
  std::size_t columns = 1;
  session().run(py::none(), [&](const runtime::Backend& backend, Watch&) {
    const auto launcher = runtime::system_launcher(asked.request, backend);
    columns += static_cast<std::size_t>(launcher->constraints());
    numbers.resize(static_cast<std::size_t>(end - first) * columns);
    launcher->launch({systems.data(), ends.data(), all_made.data(), static_cast<std::int64_t>(systems.size()), first,
                      end, numbers.data()});
  });
  return array_of(std::move(numbers), static_cast<std::size_t>(end - first), columns);
}

}  // namespace

void bind_select(py::module_& module) {
  module.def("select_system", select_system, py::arg("model"), py::arg("options"), py::arg("over"), py::arg("sums"),
             py::arg("subject_to"), py::arg("parameters"), py::arg("workers"), py::arg("progress"),
             "Selects the best of many systems. Returns the result.");
  module.def("system_rows", system_rows, py::arg("model"), py::arg("options"), py::arg("over"), py::arg("sums"),
             py::arg("subject_to"), py::arg("parameters"), py::arg("systems"), py::arg("ends"), py::arg("made"),
             py::arg("first"), py::arg("end"), "Makes replications of systems. Returns their responses.");
}

}  // namespace sporos::python
