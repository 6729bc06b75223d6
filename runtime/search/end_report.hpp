// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/report.hpp>

#include <sporos/core/io/json.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace sporos::runtime {

/// Why decisions x are infeasible, of which `replications` gave these moments.
std::string fault_text(const SearchRequest& request, std::span<const double> x, std::int64_t replications,
                       const SampleMoments& moments);

/// The parameters that are not decided, "capacity 5, customers 2000", but for those that are as their case file says.
std::string fixed_parameters(const SearchReport& report);

/// Sentences, one per line, on what was and was not searched, where the search ended, and which neighbours are better.
std::string search_text(const SearchReport& report);

/// Mean responses at the end that are neither in the objective nor in constraints; empty where there are none.
std::string responses_table(const SearchReport& report);

/// For programs.
io::Json json_of_end(const SearchReport& report);

}  // namespace sporos::runtime
