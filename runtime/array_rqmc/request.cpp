// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/array_rqmc/request.hpp>

#include <sporos/runtime/simulation/question.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/plan.hpp>

#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::runtime {

namespace {

std::vector<OptionEntry> array_rqmc_entries() {
  const std::string group = "Arrays of chains";
  const ArrayRqmcOptions defaults;
  return {
      {group, "chain-steps", "N", "steps of each chain, after which its response is observed"},
      {group, "chains", "N", fmt::format("number of chains in an array, a power of two; default: {}", defaults.chains)},
      {group, "randomizations", "N",
       fmt::format("number of independent arrays, for the confidence interval; default: {}", defaults.randomizations)}};
}

Usage array_rqmc_usage(const ModelDescription& model) {
  return one_point_usage(array_rqmc_question, model, entries_of({array_rqmc_entries(), estimate_entries()}),
                         " --chain-steps 20");
}

std::string reason_without_arrays(const ModelDescription& model) {
  return model.array_response.empty() ? "has no chain for array-RQMC" : "";
}

}  // namespace

const Question array_rqmc_question{
    "array-rqmc", "Estimates the mean response of a model's chain after a number of steps by array-RQMC.",
    array_rqmc_usage, reason_without_arrays};

ArrayRqmcRequest array_rqmc_request(const ModelOptions& options) {
  const OptionTable& table = options.table;
  // Members are assigned one by one: g++ 12 destroys a base twice if a later initializer of an aggregate throws.
  ArrayRqmcRequest request;
  request.model = options.model;
  request.values = only_point(options);
  request.time_limit = time_limit_of(table);
  ArrayRqmcOptions& wanted = request.options;
  if (!table.has("chain-steps")) throw std::invalid_argument("--chain-steps is not given: expected a whole number");
  wanted.steps = table.whole("chain-steps", wanted.steps, 1, 1'000'000'000);
  wanted.chains = table.whole("chains", wanted.chains, 2, 1 << 30);
  if (!std::has_single_bit(static_cast<std::uint64_t>(wanted.chains))) {
    throw std::invalid_argument(fmt::format("--chains is {}, expected a power of two, such as {}", wanted.chains,
                                            std::bit_ceil(static_cast<std::uint64_t>(wanted.chains))));
  }
  wanted.randomizations = table.whole("randomizations", wanted.randomizations, 2, 1'000'000);
  wanted.confidence = table.positive("confidence", Plan().confidence);
  wanted.seed = table.seed("seed", wanted.seed);
  check(wanted);
  return request;
}

}  // namespace sporos::runtime
