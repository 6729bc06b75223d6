// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rare_event.hpp"

#include "complaint.hpp"
#include "interruption.hpp"
#include "start_backend.hpp"

#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/multilevel/report.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/rare_events/report.hpp>

#include <string>

namespace sporos::apps {

namespace {

// Computes what `request` asks for, in one go that nothing can be kept of, and writes it; `missed` says what kept it
// from its goal. Of several processes all compute the same.
template <class Report, class Request, class Compute, class Missed>
int carry_out_at_once(const Request& request, const SimulateOptions& options, Backend& backend, const Compute& compute,
                      const Missed& missed) {
  const auto settings = execution_settings(options.table, backend);
  const Destination destination(options.table.text("output"));
  const ReportFile page(options.table, "simulate " + request.model->name);
  start_backend(backend, settings);
  const auto start = Clock::now();
  Interruption interruption(request.time_limit);
  const auto result = compute(request, backend);
  interruption.begin_writing();
  const Machine machine = machine_of(backend);
  const Report report{request, result, seconds_since(start), machine};
  page.write(report, machine);
  destination.write(text_of(report, options.format));
  const std::string lack = missed(report);
  if (!lack.empty()) complain(lack);
  return lack.empty() ? 0 : 2;
}

}  // namespace

int estimate_rare_event(const RareEventRequest& request, const SimulateOptions& options, Backend& backend) {
  return carry_out_at_once<RareEventReport>(request, options, backend, rare_event_result, missed_event);
}

int estimate_multilevel(const MultilevelRequest& request, const SimulateOptions& options, Backend& backend) {
  return carry_out_at_once<MultilevelReport>(request, options, backend, multilevel_result_of,
                                             [](const MultilevelReport&) { return std::string(); });
}

}  // namespace sporos::apps
