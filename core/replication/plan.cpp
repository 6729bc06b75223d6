// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/plan.hpp>

#include <cstdio>
#include <string>

namespace sporos {

void check_plan(const Plan& plan) {
  const auto check_count = [](const char* name, std::int64_t value) {
    if (value < 1) impl::refuse_parameter(name, std::to_string(value), "at least 1");
  };
  check_count("replications", plan.replications);
  check_count("batch", plan.batch);
  impl::check_parameter(plan.confidence > 0 && plan.confidence < 1, "confidence", plan.confidence,
                        "a number between 0 and 1, such as 0.95");
  check_non_negative("precision", plan.precision.half_width);
  check_non_negative("relative precision", plan.precision.relative_half_width);
  impl::check_parameter(plan.time_limit > 0, "time limit", plan.time_limit, "a positive number of seconds");
  const std::int64_t length = plan.source.replications_of_run();
  const auto check_runs = [&](const char* name, std::int64_t value) {
    if (length < 1 || value % length == 0) return;
    const bool is_pair = plan.source.sampling == Sampling::antithetic && plan.source.run_length == 0;
    impl::refuse_parameter(name, std::to_string(value),
                           "a multiple of " + std::to_string(length) + ", " +
                               (is_pair ? "because antithetic sampling runs replications in pairs" : "the run length"));
  };
  check_runs("replications", plan.replications);
  if (plan.precision.is_set()) check_runs("batch", plan.batch);
}

void check_same_plan(Processes& processes, const Plan& plan) {
  const auto check_number = [&](const char* name, double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);
    check_same(processes, name, text);
  };
  const UniformSource& source = plan.source;
  check_same(processes, "replications", std::to_string(plan.replications));
  check_number("precision", plan.precision.half_width);
  check_number("relative precision", plan.precision.relative_half_width);
  check_same(processes, "batch", std::to_string(plan.batch));
  check_same(processes, "seed", std::to_string(plan.seed));
  check_same(processes, "engine", std::string(name_of(source.engine)));
  check_same(processes, "sampling", std::string(name_of(source.sampling)));
  check_same(processes, "run length", std::to_string(source.run_length));
  check_same(processes, "sample size", std::to_string(source.sample_size));
  check_same(processes, "smallest prime", std::to_string(source.primes.smallest));
  check_same(processes, "largest prime", std::to_string(source.primes.largest));
  check_same(processes, "weights of sub-runs", std::string(name_of(source.weights)));
  check_number("confidence", plan.confidence);
  check_same(processes, "common random numbers", plan.common_random_numbers ? "on" : "off");
  check_same(processes, "covariances", plan.covariances ? "on" : "off");
}

}  // namespace sporos
