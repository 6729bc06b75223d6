// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/options.hpp>

#include <sporos/core/replication/plan.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// The most replications of a design point for a precision, where the options do not say.
inline constexpr std::int64_t usual_ceiling = 1'000'000;

/// What the help says of the option --primes.
std::string primes_help();

/// Refuses an option that only other samplings take, those that `expected` names.
[[noreturn]] void refuse_option(std::string_view option, Sampling sampling, std::string_view expected);

/// The range of primes in the text of the option --primes. Throws std::invalid_argument where it is none.
PrimeRange parse_primes(const std::string& text);

/// The plan that the options make, where `base` holds what they leave open; `is_compared` where it is run under several
/// samplings. Throws std::invalid_argument, naming
/// option, value and what was expected, for a plan that cannot be carried out.
Plan plan_from(const OptionTable& options, const Plan& base, bool is_compared = false);

}  // namespace sporos::runtime
