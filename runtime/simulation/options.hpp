// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/question.hpp>

#include <sporos/core/replication/plan.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Options for a model's parameters, in a group of the help.
std::vector<OptionEntry> parameter_entries(const ModelDescription& model, const std::string& group);

/// Options for a plan.
std::vector<OptionEntry> plan_entries();

/// `sporos simulate`: estimates the means of a model's responses and other properties of their distributions.
extern const Question simulate_question;

/// `sporos replay`: runs one replication of an experiment.
extern const Question replay_question;

/// `sporos compare-samplings`: runs an experiment under several samplings.
extern const Question compare_samplings_question;

/// Default limit on the replications of a design point if a precision is requested.
inline constexpr std::int64_t default_ceiling = 1'000'000;

/// Text of the help for the option --primes.
std::string primes_help();

/// Throws std::invalid_argument for an option that applies only to other samplings, which `expected` names.
[[noreturn]] void refuse_option(std::string_view option, Sampling sampling, std::string_view expected);

/// Parses the value of the option --primes. Throws std::invalid_argument if it is not a range.
PrimeRange parse_primes(const std::string& text);

/// Returns the plan that the options describe; `base` supplies what they leave open. `is_compared` is true if the plan
/// is run under several samplings. Throws std::invalid_argument, with a message that states the option, its value and
/// the expected range, if the plan cannot be carried out.
Plan plan_from(const OptionTable& options, const Plan& base, bool is_compared = false);

}  // namespace sporos::runtime
