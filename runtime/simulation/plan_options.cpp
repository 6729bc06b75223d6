// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/plan_options.hpp>

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace sporos::runtime {

namespace {

std::int64_t parse_count(const char* option, const std::string& text) {
  return io::parse_number<std::int64_t>(option, text, 1, std::numeric_limits<std::int64_t>::max());
}

double parse_precision(const char* option, const std::string& text) {
  const double value = io::parse_number<double>(option, text);
  if (!(value > 0) || std::isinf(value)) sporos::impl::refuse_parameter(option, text, "a positive number");
  return value;
}

bool parse_switch(const char* option, const std::string& text) {
  if (text != "on" && text != "off" && !text.empty())
    sporos::impl::refuse_parameter(option, io::in_quotes(text), "on or off");
  return text != "off";
}

// Sets the number of replications and the stopping criterion. If an option sets the criterion, it replaces that of the
// base plan.
void set_replications(Plan& plan, const OptionTable& options) {
  const bool asks_for_precision = options.has("precision") || options.has("relative-precision");
  if (options.has("replications") && (asks_for_precision || options.has("max-replications"))) {
    throw std::invalid_argument(
        "--replications is given with a precision: expected --max-replications, which limits the replications");
  }
  if (options.has("replications")) {
    plan.precision = {};
    plan.replications = parse_count("--replications", *options.text("replications"));
  }
  if (asks_for_precision) {
    if (!plan.precision.is_set()) plan.replications = default_ceiling;
    plan.precision = {};
    if (options.has("precision"))
      plan.precision.half_width = parse_precision("--precision", *options.text("precision"));
    if (options.has("relative-precision")) {
      plan.precision.relative_half_width = parse_precision("--relative-precision", *options.text("relative-precision"));
    }
  }
  if (options.has("max-replications")) {
    if (!plan.precision.is_set()) {
      throw std::invalid_argument(
          "--max-replications is given without a precision: expected --replications, or --precision or "
          "--relative-precision with it");
    }
    plan.replications = parse_count("--max-replications", *options.text("max-replications"));
  }
}

void check_refined(const char* option, const Plan& plan, bool is_compared) {
  if (plan.source.sampling == Sampling::refined_descriptive || is_compared) return;
  refuse_option(option, plan.source.sampling, "refined-descriptive");
}

// Sets the engine and the sampling. A change of the sampling, or of the kind of sample, drops the base plan's settings
// that depend on it.
void set_source(UniformSource& source, const OptionTable& options) {
  const Engine engine = options.has("engine") ? parse_choice<Engine>(*options.text("engine")) : source.engine;
  if (options.has("sampling")) source = source_with(source, parse_choice<Sampling>(*options.text("sampling")));
  if (options.has("engine")) source.engine = engine;
  if (options.has("run-length")) {
    source.run_length = parse_count("--run-length", *options.text("run-length"));
    source.sample_size = 0;
  }
  if (options.has("sample-size")) {
    source.sample_size = parse_count("--sample-size", *options.text("sample-size"));
    if (!options.has("run-length")) source.run_length = 0;
  }
}

// Sets how runs are formed. Rounds up replications and batch to whole runs if the user has not set them.
void set_runs(Plan& plan, const OptionTable& options, bool is_compared) {
  if (options.has("primes")) {
    check_refined("--primes", plan, is_compared);
    plan.source.primes = parse_primes(*options.text("primes"));
  }
  if (options.has("sub-runs")) {
    check_refined("--sub-runs", plan, is_compared);
    plan.source.weights = parse_choice<SubRunWeights>(*options.text("sub-runs"));
  }
  const std::int64_t length = plan.source.replications_of_run();
  const auto make_whole = [&](std::int64_t& number) {
    if (number <= std::numeric_limits<std::int64_t>::max() - length) number = (number + length - 1) / length * length;
  };
  if (!options.has("replications") && !options.has("max-replications")) make_whole(plan.replications);
  if (!options.has("batch")) make_whole(plan.batch);
}

void check(const Plan& plan) {
  try {
    check_plan(plan);
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    const bool is_ceiling = plan.precision.is_set() && message.starts_with("replications ");
    throw std::invalid_argument((is_ceiling ? "max-" : "") + message);
  }
}

}  // namespace

std::string primes_help() {
  const PrimeRange defaults;
  return fmt::format("refined-descriptive: range of the primes that are sizes of sub-runs; default: {}:{}",
                     defaults.smallest, defaults.largest);
}

void refuse_option(std::string_view option, Sampling sampling, std::string_view expected) {
  throw std::invalid_argument(
      fmt::format("{} is given for sampling {}, expected it with {} only", option, name_of(sampling), expected));
}

PrimeRange parse_primes(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) {
    sporos::impl::refuse_parameter("--primes", io::in_quotes(text), "a range FIRST:LAST, such as 7:97");
  }
  return {io::parse_number<std::uint32_t>("--primes", text.substr(0, colon)),
          io::parse_number<std::uint32_t>("--primes", text.substr(colon + 1))};
}

Plan plan_from(const OptionTable& options, const Plan& base, bool is_compared) {
  Plan plan = base;
  set_replications(plan, options);
  if (options.has("batch")) plan.batch = parse_count("--batch", *options.text("batch"));
  if (options.has("time-limit"))
    plan.time_limit = io::parse_number<double>("--time-limit", *options.text("time-limit"));
  if (options.has("seed")) plan.seed = io::parse_number<std::uint64_t>("--seed", *options.text("seed"));
  set_source(plan.source, options);
  set_runs(plan, options, is_compared);
  if (options.has("mapping")) plan.mapping = parse_choice<Mapping>(*options.text("mapping"));
  if (options.has("confidence"))
    plan.confidence = io::parse_number<double>("--confidence", *options.text("confidence"));
  if (options.has("common-random-numbers")) {
    plan.common_random_numbers = parse_switch("--common-random-numbers", *options.text("common-random-numbers"));
  }
  if (options.has("covariances")) plan.covariances = parse_switch("--covariances", *options.text("covariances"));
  check(plan);
  return plan;
}

}  // namespace sporos::runtime
