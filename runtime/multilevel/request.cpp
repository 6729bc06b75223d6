// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/multilevel/request.hpp>

#include <sporos/runtime/simulation/one_point_question.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/plan.hpp>

#include <array>
#include <stdexcept>

namespace sporos::runtime {

namespace {

constexpr const char* multilevel_group = "Multilevel";

// Those that go with --multilevel beside the model's parameters and their own.
constexpr std::array shared_options{"seed",   "confidence", "time-limit",  "threads",  "device",        "format",
                                    "output", "report",     "no-progress", "sampling", "randomizations"};

void check_model(const ModelDescription& model) {
  if (model.level_means != nullptr) return;
  std::vector<std::string> with_levels;
  for (const auto& other : model_descriptions()) {
    if (other.level_means != nullptr) with_levels.push_back(other.name);
  }
  throw std::invalid_argument(
      fmt::format("--multilevel is given with {}, which has no levels, expected {}", model.name,
                  with_levels.empty() ? "a model that has" : fmt::format("{}", fmt::join(with_levels, ", "))));
}

}  // namespace

std::vector<OptionEntry> multilevel_entries() {
  const MultilevelOptions usual;
  return {
      {multilevel_group, "multilevel", "RESPONSE",
       "the mean of that response on levels so fine that what is left is small, by multilevel Monte Carlo; "
       "with --sampling sobol from points of low discrepancy"},
      {multilevel_group, "rmse", "R",
       fmt::format("root mean square error that is wanted; default: {}; the interval includes the bias that the "
                   "finest level is estimated to have",
                   usual.rmse)},
      {multilevel_group, "level-rate", "A",
       "at which theory says that means of levels fall, as 2^(-A level); default: it is estimated, and for the bias "
       "taken as 1 at most"},
      {multilevel_group, "most-levels", "L", fmt::format("give up after so many; default: {}", usual.most_levels)}};
}

void refuse_without_multilevel(const OptionTable& options) {
  for (const OptionEntry& entry : options.entries()) {
    if (entry.group == multilevel_group) options.refuse_unless(!options.given(entry), entry.name, "--multilevel");
  }
}

MultilevelRequest multilevel_request(const SimulateOptions& options) {
  const ModelDescription& model = *options.model;
  const OptionTable& table = options.table;
  check_model(model);
  refuse_others(options, "multilevel", multilevel_group, shared_options);
  const ParameterValues values = only_point(options, "multilevel");
  const std::size_t response = response_named(*table.text("multilevel"), model, values, "multilevel");
  MultilevelRequest request{&model, values, response, model.response_names(values)[response], {}, time_limit_of(table)};
  MultilevelOptions& wanted = request.options;
  wanted.rmse = table.positive("rmse", wanted.rmse);
  wanted.alpha = table.has("level-rate") ? table.positive("level-rate", 0) : 0;
  wanted.most_levels = static_cast<int>(table.whole("most-levels", wanted.most_levels, 3, 60));
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
