// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/multilevel/request.hpp>

#include <sporos/runtime/simulation/question.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/plan.hpp>

#include <stdexcept>
#include <vector>

namespace sporos::runtime {

namespace {

std::vector<OptionEntry> multilevel_entries() {
  const std::string group = "Multilevel";
  const MultilevelOptions defaults;
  return {
      {group, "response", "NAME", "the response whose mean is estimated; default: the first"},
      {group, "rmse", "R",
       fmt::format("requested root mean square error; the interval includes the estimated bias of the finest level; "
                   "default: {}",
                   defaults.rmse)},
      {group, "level-rate", "A",
       "known rate at which the means of differences decrease, as 2^(-A level); default: the estimate, and at most 1 "
       "for the bias"},
      {group, "max-levels", "L", fmt::format("maximum number of levels; default: {}", defaults.max_levels)},
      {group, "sampling", "NAME",
       fmt::format("how each level is sampled: {}; default: {}", names_of<LevelSampling>(),
                   name_of(defaults.sampling))},
      {group, "randomizations", "N",
       fmt::format("with --sampling sobol: independent randomizations of each level; default: {}",
                   defaults.randomizations)}};
}

Usage multilevel_usage(const ModelDescription& model) {
  return one_point_usage(multilevel_question, model, entries_of({multilevel_entries(), estimate_entries()}),
                         fmt::format(" --rmse {}", MultilevelOptions().rmse));
}

std::string reason_without_levels(const ModelDescription& model) {
  return model.level_means == nullptr ? "has no levels" : "";
}

}  // namespace

const Question multilevel_question{
    "multilevel",
    "Estimates the mean of a response by multilevel Monte Carlo, which adds levels until the bias is small.",
    multilevel_usage, reason_without_levels};

MultilevelRequest multilevel_request(const ModelOptions& options) {
  const ModelDescription& model = *options.model;
  const OptionTable& table = options.table;
  // Members are assigned one by one: g++ 12 destroys a base twice if a later initializer of an aggregate throws.
  MultilevelRequest request;
  request.model = &model;
  request.values = only_point(options);
  request.response = static_cast<int>(
      table.has("response") ? response_named(*table.text("response"), model, request.values, "response") : 0);
  request.name = model.response_names(request.values)[static_cast<std::size_t>(request.response)];
  request.time_limit = time_limit_of(table);
  MultilevelOptions& wanted = request.options;
  wanted.rmse = table.positive("rmse", wanted.rmse);
  wanted.alpha = table.has("level-rate") ? table.positive("level-rate", 0) : 0;
  wanted.max_levels = static_cast<int>(table.whole("max-levels", wanted.max_levels, 3, max_multilevel_levels));
  wanted.sampling = table.choice("sampling", wanted.sampling);
  table.refuse_unless(wanted.sampling == LevelSampling::sobol || !table.has("randomizations"), "randomizations",
                      "--sampling sobol");
  wanted.randomizations = table.whole("randomizations", wanted.randomizations, 2, 1 << 16);
  wanted.confidence = table.positive("confidence", Plan().confidence);
  wanted.seed = table.seed("seed", wanted.seed);
  check(wanted);
  return request;
}

}  // namespace sporos::runtime
