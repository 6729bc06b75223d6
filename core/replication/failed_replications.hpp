// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace sporos {

/// Why the replication with these responses has failed; nothing where it has not. `stations` are the names of the
/// model's stations, for overloads.
std::optional<std::string> failure_of(std::int64_t replication, std::span<const double> responses,
                                      std::span<const std::string> stations = {});

namespace impl {

/// Why a replication has failed whose response is `mark`: "replication 17 failed: ...".
std::string failure_text(std::int64_t replication, double mark, std::span<const std::string> stations = {});

/// As failure_text, also for a response that is no mark but infinite or NaN, and for a mark that has become negative.
/// `what` calls the response: "a response".
std::string reason_of_failure(std::int64_t replication, double response, const std::string& what = "a response",
                              std::span<const std::string> stations = {});

}  // namespace impl

}  // namespace sporos
