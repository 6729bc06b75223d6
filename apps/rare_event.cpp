// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rare_event.hpp"

#include "complaint.hpp"
#include "interruption.hpp"
#include "start_backend.hpp"

#include <sporos/runtime/array_rqmc/report.hpp>
#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/multilevel/report.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/rare_events/report.hpp>
#include <sporos/runtime/stratification/report.hpp>

#include <sporos/core/execution/processes.hpp>

#include <optional>
#include <string>

namespace sporos::apps {

namespace {

// Computes what `request` asks for, in one go that nothing can be kept of, and writes it; `missed` says what kept it
// from its goal. Several processes share the work, and all have the result.
template <class Report, class Request, class Compute, class Missed>
int carry_out_at_once(const Request& request, const SimulateOptions& options, Backend& backend, const Compute& compute,
                      const Missed& missed) {
  const auto settings = execution_settings(options.table, backend);
  const Destination destination(options.table.text("output"));
  const ReportFile page(options.table, "simulate " + request.model->name);
  start_backend(backend, settings);
  const auto start = Clock::now();
  Interruption interruption(request.time_limit);
  std::optional<decltype(compute(request, backend))> result;
  together(processes(), [&] { result.emplace(compute(request, backend)); });
  interruption.begin_writing();
  const Machine machine = machine_of(backend);
  const Report report{request, *result, seconds_since(start), machine};
  page.write(report, machine);
  destination.write(text_of(report, options.format));
  const std::string lack = missed(report);
  if (!lack.empty()) complain(lack);
  return lack.empty() ? 0 : 2;
}

template <class Report>
std::string reaches_its_goal(const Report&) {
  return {};
}

}  // namespace

int estimate_rare_event(const RareEventRequest& request, const SimulateOptions& options, Backend& backend) {
  return carry_out_at_once<RareEventReport>(request, options, backend, rare_event_result, missed_event);
}

int estimate_multilevel(const MultilevelRequest& request, const SimulateOptions& options, Backend& backend) {
  return carry_out_at_once<MultilevelReport>(request, options, backend, multilevel_result_of,
                                             reaches_its_goal<MultilevelReport>);
}

int estimate_from_strata(const StratifiedRequest& request, const SimulateOptions& options, Backend& backend) {
  return carry_out_at_once<StratifiedReport>(request, options, backend, stratified_result_of,
                                             reaches_its_goal<StratifiedReport>);
}

int estimate_by_arrays(const ArrayRqmcRequest& request, const SimulateOptions& options, Backend& backend) {
  return carry_out_at_once<ArrayRqmcReport>(request, options, backend, array_rqmc_result,
                                            reaches_its_goal<ArrayRqmcReport>);
}

}  // namespace sporos::apps
