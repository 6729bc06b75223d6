// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/array_rqmc/request.hpp>

#include <sporos/runtime/simulation/one_point_question.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/procedures/multilevel/multilevel_result.hpp>

#include <array>
#include <bit>
#include <stdexcept>
#include <string>

namespace sporos::runtime {

namespace {

constexpr const char* group = "Arrays of chains";

// Those that go with --array-rqmc beside the model's parameters and their own.
constexpr std::array shared_options{"seed",   "confidence", "time-limit", "threads",     "device",
                                    "format", "output",     "report",     "no-progress", "chains"};

void check_model(const ModelDescription& model) {
  if (!model.array_response.empty()) return;
  std::vector<std::string> with_chain;
  for (const auto& other : model_descriptions()) {
    if (!other.array_response.empty()) with_chain.push_back(other.name);
  }
  throw std::invalid_argument(
      fmt::format("--array-rqmc is given with {}, which offers no chain, expected {}", model.name,
                  with_chain.empty() ? "a model that does" : fmt::format("{}", fmt::join(with_chain, ", "))));
}

}  // namespace

std::vector<OptionEntry> array_rqmc_entries() {
  const ArrayRqmcOptions usual;
  return {{group, "array-rqmc", "STEPS",
           fmt::format("the mean response of the model's chain after so many steps, by array-RQMC with --chains a "
                       "power of two; default: {}",
                       usual.chains)},
          {group, "randomizations", "N",
           fmt::format("independent ones, of which the interval is made, and those of a level with --multilevel and "
                       "--sampling sobol; default: {} and {}",
                       usual.randomizations, MultilevelOptions().randomizations)}};
}

void refuse_without_array_rqmc(const OptionTable& options) {
  for (const OptionEntry& entry : options.entries()) {
    if (entry.group != group) continue;
    const bool is_shared = entry.name == "randomizations";
    options.refuse_unless(!options.given(entry), entry.name,
                          is_shared ? "--array-rqmc, or --multilevel and --sampling sobol" : "--array-rqmc");
  }
}

ArrayRqmcRequest array_rqmc_request(const SimulateOptions& options) {
  const OptionTable& table = options.table;
  check_model(*options.model);
  refuse_others(options, "array-rqmc", group, shared_options);
  ArrayRqmcRequest request{options.model, only_point(options, "array-rqmc"), {}, time_limit_of(table)};
  ArrayRqmcOptions& wanted = request.options;
  wanted.steps = table.whole("array-rqmc", wanted.steps, 1, 1'000'000'000);
  wanted.chains = table.whole("chains", wanted.chains, 2, 1 << 30);
  if (!std::has_single_bit(static_cast<std::uint64_t>(wanted.chains))) {
    throw std::invalid_argument(fmt::format("--chains is {} with --array-rqmc, expected a power of two, such as {}",
                                            wanted.chains, std::bit_ceil(static_cast<std::uint64_t>(wanted.chains))));
  }
  wanted.randomizations = table.whole("randomizations", wanted.randomizations, 2, 1'000'000);
  wanted.confidence = table.positive("confidence", Plan().confidence);
  wanted.seed = table.seed("seed", wanted.seed);
  check(wanted);
  return request;
}

}  // namespace sporos::runtime
