// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace sporos {

/// Reason why the replication with these responses has failed; std::nullopt if it has not failed. `stations` are the
/// names of the model's stations, then of its resources, for messages about overloads and deadlocks.
std::optional<std::string> failure_of(std::int64_t replication, std::span<const double> responses,
                                      std::span<const std::string> stations = {});

namespace impl {

/// Reason for the failure of a replication whose response is `mark`, such as "replication 17 failed: ...".
std::string failure_text(std::int64_t replication, double mark, std::span<const std::string> stations = {});

/// Reason for the failure of a replication, as returned by failure_text. It also accepts a mark that has become
/// negative, and a response that is not a mark but infinite or NaN. `what` names the response in the message.
std::string reason_of_failure(std::int64_t replication, double response, const std::string& what = "a response",
                              std::span<const std::string> stations = {});

}  // namespace impl

}  // namespace sporos
