// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace sporos::impl {

/// Why a replication has failed whose response is `mark`: "replication 17 failed: ...".
std::string failure_text(std::int64_t replication, double mark);

/// Throws std::runtime_error where one of the responses of a replication marks a failure.
void check_not_failed(std::int64_t replication, std::span<const double> responses);

}  // namespace sporos::impl
